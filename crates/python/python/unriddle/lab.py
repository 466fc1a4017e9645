"""Tables of the lab's database for pandas and polars."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas
    import polars


def frame(path: str | os.PathLike[str], table: str | None = None) -> pandas.DataFrame:
    """A table or view of the lab's database as a frame of pandas: by default `runs`, with every
    field of a run. Runs that a later run replaced have the value 1 in the column `superseded`.
    """
    import pandas

    with _query(path, table) as (database, query):
        return pandas.read_sql_query(query, database)


def polars_frame(path: str | os.PathLike[str], table: str | None = None) -> polars.DataFrame:
    """The same as a frame of polars."""
    import polars

    with _query(path, table) as (database, query):
        # Types are those of all rows: a column may begin with many empty values.
        return polars.read_database(query, database, infer_schema_length=None)


@contextmanager
def _query(
    path: str | os.PathLike[str], table: str | None
) -> Iterator[tuple[sqlite3.Connection, str]]:
    """The database, open for reading, and the query of a table."""
    name = Path(path)
    if not name.exists():
        raise FileNotFoundError(f"{name}: there is no such file")
    # An address has escapes for the signs `?` and `#` of a name.
    with closing(sqlite3.connect(f"{name.absolute().as_uri()}?mode=ro", uri=True)) as database:
        kinds = "type in ('table', 'view')"
        found = database.execute(f"select name from sqlite_master where {kinds}")
        tables = [row[0] for row in found]
        wanted = table or next((one for one in ("runs", "run") if one in tables), None)
        if wanted not in tables:
            raise ValueError(f"{name} has no table {wanted!r}: it has {', '.join(sorted(tables))}")
        yield database, f'select * from "{wanted}"'
