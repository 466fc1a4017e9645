"""Puzzles as graphs of CayleyPy, and predictors for the searches of both.

CayleyPy searches graphs whose edges are permutations. `PuzzleGraph` is the graph of an instance
whose actions are permutations, such as Rubik's cube. Its numbers are those of `unriddle.groups`,
or those of a definition of CayleyPy's, whose published networks then guide our searches.

>>> import unriddle
>>> from unriddle.cayleypy import PuzzleGraph
>>> cube = unriddle.puzzle("cube(size=2)").instance("R U F")
>>> graph = PuzzleGraph(cube, device="cpu")
>>> graph.graph.bfs(max_diameter=3).layer_sizes
[1, 6, 27, 120]

A function of ours guides a beam of CayleyPy: here, the true costs by a solver with a proof.

>>> predictor = graph.predictor(cube.estimator("optimal"))
>>> result = graph.graph.beam_search(
...     start_state=graph.start(), predictor=predictor, beam_width=1, return_path=True)
>>> graph.solution(result.path), cube.check(graph.solution(result.path))
("F' U' R'", (3, 3))

A predictor of CayleyPy guides a search of ours.

>>> from cayleypy import Predictor
>>> heuristic = graph.heuristic(Predictor(graph.graph, "hamming"))
>>> cube.solve("bwas(callable, lambda=0.6, batch=100)", heuristic=heuristic).is_solved
True

The same cube by its 54 stickers, as CayleyPy defines it.

>>> from cayleypy import Puzzles
>>> cube = unriddle.puzzle("cube").instance("R U F")
>>> stickers = PuzzleGraph(cube, Puzzles.rubik_cube(3, "QTM"), device="cpu")
>>> stickers.start().shape
torch.Size([54])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from cayleypy import CayleyGraph, CayleyGraphDef, Predictor
from numpy.typing import NDArray

from ._native import Refused
from .alignment import Alignment
from .groups import Group
from .puzzle import Function, Instance
from .space import States


class PuzzleGraph:
    """The graph of an instance's space: `graph`, whose central state is the goal.

    Its generators are the actions in the order of their numbers. With `definition`, a
    `CayleyGraphDef`, they are the generators of that definition, and the numbers of states are its
    own: `unriddle.alignment` finds out which generator is which action. `options` are those of
    `CayleyGraph`, such as `device`. Raises `Refused` for an instance whose actions are no
    permutations, such as sliding tiles, or not those of the definition.
    """

    def __init__(
        self, instance: Instance, definition: Any | None = None, **options: Any
    ) -> None:
        self.instance = instance
        """The instance."""
        group = Group(instance)
        self.group: Group | Alignment = group
        """The actions as permutations."""
        self._actions = list(range(instance.space.actions))
        self._generators = self._actions
        if definition is None:
            definition = CayleyGraphDef.create(
                group.generators.tolist(),
                generator_names=group.names,
                central_state=group.central.tolist(),
                name=instance.puzzle.spec,
            )
        else:
            aligned = Alignment(
                group,
                definition.generators_permutations,
                definition.central_state,
                definition.generator_names,
            )
            self.group = aligned
            self._actions, self._generators = aligned.actions, aligned.chosen
        self.definition: Any = definition
        """The definition (`CayleyGraphDef`)."""
        self.graph: Any = CayleyGraph(self.definition, **options)
        """The graph (`CayleyGraph`)."""

    def start(self) -> Any:
        """The initial state of the instance: a tensor `[size]`."""
        return self.states(self.instance.space.start())

    def states(self, rows: States) -> Any:
        """The states of rows: an int64 tensor `[…, size]` on the graph's device."""
        return torch.as_tensor(self.group.states(rows), device=self.graph.device)

    def rows(self, states: Any) -> States:
        """The rows of states: uint8 `[…, width]`."""
        return self.group.rows(torch.as_tensor(states).cpu().numpy())

    def predictor(self, function: Function, *, actions: bool = False) -> Any:
        """A `Predictor` from a function of rows, such as `Instance.estimator` or a network.

        With `actions` the function returns an estimate for each action, as a policy of ours does:
        `Predictor.score_children` calls it once for each state.
        """
        outputs = self.instance.space.actions if actions else 1

        def estimates(states: Any) -> Any:
            found = function(self.rows(states))
            tensor = torch.as_tensor(found, dtype=torch.float32, device=states.device)
            return tensor[:, self._actions] if actions else tensor

        return Predictor(self.graph, _Model(estimates, outputs))

    def heuristic(
        self, predictor: Callable[[Any], Any], states: Callable[[States], Any] | None = None
    ) -> Function:
        """The argument `heuristic` of `Instance.solve` from a predictor.

        `states` makes the predictor's states of rows, for a predictor of another graph.
        """
        of_rows = states or self.states

        def estimates(rows: NDArray[np.uint8]) -> Any:
            with torch.no_grad():
                found = predictor(of_rows(rows))
            return torch.as_tensor(found).detach().cpu().float().numpy()

        return estimates

    def policy(
        self, predictor: Any, states: Callable[[States], Any] | None = None
    ) -> Function:
        """The argument `policy` of `Instance.solve` from a `Predictor`: its estimates of the
        children of each state."""
        order = self._generators
        return self.heuristic(lambda found: predictor.score_children(found)[:, order], states)

    def solution(self, path: Sequence[int], start: States | None = None) -> str:
        """The solution text of a path from a row, by default from the instance's start."""
        if path is None:
            raise Refused("the result has no path: expected a search with `return_path=True`")
        row = self.instance.space.start() if start is None else start
        return self.instance.space.line(row, [self._actions[number] for number in path])


class _Model:
    """A function of rows as a function of CayleyPy's states."""

    def __init__(self, function: Callable[[Any], Any], outputs: int) -> None:
        self.predict = function
        self.n_outputs = outputs
