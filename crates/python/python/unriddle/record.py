"""Results of solves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Record(Mapping[str, Any]):
    """The checked result of a solve, with the fields of a record in a file of results.

    Fields are attributes and items: `record.value` is `record["value"]`. A field that the record
    lacks is `None` as an attribute.

    >>> Record({"status": "optimal", "value": 2}).value
    2
    """

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = dict(fields)

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._fields.get(name)

    @property
    def is_solved(self) -> bool:
        """Whether it has a solution."""
        return self._fields.get("solution") is not None

    @property
    def is_proved(self) -> bool:
        """Whether the answer is proved: an optimal solution, or that there is none."""
        return self._fields.get("status") in ("optimal", "unsolvable")

    def __repr__(self) -> str:
        shown = ("status", "value", "length", "solution")
        parts = (f"{name}={self._fields[name]!r}" for name in shown if name in self._fields)
        return f"Record({', '.join(parts)})"
