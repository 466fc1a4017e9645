"""States of an instance as arrays of numpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native

States = NDArray[np.uint8]
"""States: a byte array whose last axis is a row of `Space.width` bytes."""


class Space:
    """The states of an instance.

    A state is a row of `width` bytes. Each byte is below `values`: it is the class of one group of
    the one-hot input of the puzzle's networks. What the bytes mean is in the documentation of the
    puzzle: for sliding tiles, the tile of each cell. All arrays of states may have any number of
    axes before the last one. Calls release the global interpreter lock.

    >>> import unriddle
    >>> space = unriddle.puzzle("tiles").instance("1 2 3  4 5 6  0 7 8").space
    >>> space.width, space.values, space.actions
    (9, 9, 4)
    >>> children, legal, costs = space.expand(space.start())
    >>> legal
    array([False,  True,  True, False])
    >>> children[1]
    array([1, 2, 3, 4, 5, 6, 7, 0, 8], dtype=uint8)
    """

    __slots__ = ("_native",)

    def __init__(self, puzzle: str, instance: str) -> None:
        self._native = _native.Space(puzzle, instance)

    @property
    def puzzle(self) -> str:
        """Spec of the puzzle."""
        return self._native.puzzle

    @property
    def width(self) -> int:
        """Length of a row, in bytes."""
        return self._native.width

    @property
    def values(self) -> int:
        """Number of values of a byte."""
        return self._native.values

    @property
    def board(self) -> tuple[int, int] | None:
        """Rows and columns of the board whose cells the bytes are, or `None`."""
        return self._native.board

    @property
    def actions(self) -> int:
        """Number of different actions of all states together."""
        return self._native.actions

    def start(self) -> States:
        """The initial state of the instance: uint8 `[width]`."""
        return self._native.start()

    @overload
    def parse(self, instances: str) -> States: ...
    @overload
    def parse(self, instances: Iterable[str]) -> States: ...
    def parse(self, instances: str | Iterable[str]) -> States:
        """The initial states of instances of this space: uint8 `[width]` for one text, `[n, width]`
        for several."""
        if isinstance(instances, str):
            first: States = self._native.parse([instances])[0]
            return first
        return self._native.parse(list(instances))

    def text(self, states: States) -> Any:
        """The text of a state, an instance that begins there; a list for several states."""
        states = _contiguous(states)
        texts = self._native.text(states)
        return texts[0] if states.ndim == 1 else texts

    def line(self, state: States, actions: Sequence[int]) -> str:
        """The solution text of actions, by their numbers, from one state."""
        return self._native.line(_contiguous(state), [int(action) for action in actions])

    def expand(self, states: States) -> tuple[States, NDArray[np.bool_], NDArray[np.uint32]]:
        """The children of states of shape `[…, width]`.

        Returns the children, uint8 `[…, actions, width]`, whether each action is legal, bool
        `[…, actions]`, and the costs of the actions, uint32 `[…, actions]`. Entries of illegal
        actions are 0. A row that no state has raises `Refused`.
        """
        return self._native.expand(_contiguous(states))

    def legal(self, states: States) -> NDArray[np.bool_]:
        """Whether each action is legal: bool `[…, actions]`."""
        return self._native.legal(_contiguous(states))

    def apply(self, states: States, actions: ArrayLike) -> States:
        """The states after one action each. `actions` has the shape of `states` without the last
        axis. An illegal action raises `Refused`."""
        return self._native.apply(_contiguous(states), np.asarray(actions, np.uint16, order="C"))

    def is_goal(self, states: States) -> NDArray[np.bool_]:
        """Whether each state is a goal: bool `[…]`."""
        return self._native.is_goal(_contiguous(states))

    def features(self, states: States) -> NDArray[np.int32]:
        """Active indices of the one-hot input of networks: int32 `[…, width]`, each below
        `width * values`; the form of `torch.nn.EmbeddingBag`."""
        return self._native.features(_contiguous(states))

    def one_hot(self, states: States) -> NDArray[np.float32]:
        """The one-hot input of networks: float32 `[…, width * values]`."""
        hot = np.asarray(states)[..., None] == np.arange(self.values, dtype=np.uint8)
        flat: NDArray[np.float32] = hot.reshape(*states.shape[:-1], -1).astype(np.float32)
        return flat

    def random_walk(self, n: int, steps: ArrayLike, seed: int = 0) -> States:
        """The states after `n` random walks back from a goal, which do not undo their last step:
        uint8 `[n, width]`. `steps` is one number, or a number for each walk."""
        lengths = np.broadcast_to(np.asarray(steps, np.uint64), (n,))
        return self._native.random_walk(np.ascontiguousarray(lengths), seed)

    def __repr__(self) -> str:
        return f"Space({self.puzzle!r}, width={self.width}, actions={self.actions})"


def _contiguous(states: States) -> States:
    """The array itself where its rows lie one after another, or else a copy."""
    return np.asarray(states, order="C")
