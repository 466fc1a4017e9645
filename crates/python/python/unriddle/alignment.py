"""The permutations of a puzzle in the numbers of another program.

Programs about groups describe the cube by its stickers, each in an order of its own. `Alignment`
finds which of their permutations is which action, and the numbers of each state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import Refused
from .groups import Group, Numbers
from .space import States

SAMPLES = 4096
"""Random states that are compared at least."""
STEPS = 60
"""Steps to a random state at most."""
TRIES = 100
"""Assignments of actions to permutations that are compared at most."""
ROWS = 4096
"""Rows that are converted at once."""


class Alignment:
    """States of a group in the numbers of other generators, with the methods of `Group`.

    `generators` are permutations that turn `state` into `state[generator]`, one for each action in
    any order; `central` is the goal. Where `names` are the names of the actions, each permutation
    is the action of its name; or else the orders of the products of two permutations decide. An
    assignment that is a symmetry of the puzzle, such as a turn of the whole cube, serves as well.

    Raises `Refused` where the generators are not those of the puzzle.
    """

    def __init__(
        self,
        group: Group,
        generators: ArrayLike,
        central: ArrayLike,
        names: Sequence[str] = (),
        *,
        seed: int = 0,
    ) -> None:
        self.group = group
        self.space = group.space
        self.generators: Numbers = np.asarray(generators, np.int64)
        """The permutation of each generator: int64 `[actions, size]`."""
        self.central: Numbers = np.asarray(central, np.int64)
        """The goal: int64 `[size]`."""
        self.names = list(names)
        """The names of the generators."""
        if len(self.generators) != self.space.actions:
            raise Refused(
                f"there are {len(self.generators)} generators: expected {self.space.actions}, "
                f"the actions of `{self.space.puzzle}`"
            )
        for assigned in self._assignments():
            if self._fits(np.array(assigned), seed):
                return
        raise Refused(f"the generators are not those of `{self.space.puzzle}`")

    @property
    def size(self) -> int:
        """Length of a state."""
        return len(self.central)

    def states(self, rows: States) -> Numbers:
        """The states of rows: int64 `[…, size]`."""
        rows = np.asarray(rows)
        self.group.look_up(rows)
        found = self._numbers(rows.reshape(-1, self.space.width))
        unknown = np.flatnonzero((found < 0).any(1))
        if len(unknown) > 0:
            raise Refused(f"row {unknown[0]} is not reached from the goal")
        return found.reshape(*rows.shape[:-1], self.size)

    def rows(self, states: ArrayLike) -> States:
        """The rows of states: uint8 `[…, width]`. Inverse of `states`."""
        states = np.asarray(states, np.int64)
        if states.shape[-1:] != (self.size,):
            raise Refused(
                f"states have shape {list(states.shape)}: expected {self.size} on the last axis"
            )
        flat = states.reshape(-1, self.size)
        # Bytes that no action changes are those of the goal.
        rows: States = np.tile(self.group.rows(self.group.central), (len(flat), 1))
        columns = np.ascontiguousarray(flat.T)
        is_moved = (self.generators != np.arange(self.size)).any(0)
        for byte, value in np.argwhere((self._table >= 0).any(2)):
            numbers = self._table[byte, value]
            known = np.flatnonzero((numbers >= 0) & is_moved)
            rows[(columns[known] == numbers[known, None]).all(0), byte] = value
        wrong = np.flatnonzero((self._numbers(rows) != flat).any(1))
        if len(wrong) > 0:
            raise Refused(f"array {wrong[0]} is no state of these generators")
        return rows.reshape(*states.shape[:-1], self.space.width)

    def _numbers(self, flat: States) -> Numbers:
        """The states of rows; -1 for numbers that no byte decides."""
        found = np.empty((len(flat), self.size), np.int64)
        for first in range(0, len(flat), ROWS):
            part = flat[first : first + ROWS]
            found[first : first + ROWS] = self._table[np.arange(self.space.width), part].max(1)
        return found

    def _assignments(self) -> Iterator[list[int]]:
        """Generators of the actions, in the order of the actions."""
        if sorted(self.names) == sorted(self.group.names):
            yield [self.names.index(name) for name in self.group.names]
            return
        ours, theirs = _orders(self.group.generators), _orders(self.generators)

        def extend(chosen: list[int]) -> Iterator[list[int]]:
            action = len(chosen)
            if action == len(ours):
                yield chosen
                return
            for one in range(len(theirs)):
                if one in chosen:
                    continue
                longer = [*chosen, one]
                if (theirs[one, longer] == ours[action, : action + 1]).all():
                    yield from extend(longer)

        yield from islice(extend([]), TRIES)

    def _walk(self, assigned: Numbers, seed: int) -> tuple[States, Numbers]:
        """Rows after random walks, and their states."""
        rng = np.random.default_rng(seed)
        count = max(SAMPLES, 100 * self.space.values)
        left = rng.integers(0, STEPS, count)
        ours = np.tile(self.group.central, (count, 1))
        theirs = np.tile(self.central, (count, 1))
        for step in range(STEPS):
            goes = np.flatnonzero(left > step)
            actions = rng.integers(self.space.actions, size=len(goes))
            turns = self.group.generators[actions]
            ours[goes] = np.take_along_axis(ours[goes], turns, 1)
            turns = self.generators[assigned[actions]]
            theirs[goes] = np.take_along_axis(theirs[goes], turns, 1)
        return self.group.rows(ours), theirs

    def _fits(self, assigned: Numbers, seed: int) -> bool:
        """Reads off the numbers that a byte decides, and compares them in further states."""
        rows, states = self._walk(assigned, seed)
        shape = (self.space.width, self.space.values, self.size)
        # Numbers of a state are below its length.
        kind = np.int16 if self.size < 1 << 15 else np.int32
        self._table: NDArray[Any] = np.full(shape, -1, kind)
        for byte in range(self.space.width):
            for value in np.unique(rows[:, byte]):
                examples = states[rows[:, byte] == value]
                is_decided = (examples == examples[0]).all(0)
                self._table[byte, value] = np.where(is_decided, examples[0], -1)
        self.actions: list[int] = np.argsort(assigned).tolist()
        """The action of each generator."""
        self.chosen: list[int] = assigned.tolist()
        """The generator of each action."""
        rows, states = self._walk(assigned, seed + 1)
        try:
            is_same = (self.states(rows) == states).all() and (self.rows(states) == rows).all()
        except Refused:
            return False
        return bool(is_same)


def _orders(generators: Numbers) -> Numbers:
    """The order of the product of each two permutations; on the diagonal, of each one."""
    count = len(generators)
    orders = np.zeros((count, count), np.int64)
    for one in range(count):
        for other in range(count):
            product = generators[one]
            if one != other:
                product = product[generators[other]]
            orders[one, other] = _order(product.tolist())
    return orders


def _order(permutation: list[int]) -> int:
    """The least number of repetitions that change nothing."""
    seen = [False] * len(permutation)
    lengths = set()
    for start in range(len(permutation)):
        length, at = 0, start
        while not seen[at]:
            seen[at] = True
            at, length = permutation[at], length + 1
        if length > 0:
            lengths.add(length)
    return int(np.lcm.reduce(sorted(lengths)))
