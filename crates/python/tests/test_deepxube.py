"""The domain of DeepXube."""

import pytest

pytest.importorskip("deepxube", exc_type=ImportError)


def test_the_domain_agrees_with_the_solver() -> None:
    from unriddle.deepxube import PuzzleDomain

    domain = PuzzleDomain("tiles", "1 2 3  4 5 6  7 8 0", seed=1)
    states, goals = domain.sample_problem_instances([0, 3, 8, 20])
    assert domain.is_solved(states, goals)[0]
    nodes, _, costs = domain.samp_nodes_and_labels([0, 1, 2, 8])
    assert costs[:3] == [0.0, 1.0, 2.0] and costs[3] <= 8
    children, actions, prices = domain.expand(nodes)
    for state, after, numbers, price in zip(nodes, children, actions, prices, strict=True):
        assert len(after) == len(numbers) in (2, 3, 4) and set(price) == {1.0}
        assert domain.next_state([state] * len(numbers), numbers) == (after, price)
    assert domain.to_np_flat_sg(nodes, goals)[0].shape == (4, 9)
    assert domain.get_input_info_flat_sg() == ([9], [9])
    assert domain.string_to_action("3") == domain.actions[3]
    assert domain.string_to_action("4") is None
