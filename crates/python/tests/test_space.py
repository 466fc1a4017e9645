"""States as arrays."""

import time

import numpy as np
import pytest

import unriddle

BOARD = "1 2 3  4 5 6  0 7 8"

SPACES = {
    "tiles": BOARD,
    "tiles(goal=blank-first)": "1 2 5  3 0 4  6 7 8",
    "lightsout": "110/010/111",
    "cube": "R U F2",
    "cube(size=2)": "R U F2",
    "sokoban": "#######\n#.$ @ #\n#  $. #\n#     #\n#######",
    "sokoban(measure=moves)": "#######\n#.$ @ #\n#  $. #\n#     #\n#######",
}


def space_of(spec: str) -> unriddle.Space:
    return unriddle.puzzle(spec).instance(SPACES[spec]).space


@pytest.mark.parametrize("spec", SPACES)
def test_children_are_states_that_are_read_back(spec: str) -> None:
    space = space_of(spec)
    start = space.start()
    assert start.dtype == np.uint8 and start.shape == (space.width,)
    states = np.concatenate([start[None], space.random_walk(50, 10, seed=1)])
    children, legal, costs = space.expand(states)
    assert children.shape == (51, space.actions, space.width)
    assert legal.dtype == np.bool_ and costs.dtype == np.uint32
    assert (legal == space.legal(states)).all() and legal.any(axis=1).all()
    assert (costs[legal] > 0).all() and (costs[~legal] == 0).all()
    rows, actions = np.nonzero(legal)
    assert (space.apply(states[rows], actions) == children[legal]).all()
    # A state's text is an instance that begins there.
    assert (space.parse(space.text(states)) == states).all()
    assert (states < space.values).all()
    hot = space.one_hot(states)
    assert hot.shape == (51, space.width * space.values) and (hot.sum(axis=1) == space.width).all()
    assert (np.take_along_axis(hot, space.features(states).astype(np.int64), 1) == 1).all()


def test_axes_before_the_last_are_kept() -> None:
    space = space_of("tiles")
    states = space.random_walk(12, 5).reshape(2, 3, 2, 9)
    children, legal, _ = space.expand(states)
    assert children.shape == (2, 3, 2, 4, 9) and legal.shape == (2, 3, 2, 4)
    assert space.is_goal(states).shape == (2, 3, 2)
    # Every second row of an array is copied, and read all the same.
    assert (space.legal(states[:, ::2]) == legal[:, ::2]).all()


def test_walks_depend_on_their_seed_and_end_where_they_are_solved() -> None:
    space = space_of("tiles")
    assert space.is_goal(space.random_walk(4, 0)).all()
    walks = space.random_walk(100, np.arange(100), seed=5)
    assert (walks == space.random_walk(100, np.arange(100), seed=5)).all()
    assert (walks != space.random_walk(100, np.arange(100), seed=6)).any()
    record = unriddle.puzzle("tiles").instance(space.text(walks[9])).solve("optimal")
    assert record.status == "optimal" and record.value <= 9 and record.value % 2 == 1


def test_actions_make_a_solution() -> None:
    instance = unriddle.puzzle("tiles").instance(BOARD)
    space = instance.space
    _, legal, _ = space.expand(space.start())
    left = 1
    assert legal[left]
    assert space.line(space.start(), [left, left]) == "LL"
    assert instance.check("LL") == (2, 2)


def test_wrong_arrays_are_refused() -> None:
    space = space_of("tiles")
    wrong = [
        (np.zeros((2, 9), np.uint8), "row 0: bytes 0 and 1 are both 0"),
        (np.arange(1, 10, dtype=np.uint8), "row 0: byte 8 is 9: expected 0 to 8"),
        (np.zeros((2, 16), np.uint8), r"shape \[2, 16\]: expected 9 bytes on the last axis"),
    ]
    for states, message in wrong:
        with pytest.raises(unriddle.Refused, match=message):
            space.expand(states)
    with pytest.raises(TypeError):
        space.expand(np.zeros((2, 9), np.float64))
    with pytest.raises(unriddle.Refused, match="row 0: action 0 is not legal"):
        space.apply(space.start(), 0)
    with pytest.raises(unriddle.Refused, match="actions have shape"):
        space.apply(space.start()[None], [1, 2])
    with pytest.raises(unriddle.Refused, match="instance 1: its rows have 16 bytes: expected 9"):
        space.parse([BOARD, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"])
    level = space_of("sokoban")
    moved = level.start()
    moved[0] = 1
    with pytest.raises(unriddle.Refused, match="byte 0 is 1: the level has 0 there"):
        level.legal(moved)
    cube = space_of("cube").start()
    cube[0] = cube[1]
    with pytest.raises(unriddle.Refused, match="bytes 0 and 1: two pieces at the same position"):
        space_of("cube").is_goal(cube)
    with pytest.raises(unriddle.Refused, match="declares no rows"):
        unriddle.puzzle("hanoi").instance("1 1 1").space


def test_expand_is_far_faster_than_objects() -> None:
    """No figure of time is asserted but the ratio, which is far away from its bar."""
    space = unriddle.puzzle("tiles").generate("uniform(4)").space
    states = space.random_walk(100_000, 100)
    space.expand(states)
    begun = time.thread_time()
    space.expand(states)
    arrays = time.thread_time() - begun

    class Board:
        def __init__(self, tiles: list[int]) -> None:
            self.tiles = tiles

    def children(board: Board) -> list[Board]:
        blank = board.tiles.index(0)
        row, column = divmod(blank, 4)
        found = []
        for down, right in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            if 0 <= row + down < 4 and 0 <= column + right < 4:
                other = blank + 4 * down + right
                tiles = board.tiles.copy()
                tiles[blank], tiles[other] = tiles[other], tiles[blank]
                found.append(Board(tiles))
        return found

    boards = [Board(row) for row in states[:5000].tolist()]
    begun = time.thread_time()
    for board in boards:
        children(board)
    objects = (time.thread_time() - begun) * len(states) / len(boards)
    print(f"{len(states) / arrays / 1e6:.1f} million states a second, {objects / arrays:.0f} times")
    assert objects > 2 * arrays
