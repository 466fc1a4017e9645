"""Puzzles, instances and solves."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .events import Event, of_fields
from .record import Record
from .space import Space

Function = Callable[[NDArray[np.uint8]], Any]
"""A function from states, uint8 `[n, width]`, to estimates: float32 `[n]` for a heuristic, float32
`[n, actions]` for a policy. Any array, tensor or list that numpy reads will do."""


COSTS = 1_000_000
"""Costs that `Instance.estimator` keeps at most."""


def _ask(verb: str, **fields: Any) -> dict[str, Any]:
    given = {name: value for name, value in fields.items() if value is not None}
    answer: dict[str, Any] = json.loads(_native.ask(verb, json.dumps(given)))
    return answer


def _cache() -> str | None:
    """Folder of tables: `UNRIDDLE_CACHE`, or the folder of the command line."""
    given = os.environ.get("UNRIDDLE_CACHE")
    if given is not None:
        return given or None
    base = os.environ.get("XDG_CACHE_HOME")
    home = Path(base) if base else Path.home() / ".cache"
    return str(home / "unriddle")


def puzzles() -> list[dict[str, Any]]:
    """The puzzles: their names, parameters, generators and presets."""
    found: list[dict[str, Any]] = _ask("puzzles")["puzzles"]
    return found


def puzzle(spec: str) -> Puzzle:
    """The puzzle of a spec, such as `tiles` or `sokoban(measure=moves)`.

    >>> puzzle("samegame(score=square-1)").spec
    'samegame(score=square-1)'
    """
    return Puzzle(spec)


class Puzzle:
    """A puzzle with its parameters."""

    __slots__ = ("spec",)

    def __init__(self, spec: str) -> None:
        _ask("expressions", puzzle=spec)
        self.spec = spec
        """Its spec."""

    def _of(self, answer: dict[str, Any]) -> list[Instance]:
        return [Instance(self, one["instance"], one.get("name")) for one in answer["instances"]]

    def instance(self, text: str) -> Instance:
        """The instance of a text, in any notation that the puzzle reads."""
        found = self.instances(text)
        if len(found) != 1:
            raise _native.Refused(f"expected one instance, found {len(found)}")
        return found[0]

    def instances(self, text: str) -> list[Instance]:
        """The instances of the text of a file."""
        return self._of(_ask("load", puzzle=self.spec, text=text))

    def load(self, path: str | os.PathLike[str]) -> list[Instance]:
        """The instances of a file."""
        return self.instances(Path(path).read_text(encoding="utf-8"))

    def deal(self, number: int) -> Instance:
        """The instance of a number, for puzzles with numbered deals."""
        return self._of(_ask("deal", puzzle=self.spec, number=number))[0]

    def generate(self, generator: str | None = None, *, seed: int = 0) -> Instance:
        """A random instance by a generator's spec, or by the puzzle's first generator."""
        answer = _ask("generate", puzzle=self.spec, generator=generator, seed=seed)
        return self._of(answer)[0]

    def solvers(self) -> list[dict[str, Any]]:
        """Searches, heuristics and play-outs that a solver's spec may name."""
        found: list[dict[str, Any]] = _ask("expressions", puzzle=self.spec)["expressions"]
        return found

    def validate(
        self, text: str | Iterable[str], solver: str | None = None, *, time: float | None = None
    ) -> list[dict[str, Any]]:
        """Reports for designers on the instances of a text, or on several instances."""
        if not isinstance(text, str):
            text = "\n\n".join(text)
        job = {"kind": "validate", "puzzle": self.spec, "text": text, "seconds": time}
        return [event["validation"] for event in _events(job, solver) if "validation" in event]

    def __repr__(self) -> str:
        return f"Puzzle({self.spec!r})"


