"""Actions of a puzzle as permutations.

The states of Rubik's cube and of Lights Out are moved by a group: an action has the same effect in
every state. `Group` reads that effect off the children of states and writes it as permutations.

>>> import unriddle
>>> from unriddle.groups import Group
>>> group = Group(unriddle.puzzle("lightsout").instance("110/010/111"))
>>> group.size, group.names[:2], group.central[:4]
(18, ['0,0', '0,1'], array([1, 0, 1, 0]))
>>> group.states(group.space.start())[:4]
array([0, 1, 0, 1])
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import Refused
from .puzzle import Instance
from .space import States

Numbers = NDArray[np.int64]
"""States of a group, or permutations: an array whose last axis has `Group.size` numbers."""

ELEMENTS = 1 << 24
"""Elements of an array of children at most."""
SAMPLES = 1024
"""Random states whose children are compared at most."""


@dataclass
class _Effect:
    """The effect of each action: byte `i` of a child is `maps[action, i, b]`, where `b` is byte
    `sources[action, i]` of its parent."""

    sources: Numbers
    maps: Numbers
    """-1 for bytes that the source never has."""
    reached: NDArray[np.bool_]
    """Whether some state has a byte with a value: `[width, values]`."""


class Group:
    """The permutations of an instance's actions.

    A state is an array of `size` numbers, and action `a` turns `state` into
    `state[generators[a]]`. `central` is the goal. The numbers are the bytes of a row where actions
    only exchange bytes. Where they change the bytes, there is a number for each value of a byte:
    which of the bytes has it, or 0. So a state of the cube has a number for each position and
    orientation of a piece: the piece that is there.

    Raises `Refused` for an instance whose actions are no permutations: an action that is legal in
    some states only, several goals, or different costs.
    """

    def __init__(self, instance: Instance, *, seed: int = 0) -> None:
        self.space = instance.space
        """The states as rows."""
        goals = np.unique(self.space.random_walk(16, 0, seed), axis=0)
        if len(goals) > 1:
            raise self._refused("it has several goals: expected one")
        self._goal: States = goals[0]
        cells = self.space.actions * self.space.width
        self._chunk = max(1, ELEMENTS // cells)
        count = min(max(16, self._chunk), SAMPLES)
        effect = self._effect(self._walks(count, seed))
        self._close(effect)
        self._verify(effect, self._walks(count, seed + 1))
        self._number(effect)
        self.names: list[str] = [
            self.space.line(self._goal, [action]) for action in range(self.space.actions)
        ]
        """The actions in the puzzle's notation."""

    @property
    def size(self) -> int:
        """Length of a state."""
        return len(self.central)

    def states(self, rows: States) -> Numbers:
        """The states of rows: int64 `[…, size]`. A row that no action leads to raises `Refused`."""
        rows = np.asarray(rows)
        at = self.look_up(rows)
        flat = rows.reshape(-1, self.space.width)
        if self._is_direct:
            found = self._ranks[flat[:, self._kept]]
        else:
            found = np.full((len(flat), self.size), self._empty)
            found[np.arange(len(flat))[:, None], at[:, self._kept]] = self._labels
        return found.reshape(*rows.shape[:-1], self.size)

    def rows(self, states: ArrayLike) -> States:
        """The rows of states: uint8 `[…, width]`. Inverse of `states`."""
        states = np.asarray(states, np.int64)
        if states.shape[-1:] != (self.size,):
            raise Refused(
                f"states have shape {list(states.shape)}: expected {self.size} on the last axis"
            )
        flat = states.reshape(-1, self.size)
        rows: States = np.tile(self._goal, (len(flat), 1))
        if self._is_direct:
            rows[:, self._kept] = self._values[np.clip(flat, 0, len(self._values) - 1)]
        else:
            for byte, label, (first, last) in zip(
                self._kept, self._labels, self._ranges, strict=True
            ):
                rows[:, byte] = self._values[first + (flat[:, first:last] == label).argmax(1)]
        wrong = np.flatnonzero((self.states(rows) != flat).any(1))
        if len(wrong) > 0:
            raise Refused(f"array {wrong[0]} is no state of this group")
        return rows.reshape(*states.shape[:-1], self.space.width)

    def look_up(self, rows: States) -> Numbers:
        """The position of each byte's value among the numbers of a state: int64 `[n, width]`. A
        byte that no state has which is reached from the goal raises `Refused`."""
        if rows.shape[-1:] != (self.space.width,):
            raise Refused(
                f"rows have shape {list(rows.shape)}: expected {self.space.width} bytes on the "
                "last axis"
            )
        flat = rows.reshape(-1, self.space.width)
        known = np.minimum(flat, self.space.values - 1)
        at = self._places[np.arange(self.space.width), known]
        at[known != flat] = -1
        if (at < 0).any():
            row, byte = np.argwhere(at < 0)[0]
            raise Refused(
                f"row {row}: byte {byte} is {flat[row, byte]}: "
                "no state that is reached from the goal has this byte"
            )
        return at

    def _refused(self, why: str) -> Refused:
        return Refused(f"the actions of `{self.space.puzzle}` are no permutations: {why}")

    def _walks(self, count: int, seed: int) -> States:
        """The goal and states after random walks."""
        walks = self.space.random_walk(count - 1, np.arange(count - 1) % 128, seed)
        return np.concatenate([self._goal[None], walks])

    def _children(self, rows: States) -> States:
        """The children of rows by all actions."""
        children, legal, costs = self.space.expand(rows)
        if not legal.all():
            row, action = np.argwhere(~legal)[0]
            raise self._refused(
                f"action {action} is not legal in the state {self.space.text(rows[row])!r}"
            )
        if (costs != costs.flat[0]).any():
            raise self._refused(f"they cost {costs.min()} to {costs.max()}: expected equal costs")
        return children

    def _effect(self, rows: States) -> _Effect:
        """Which byte of the parent decides each byte of the child, by the examples of `rows`."""
        width, values, actions = self.space.width, self.space.values, self.space.actions
        children = self._children(rows[: self._chunk])
        rows = rows[: len(children)]
        sources = np.tile(np.arange(width), (actions, 1))
        for action in range(actions):
            after = children[:, action]
            is_own = _are_bijective(rows, after)
            free = set(np.flatnonzero(~is_own).tolist())
            for byte in np.flatnonzero(~is_own):
                others = np.array(sorted(free))
                example = np.repeat(after[:, byte : byte + 1], len(others), 1)
                fits = others[_are_bijective(rows[:, others], example)]
                if len(fits) == 0:
                    raise self._refused(
                        f"byte {byte} after action {action} depends on more than one byte"
                    )
                sources[action, byte] = fits[0]
                free.remove(int(fits[0]))
        maps = np.full((actions, width, values), -1)
        return _Effect(sources, maps, np.zeros((width, values), np.bool_))

    def _close(self, effect: _Effect) -> None:
        """Enters the effects on all bytes that states have. Each round looks at states with bytes
        that are new."""
        width, values, actions = self.space.width, self.space.values, self.space.actions
        bytes_ = np.arange(width)
        effect.reached[bytes_, self._goal] = True
        rows = self._goal[None]
        while len(rows) > 0:
            new: list[States] = []
            for part in np.array_split(rows, -(-len(rows) // self._chunk)):
                children = self._children(part)
                for action in range(actions):
                    source = part[:, effect.sources[action]]
                    effect.maps[action, bytes_, source] = children[:, action]
                flat = children.reshape(-1, width)
                at = np.argwhere(~effect.reached[bytes_, flat])
                points = at[:, 1] * values + flat[at[:, 0], at[:, 1]]
                _, first = np.unique(points, return_index=True)
                effect.reached.reshape(-1)[points] = True
                new.append(flat[np.unique(at[first, 0])])
            rows = np.concatenate(new)

    def _verify(self, effect: _Effect, rows: States) -> None:
        """Compares the effects with the children of further states."""
        bytes_ = np.arange(self.space.width)
        for part in np.array_split(rows, -(-len(rows) // self._chunk)):
            children = self._children(part)
            for action in range(self.space.actions):
                source = part[:, effect.sources[action]]
                if (effect.maps[action, bytes_, source] != children[:, action]).any():
                    raise self._refused(f"action {action} has different effects in two states")

    def _number(self, effect: _Effect) -> None:
        """Chooses the numbers of states, and writes the actions as permutations of them."""
        width, values = self.space.width, self.space.values
        bytes_ = np.arange(width)
        is_moved = (effect.sources != bytes_).any(0)
        is_changed = (
            (effect.maps != np.arange(values)) & effect.reached[effect.sources]
        ).any((0, 2))
        self._is_direct = not is_changed.any()
        self._kept = np.flatnonzero(is_moved | is_changed)
        self._places = np.where(effect.reached, 0, -1)
        if self._is_direct:
            new = np.full(width, -1)
            new[self._kept] = np.arange(len(self._kept))
            generators = new[effect.sources[:, self._kept]]
            present = np.unique(self._goal[self._kept])
            self._values = present.astype(np.uint8)
            self._ranks = np.searchsorted(present, np.arange(values))
        else:
            generators = self._blocks(effect, bool(is_moved.any()))
        self.generators: Numbers = generators
        """The permutation of each action: int64 `[actions, size]`."""
        self.central: Numbers = np.zeros(generators.shape[1], np.int64)
        """The goal: int64 `[size]`."""
        self.central = self.states(self._goal)
        if (np.sort(generators) != np.arange(self.size)).any():
            raise self._refused("two bytes after an action depend on the same byte")

    def _blocks(self, effect: _Effect, moves: bool) -> Numbers:
        """A block of numbers for the values of a byte; bytes that all actions change in the same
        way share one."""
        width, values = self.space.width, self.space.values
        places = np.full((width, values), -1)
        labels = np.zeros(width, np.int64)
        blocks: dict[bytes, tuple[int, int, list[int]]] = {}
        owners: list[int] = []
        self._ranges: list[tuple[int, int]] = []
        held: list[NDArray[np.int64]] = []
        size = 0
        for byte in self._kept:
            # Bytes that change places, or that are equal in the goal, have a block each.
            key = effect.maps[:, byte].tobytes() + effect.reached[byte].tobytes()
            _, _, sharers = blocks.get(key, (0, 0, []))
            if moves or any(self._goal[other] == self._goal[byte] for other in sharers):
                key += bytes([0]) + int(byte).to_bytes(4, "little")
            has = np.flatnonzero(effect.reached[byte])
            if key not in blocks:
                blocks[key] = (size, size + len(has), [])
                owners += [int(byte)] * len(has)
                held.append(has)
                size += len(has)
            first, last, sharers = blocks[key]
            sharers.append(int(byte))
            labels[byte] = len(sharers)
            places[byte, has] = np.arange(first, last)
            self._ranges.append((first, last))
        self._values = np.concatenate(held).astype(np.uint8)
        generators = np.tile(np.arange(size), (self.space.actions, 1))
        # A number of the child comes from the number that its source has before.
        targets = np.argsort(effect.sources, axis=1)[:, owners]
        for action, target in enumerate(targets):
            after = effect.maps[action, target, self._values]
            generators[action, places[target, after]] = np.arange(size)
        self._places = np.where(effect.reached & (places < 0), 0, places)
        # Labels are below the number of different numbers: a full block has no 0.
        central = np.zeros(size, np.int64)
        central[places[self._kept, self._goal[self._kept]]] = labels[self._kept]
        present = np.unique(central)
        self._labels = np.searchsorted(present, labels[self._kept])
        self._empty = int(np.searchsorted(present, 0))
        return generators


def _are_bijective(before: States, after: States) -> NDArray[np.bool_]:
    """Whether in each column the two bytes decide each other in all examples."""
    columns = np.arange(before.shape[1])
    found = np.ones(len(columns), np.bool_)
    for one, other in ((before, after), (after, before)):
        image = np.zeros((len(columns), 256), np.uint8)
        image[columns, one] = other
        found &= (image[columns, one] == other).all(0)
    return found
