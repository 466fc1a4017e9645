"""Tasks with a true difficulty."""

import pytest

from unriddle import tasks


@pytest.mark.parametrize("name", tasks.KINDS)
def test_tasks_are_proved_and_the_same_for_a_seed(name: str) -> None:
    made = tasks.make(name, 20, seed=1)
    assert made == tasks.make(name, 20, seed=1) or [t.prompt for t in made] == [
        t.prompt for t in tasks.make(name, 20, seed=1)
    ]
    assert len({task.instance.text for task in made}) == 20
    for task in made:
        record = task.instance.solve("optimal")
        assert (record.status, record.value) == ("optimal", task.optimal)
        assert task.score(task.solution) == 1.0
        assert task.score("nonsense") == 0.0
        assert task.instance.text in task.prompt and str(task.optimal) in task.prompt
        assert task.branching >= 1 and (task.dead_ends is None or 0 <= task.dead_ends <= 1)


def test_half_a_solution_gets_partial_credit() -> None:
    task = tasks.make("tiles", 1, optimal=range(10, 11), seed=4)[0]
    scores = [task.score(task.solution[:moves]) for moves in range(11)]
    assert scores == sorted(scores) and scores[0] == 0.0 and scores[5] == 0.25
    assert scores[9] == pytest.approx(0.45) and scores[10] == 1.0


def test_impossible_wishes_are_said() -> None:
    with pytest.raises(ValueError, match="there are tasks of tiles"):
        tasks.make("chess", 1)
    with pytest.raises(ValueError, match="0 of 2 tasks"):
        tasks.make("tiles", 2, optimal=[99], tries=5)
