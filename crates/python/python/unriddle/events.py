"""Events of a solve that is under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Improved:
    """A better solution was found."""

    value: int
    """Its cost or score."""
    length: int
    """Number of its actions."""
    solution: str
    """The solution in the puzzle's notation."""
    expanded: int
    """Expanded states at that time."""
    seconds: float
    """Seconds since the solve began."""


@dataclass(frozen=True)
class Bound:
    """A better bound was proved."""

    bound: int
    """The bound."""
    upper: bool
    """Whether it is an upper bound of a score."""
    expanded: int
    """Expanded states at that time."""
    seconds: float
    """Seconds since the solve began."""


@dataclass(frozen=True)
class Progress:
    """Counters of the solve."""

    expanded: int
    """Expanded states."""
    generated: int
    """Generated states."""
    seconds: float
    """Seconds since the solve began."""
    note: str | None = None
    """Current work, such as the building of a table."""


Event = Improved | Bound | Progress

_KINDS: dict[str, type[Event]] = {"improved": Improved, "bound": Bound, "stats": Progress}


def of_fields(fields: dict[str, Any]) -> Event | None:
    """The event of the fields of a job's event; `None` for an event that is none of a solve."""
    kind = _KINDS.get(fields.get("kind", ""))
    if kind is None:
        return None
    values = {name: value for name, value in fields.items() if name != "kind"}
    event: Event = kind(**values)
    return event
