"""Python functions as heuristics and policies of the searches."""

import time

import numpy as np
import pytest
from numpy.typing import NDArray

import unriddle

States = NDArray[np.uint8]
BOARD = "8 6 7 2 5 4 3 0 1"
ROW, COLUMN = np.divmod(np.arange(9), 3)


def manhattan(states: States) -> NDArray[np.float32]:
    """The sum of the distances of the tiles from their places."""
    home = (states.astype(int) - 1) % 9
    far = abs(ROW[home] - ROW) + abs(COLUMN[home] - COLUMN)
    return (far * (states != 0)).sum(axis=1).astype(np.float32)


def instance() -> unriddle.Instance:
    return unriddle.puzzle("tiles").instance(BOARD)


def test_searches_expand_the_same_states_as_with_the_heuristic_itself() -> None:
    for search in [
        "astar({})",
        "bwas({}, lambda=0.6, batch=100)",
        "beam({}, width=200)",
        "greedy({})",
    ]:
        ours = instance().solve(search.format("manhattan"))
        theirs = instance().solve(search.format("callable"), heuristic=manhattan)
        assert (ours.value, ours.solution) == (theirs.value, theirs.solution), search
        assert ours.expanded == theirs.expanded, search
        # A function proves nothing.
        assert theirs.status == "solved"


def test_a_bidirectional_beam_is_guided() -> None:
    solver = "beam(callable, width=200, direction=bidirectional)"
    cube = unriddle.puzzle("cube").instance("R U F2 L D")
    solved = cube.space.random_walk(1, 0)[0]
    record = cube.solve(solver, heuristic=lambda states: (states != solved).sum(axis=1))
    assert record.is_solved and record.value <= 6


def test_a_policy_chooses_actions() -> None:
    space = instance().space

    def policy(states: States) -> NDArray[np.float32]:
        children, legal, _ = space.expand(states)
        flat = children.reshape(-1, 9)
        # Rows of illegal actions are 0: any estimate will do.
        return np.where(legal, manhattan(flat).reshape(legal.shape), 0.0).astype(np.float32)

    record = instance().solve("beam(callable, choose=actions, width=100)", policy=policy)
    assert record.is_solved
    logits = "beam(callable(policy=on), choose=actions, width=100)"
    assert instance().solve(logits, policy=lambda states: -policy(states)).is_solved


@pytest.mark.parametrize("kind", [np.float64, np.int64, list])
def test_other_numbers_are_read(kind: type) -> None:
    def estimates(states: States) -> object:
        found = manhattan(states)
        return found.tolist() if kind is list else found.astype(kind)

    assert instance().solve("bwas(callable)", heuristic=estimates).is_solved


def test_exceptions_come_back_with_the_best() -> None:
    class Mistake(Exception):
        pass

    calls = 0

    def fails(states: States) -> NDArray[np.float32]:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise Mistake("on purpose")
        return manhattan(states)

    with pytest.raises(Mistake, match="on purpose") as found:
        instance().solve("bwas(callable, batch=10)", heuristic=fails)
    assert calls == 4
    assert found.value.record.status == "stopped"


def test_wrong_estimates_are_refused() -> None:
    wrong = [
        (lambda states: manhattan(states)[:-1], "expected"),
        (lambda states: np.full(len(states), np.nan), "the estimate of state 0 is NaN"),
        (lambda states: np.zeros((len(states), 4)), "expected"),
    ]
    for function, message in wrong:
        with pytest.raises(unriddle.Refused, match=message):
            instance().solve("bwas(callable, batch=10)", heuristic=function)
    with pytest.raises((TypeError, ValueError)):
        instance().solve("bwas(callable)", heuristic=lambda states: "no numbers")
    with pytest.raises(unriddle.Refused, match="not both"):
        instance().solve("bwas(callable)", heuristic=manhattan, policy=manhattan)
    with pytest.raises(unriddle.Refused, match="an estimate of each action"):
        instance().solve("beam(callable, choose=actions)", heuristic=manhattan)


def test_states_are_not_copied() -> None:
    """The array owns the bytes that the search wrote, and stays valid after the call."""
    kept: list[States] = []

    def keep(states: States) -> NDArray[np.float32]:
        kept.append(states)
        assert states.flags.c_contiguous and states.base is not None
        return manhattan(states)

    instance().solve("bwas(callable, batch=100)", heuristic=keep)
    space = instance().space
    assert all(space.legal(states).any(axis=1).all() for states in kept)
    estimates = np.zeros(1000, np.float32)
    # A callback costs microseconds: 1,000 states and an empty function.
    calls, begun = 0, time.thread_time()

    def nothing(states: States) -> NDArray[np.float32]:
        nonlocal calls
        calls += 1
        return estimates[: len(states)] if len(states) <= 1000 else np.zeros(len(states))

    instance().solve("beam(callable, width=250, max_depth=200)", heuristic=nothing)
    print(f"{calls} calls, {(time.thread_time() - begun) / calls * 1e6:.1f} µs each in this thread")
