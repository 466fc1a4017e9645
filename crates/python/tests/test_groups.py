"""Actions as permutations."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import unriddle
from unriddle.alignment import Alignment
from unriddle.groups import Group

INSTANCES = {
    "cube": "R U F2",
    "cube(metric=htm)": "R U F2",
    "cube(size=2)": "R U F2",
    "lightsout": "1101/0101/1110",
}


class Stacks:
    """The space of pancakes: action `a` turns the `a + 2` bytes at the top over."""

    puzzle = "stacks"

    def __init__(self, goal: list[int], *, is_burnt: bool = False, price: int = 1) -> None:
        self.goal = np.array(goal, np.uint8)
        self.is_burnt = is_burnt
        self.width, self.values = len(goal), 2 * max(goal) + 2
        self.actions = self.width if is_burnt else self.width - 1
        self.costs = np.ones(self.actions, np.uint32)
        self.costs[-1] = price

    def expand(self, states: NDArray[np.uint8]) -> Any:
        children = np.repeat(states[..., None, :], self.actions, -2)
        for action in range(self.actions):
            top = self.width - self.actions + 1 + action
            turned = states[..., top - 1 :: -1]
            # A burnt pancake shows its other side.
            children[..., action, :top] = turned ^ 1 if self.is_burnt else turned
        shape = children.shape[:-1]
        return children, np.ones(shape, np.bool_), np.broadcast_to(self.costs, shape)

    def random_walk(self, n: int, steps: Any, seed: int = 0) -> NDArray[np.uint8]:
        lengths = np.broadcast_to(steps, (n,))
        rng = np.random.default_rng(seed)
        rows = np.tile(self.goal, (n, 1))
        for step in range(lengths.max(initial=0)):
            children = self.expand(rows)[0]
            after = children[np.arange(n), rng.integers(self.actions, size=n)]
            rows = np.where((step < lengths)[:, None], after, rows)
        return rows

    def line(self, state: NDArray[np.uint8], actions: list[int]) -> str:
        return ",".join(map(str, actions))


def group_of(space: Stacks) -> Group:
    instance: Any = SimpleNamespace(space=space)
    return Group(instance)


def assert_is_the_puzzle(group: Group) -> None:
    """Children by the permutations are the children by the rules, in 1,000 random states."""
    space = group.space
    rows = space.random_walk(1000, np.arange(1000) % 40, seed=5)
    children = space.expand(rows)[0]
    states = group.states(rows)
    assert states.shape == (1000, group.size) and states.min() >= 0
    assert (group.rows(states) == rows).all()
    for action, generator in enumerate(group.generators):
        assert (states[:, generator] == group.states(children[:, action])).all()
    assert (np.sort(group.generators) == np.arange(group.size)).all()
    assert (np.sort(states) == np.sort(group.central)).all()
    assert group.central.max() < group.size


@pytest.mark.parametrize("spec", INSTANCES)
def test_permutations_are_the_actions_of_the_puzzle(spec: str) -> None:
    assert_is_the_puzzle(Group(unriddle.puzzle(spec).instance(INSTANCES[spec])))


@pytest.mark.parametrize(
    ("goal", "is_burnt", "size"),
    [
        ([0, 1, 2, 3, 4], False, 5),
        # Equal bytes: each number is one of few.
        ([3, 3, 7, 7, 9], False, 5),
        # A number for each side of each pancake in each place.
        ([0, 2, 4, 6], True, 32),
    ],
)
def test_bytes_that_change_places_are_permuted(
    goal: list[int], is_burnt: bool, size: int
) -> None:
    group = group_of(Stacks(goal, is_burnt=is_burnt))
    assert group.size == size
    assert_is_the_puzzle(group)


def test_states_of_the_cube_say_which_piece_is_where() -> None:
    group = Group(unriddle.puzzle("cube").instance("R"))
    assert group.size == 48 and group.names[:4] == ["U", "U'", "R", "R'"]
    # The other pieces have not moved: four corners and four edges have.
    moved = group.states(group.space.start()) != group.central
    assert moved[:24].sum() <= 8 and moved[24:].sum() <= 8
    # The eighth corner of the small cube stays in its place.
    assert Group(unriddle.puzzle("cube(size=2)").instance("R")).size == 21


def test_axes_before_the_last_are_kept() -> None:
    group = Group(unriddle.puzzle("lightsout").instance("110/010/111"))
    rows = group.space.random_walk(6, 5).reshape(2, 3, 9)
    states = group.states(rows)
    assert states.shape == (2, 3, 18)
    assert (group.rows(states) == rows).all()
    assert group.states(rows[0, 0]).shape == (18,)
    assert group.states(rows[:0, 0]).shape == (0, 18)


def test_puzzles_without_permutations_are_refused() -> None:
    tiles = unriddle.puzzle("tiles").instance("1 2 3  4 5 6  7 8 0")
    with pytest.raises(unriddle.Refused, match="`tiles` are no permutations: action 0 is not leg"):
        Group(tiles)
    with pytest.raises(unriddle.Refused, match="is not legal|several goals"):
        Group(unriddle.puzzle("sokoban").instance("#######\n#.$ @ #\n#  $. #\n#     #\n#######"))
    with pytest.raises(unriddle.Refused, match="declares no rows"):
        Group(unriddle.puzzle("hanoi").instance("1 1 1"))
    with pytest.raises(unriddle.Refused, match="they cost 1 to 3: expected equal costs"):
        group_of(Stacks([0, 1, 2, 3], price=3))


def test_effects_that_differ_between_states_are_refused() -> None:
    class Odd(Stacks):
        def expand(self, states: NDArray[np.uint8]) -> Any:
            children, legal, costs = super().expand(states)
            # The last action does nothing where the top is 0.
            still = states[..., 0] == 0
            children[..., -1, :] = np.where(still[..., None], states, children[..., -1, :])
            return children, legal, costs

    with pytest.raises(unriddle.Refused, match="depends on more than one byte"):
        group_of(Odd([0, 1, 2, 3, 4]))


def test_wrong_states_are_refused() -> None:
    group = Group(unriddle.puzzle("cube(size=2)").instance("R"))
    with pytest.raises(unriddle.Refused, match="array 0 is no state of this group"):
        group.rows(np.zeros(21))
    with pytest.raises(unriddle.Refused, match=r"shape \[20\]: expected 21 on the last axis"):
        group.rows(np.zeros(20))
    for value in [0, 24, 255]:
        row = group.space.start()
        row[6] = value
        with pytest.raises(unriddle.Refused, match=f"row 0: byte 6 is {value}"):
            group.states(row)
    with pytest.raises(unriddle.Refused, match=r"shape \[7\]: expected 8 bytes"):
        group.states(row[:7])
    stacks = group_of(Stacks([0, 1, 2]))
    with pytest.raises(unriddle.Refused, match="array 1 is no state"):
        stacks.rows(np.array([[0, 1, 2], [0, 1, 9]]))


def stickers() -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    """The cube's quarter turns as permutations of its stickers, read off from texts."""
    cube = unriddle.puzzle("cube").instance("R")
    space = cube.space
    # A sticker is recognised by its colours in many states.
    walks = np.concatenate([space.random_walk(300, 40, seed=8), space.random_walk(1, 0)])
    before = np.array([list(text) for text in space.text(walks)])
    children = space.expand(walks)[0]
    generators = []
    for action in range(space.actions):
        after = np.array([list(text) for text in space.text(children[:, action])])
        same = (after[:, :, None] == before[:, None, :]).all(0)
        assert (same.sum(1) == 1).all()
        generators.append(same.argmax(1))
    names = [space.line(walks[-1], [action]) for action in range(space.actions)]
    return names, np.array(generators), np.unique(before[-1], return_inverse=True)[1]


