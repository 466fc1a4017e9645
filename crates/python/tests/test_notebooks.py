"""The notebooks, cell by cell, without a display."""

import importlib.util
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_run(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 1
    if any("import torch" in cell for cell in code) and not importlib.util.find_spec("torch"):
        pytest.skip("torch is not installed")
    names: dict[str, object] = {"__name__": path.stem}
    for number, cell in enumerate(code):
        exec(compile(cell, f"{path.name}[{number}]", "exec"), names)
