"""Single-player puzzles: solvers with proofs, exact references, and arrays of states.

>>> import unriddle
>>> puzzle = unriddle.puzzle("tiles")
>>> board = puzzle.instance("1 2 3  4 5 6  0 7 8")
>>> record = board.solve("astar(linear-conflict)")
>>> record.status, record.value, record.solution
('optimal', 2, 'LL')

A `Puzzle` is named by the same spec as on the command line, an `Instance` by its text, a solver by
its spec or the name of a preset. `Instance.space` has the states as arrays of numpy.
"""

from ._native import Refused, check, version
from .events import Bound, Event, Improved, Progress
from .puzzle import Instance, Puzzle, Solve, puzzle, puzzles
from .record import Record
from .space import Space

__version__ = version()

__all__ = [
    "Bound",
    "Event",
    "Improved",
    "Instance",
    "Progress",
    "Puzzle",
    "Record",
    "Refused",
    "Solve",
    "Space",
    "check",
    "puzzle",
    "puzzles",
]