def test_stickers_of_the_cube_are_aligned() -> None:
    group = Group(unriddle.puzzle("cube").instance("R U F2"))
    names, generators, central = stickers()
    rng = np.random.default_rng(4)
    rows = group.space.random_walk(1000, 30, seed=6)
    colours = "BDFLRU"
    for is_named in [True, False]:
        # Other orders of the generators and of the stickers.
        order = rng.permutation(12)
        places = rng.permutation(54)
        inverse = np.argsort(places)
        other = inverse[generators[order][:, places]]
        known = [names[number] for number in order] if is_named else []
        aligned = Alignment(group, other, central[places], known)
        states = aligned.states(rows)
        assert states.shape == (1000, 54) and (aligned.rows(states) == rows).all()
        for action, generator in enumerate(aligned.chosen):
            child = group.space.apply(rows, np.full(1000, action))
            assert (states[:, other[generator]] == aligned.states(child)).all()
            assert aligned.actions[generator] == action
        if is_named:
            assert [known[generator] for generator in aligned.chosen] == group.names
            texts = group.space.text(rows[:5])
            shown = ["".join(colours[number] for number in state[inverse]) for state in states[:5]]
            assert shown == texts


def test_other_generators_are_refused() -> None:
    group = Group(unriddle.puzzle("cube(size=2)").instance("R"))
    with pytest.raises(unriddle.Refused, match="there are 5 generators: expected 6"):
        Alignment(group, group.generators[:5], group.central)
    with pytest.raises(unriddle.Refused, match="are not those of `cube.size=2.`"):
        Alignment(group, np.roll(group.generators, 1, axis=1), group.central)
    # Names decide, and wrong ones are not overruled.
    named = Alignment(group, group.generators, group.central, group.names)
    assert named.chosen == list(range(6))
    wrong = [*group.names[1:], group.names[0]]
    with pytest.raises(unriddle.Refused, match="are not those of"):
        Alignment(group, group.generators, group.central, wrong)
    aligned = Alignment(group, group.generators, group.central)
    with pytest.raises(unriddle.Refused, match="array 0 is no state of these generators"):
        aligned.rows(np.zeros(21))
    row = group.space.start()
    row[6] = 0
    with pytest.raises(unriddle.Refused, match="row 0: byte 6 is 0"):
        aligned.states(row)