class Instance:
    """An instance of a puzzle."""

    __slots__ = ("_space", "name", "puzzle", "text")

    def __init__(self, puzzle: Puzzle, text: str, name: str | None = None) -> None:
        self.puzzle = puzzle
        """Its puzzle."""
        self.text = text
        """Its text in the puzzle's standard form."""
        self.name = name
        """Its name in its file, if it has one."""
        self._space: Space | None = None

    def presets(self) -> list[tuple[str, str]]:
        """The presets that fit it, each with its solver's spec; the first is the default."""
        (found,) = _ask("load", puzzle=self.puzzle.spec, text=self.text)["instances"]
        return [(one["name"], one["solver"]) for one in found["presets"] if one["solver"]]

    @property
    def space(self) -> Space:
        """Its states as arrays. Raises `Refused` for a puzzle that declares no rows."""
        if self._space is None:
            self._space = Space(self.puzzle.spec, self.text)
        return self._space

    def begin(
        self,
        solver: str | None = None,
        *,
        heuristic: Function | None = None,
        policy: Function | None = None,
        time: float | None = None,
        expansions: int | None = None,
        memory: int | None = None,
        seed: int = 0,
        threads: int = 1,
        known: str | None = None,
    ) -> Solve:
        """Begins a solve, whose events can be read while it runs.

        `solver` is a solver's spec or the name of a preset. A solver that names the heuristic
        `callable` calls `heuristic` or `policy`, which get the states of a whole batch. `time` is
        in seconds, `memory` in bytes; without limits the search ends by itself. `known` is a known
        solution, with which solvers that improve solutions begin.
        """
        job = {
            "kind": "solve",
            "puzzle": self.puzzle.spec,
            "instance": self.text,
            "seconds": time,
            "expansions": expansions,
            "memory": memory,
            "seed": seed,
            "known": known,
        }
        actions = 0 if policy is None else self.space.actions
        return Solve(
            _job(
                job,
                solver,
                threads=threads,
                memory=memory,
                heuristic=heuristic,
                policy=policy,
                actions=actions,
            )
        )

    def solve(self, solver: str | None = None, **options: Any) -> Record:
        """Solves it, with the options of `begin`, and returns the checked record.

        Ctrl-C ends the solve; the `KeyboardInterrupt`, like an exception of a function that
        estimates states, has the record of the best solution so far as its attribute `record`.
        """
        return self.begin(solver, **options).finish()

    def solve_iter(self, solver: str | None = None, **options: Any) -> Iterator[Event | Record]:
        """The events of a solve while it runs, and its record at the end."""
        solve = self.begin(solver, **options)
        yield from solve
        yield solve.finish()

    def estimator(self, solver: str | None = None, **options: Any) -> Function:
        """A function from states of its space, uint8 `[n, width]`, to costs, float32 `[n]`, which
        a solver finds: true costs where it proves optima.

        `options` are those of `begin`. A state that a limit left unsolved has the lower bound of
        its record: with `expansions=1`, the estimate of the solver's heuristic. A state without a
        solution has an infinite cost. Known costs are kept, at most `COSTS` of them.
        """
        # The spec of a preset saves a look-up for each state.
        presets = dict(self.presets())
        spec = presets.get(solver, solver) if solver else next(iter(presets.values()))
        known: dict[bytes, float] = {}

        def cost(text: str) -> float:
            record = Instance(self.puzzle, text).solve(spec, **options)
            if record.is_solved:
                return float(record["value"])
            if record.status == "unsolvable":
                return float("inf")
            if record.lower_bound is None:
                raise ValueError(f"{spec!r} has no cost and no lower bound of {text!r}")
            return float(record.lower_bound)

        def costs(states: NDArray[np.uint8]) -> NDArray[np.float32]:
            keys = [row.tobytes() for row in states]
            new = {key: at for at, key in enumerate(keys) if key not in known}
            if len(known) + len(new) > COSTS:
                known.clear()
                new = {key: at for at, key in enumerate(keys)}
            texts = self.space.text(states[list(new.values())]) if new else []
            known.update(zip(new, map(cost, texts), strict=True))
            return np.array([known[key] for key in keys], np.float32)

        return costs

    def improve(self, known: str, solver: str | None = None, **options: Any) -> Record:
        """Improves a known solution: by shorter ways through the states near it (`windows`), by
        playing the end of a score puzzle again (`lns(nrpa)`), or by another solver that begins with
        a solution. A wrong solution raises `Refused`."""
        self.check(known)
        if solver is None:
            aims = {one["name"]: one["aim"] for one in puzzles()}
            is_score = aims.get(_name(self.puzzle.spec)) == "score"
            solver = "lns(nrpa)" if is_score else f"windows({self.presets()[0][1]})"
        return self.solve(solver, known=known, **options)

    def review(
        self, line: str, solver: str | None = None, *, time: float | None = None
    ) -> dict[str, Any]:
        """Judges each action of a played line: whether the position can still be solved, how many
        actions are left, which action lost it, and better ones."""
        job = {
            "kind": "review",
            "puzzle": self.puzzle.spec,
            "instance": self.text,
            "line": line,
            "seconds": time,
        }
        review: dict[str, Any] = {}
        for event in _events(job, solver):
            review = event.get("review", review)
        return review

    def check(self, solution: str) -> tuple[int, int]:
        """Replays a solution by the independent checker: its value and number of actions. A wrong
        solution raises `Refused`."""
        return _native.check(self.puzzle.spec, self.text, solution)

    def position(self, line: str) -> Instance:
        """The instance that begins after a line of actions."""
        fields = {"puzzle": self.puzzle.spec, "instance": self.text, "line": line}
        return Instance(self.puzzle, _ask("position", **fields)["instance"])

    def structure(
        self, record: Record, solver: str = "optimal", *, states: int = 10_000
    ) -> dict[str, Any]:
        """Figures of the states around the solution of a record: the choice of actions along it
        (`branching`), the actions beside it that lose (`beside`), the number of optimal solutions.
        Each figure enumerates `states` states at most; a figure that needs more is `None`."""
        if record.solution is None:
            raise ValueError("the record has no solution")
        optimum = record.value if record.status == "optimal" else None
        text = _native.structure(
            self.puzzle.spec, self.text, solver, record.solution, optimum=optimum, states=states
        )
        found: dict[str, Any] = json.loads(text)
        return found

    def frames(self, line: str = "") -> list[str]:
        """Drawings (SVG) of the positions along a line of actions."""
        answer = _ask("frames", puzzle=self.puzzle.spec, instance=self.text, line=line)
        return [frame["svg"] for frame in answer["frames"]]

    def draw(self) -> str:
        """Its drawing (SVG)."""
        return self.frames()[0]

    def film(self, line: str, seconds: float = 0.5) -> str:
        """An animated drawing (SVG) of a line of actions, with `seconds` for each."""
        fields = {"puzzle": self.puzzle.spec, "instance": self.text, "line": line}
        svg: str = _ask("film", **fields, seconds=seconds)["svg"]
        return svg

    def _repr_svg_(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"Instance({self.puzzle.spec!r}, {self.text!r})"


class Solve:
    """A solve that is under way, in a thread of its own. It is an iterator of its events."""

    __slots__ = ("_job", "_record")

    def __init__(self, job: _native.Job) -> None:
        self._job = job
        self._record: Record | None = None

    def __iter__(self) -> Iterator[Event]:
        for fields in _read(self._job, self._ended):
            event = of_fields(fields)
            if event is not None:
                yield event

    def _ended(self, fields: dict[str, Any]) -> None:
        record = fields.get("record")
        self._record = None if record is None else Record(record)

    def finish(self) -> Record:
        """Waits for the end and returns the record. An exception of a function that estimates
        states is raised again; its attribute `record` has the best solution so far."""
        try:
            for _ in self:
                pass
        except BaseException as error:
            self.cancel()
            if self._record is None:
                _drain(self._job, self._ended)
            # Exceptions of classes in C may have no attributes.
            with_record: Any = error
            try:
                with_record.record = self._record
            except AttributeError:
                pass
            raise
        if self._record is None:
            raise RuntimeError("the solve broke off without a record: a defect of the program")
        return self._record

    def cancel(self) -> None:
        """Ends the solve soon; `finish` returns the best solution so far."""
        self._job.cancel()


def _job(job: dict[str, Any], solver: str | None, **options: Any) -> _native.Job:
    given = {name: value for name, value in job.items() if value is not None}
    if solver is not None:
        # The name of a preset has no arguments; a search without arguments is no preset.
        is_preset = "(" not in solver and solver in _presets(job["puzzle"])
        given["preset" if is_preset else "solver"] = solver
    return _native.Job(json.dumps(given), cache=_cache(), **options)


def _presets(spec: str) -> list[str]:
    found = [one for one in puzzles() if one["name"] == _name(spec)]
    return [preset["name"] for one in found for preset in one["presets"]]


def _name(spec: str) -> str:
    """The name of a puzzle in its spec."""
    return spec.split("(")[0].strip()


def _read(
    job: _native.Job, ended: Callable[[dict[str, Any]], None]
) -> Iterator[dict[str, Any]]:
    """The events of a job up to its end. An error of the job raises `Refused`."""
    while (text := job.next()) is not None:
        fields: dict[str, Any] = json.loads(text)
        if fields["kind"] != "ended":
            yield fields
            continue
        ended(fields)
        if fields.get("error") is not None:
            # An exception of a function ended the job: it comes first.
            while job.next() is not None:
                pass
            raise _native.Refused(fields["error"]["message"])


def _drain(job: _native.Job, ended: Callable[[dict[str, Any]], None]) -> None:
    """Reads the events that are left, for the record among them."""
    try:
        for _ in _read(job, ended):
            pass
    except Exception:
        # The first exception is raised by the caller.
        pass


def _events(job: dict[str, Any], solver: str | None) -> Iterator[dict[str, Any]]:
    return _read(_job(job, solver), lambda _: None)
