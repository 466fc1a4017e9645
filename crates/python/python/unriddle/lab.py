"""Runs of the lab as tables of pandas."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas


def frame(path: str | os.PathLike[str], table: str | None = None) -> pandas.DataFrame:
    """A table of the lab's database, by default that of the runs."""
    import pandas

    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(name)
    with sqlite3.connect(f"file:{name}?mode=ro", uri=True) as database:
        found = database.execute("select name from sqlite_master where type = 'table'")
        tables = [row[0] for row in found]
        wanted = table or next((one for one in ("runs", "run") if one in tables), None)
        if wanted not in tables:
            raise ValueError(f"{name} has no table {wanted!r}: it has {', '.join(sorted(tables))}")
        return pandas.read_sql_query(f'select * from "{wanted}"', database)
