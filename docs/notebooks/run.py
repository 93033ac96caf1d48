"""Runs the notebooks in this folder, or checks that they still produce their stored outputs.

    python docs/notebooks/run.py            # run all and store their outputs
    python docs/notebooks/run.py --check    # run all, store nothing, fail if an output differs
    python docs/notebooks/run.py --check ai-course.ipynb

Needs nbclient, nbformat, ipykernel and the packages that the notebooks import. Notebooks run under the interpreter that runs this file,
regardless of the installed kernels. Outputs are compared as text: streams, the plain text of results, and the kinds of rich output.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).resolve().parent

#: Matches the time of a search in an HTML page that a notebook embeds.
SECONDS = re.compile(r"(&quot;seconds&quot;:)[0-9.e-]+")

#: Matches the size of an embedded page or picture, which changes with every change to the page's own files.
SIZE = re.compile(r"(<\w+), [0-9,]+ characters>")


class ThisPython(AsyncKernelManager):
    """Starts this interpreter as the kernel; an installed kernel named python3 may use a different interpreter."""

    @property
    def kernel_spec(self) -> KernelSpec:
        argv = [sys.executable, "-m", "ipykernel_launcher", "--log-level=ERROR", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def execute(path: Path) -> tuple[Any, Any]:
    """The notebook as stored, and a copy with fresh outputs."""
    stored, fresh = (nbformat.read(path, as_version=4) for _ in range(2))
    NotebookClient(
        fresh,
        kernel_manager_class=ThisPython,
        timeout=600,  # Seconds per cell.
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    return stored, fresh


def tidy(notebook: Any) -> None:
    """Removes everything that differs between machines and runs."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {name: value for name, value in cell.metadata.items() if name == "tags"}
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = SECONDS.sub(r"\g<1>0", output.data["text/html"])


def said(cell: Any) -> list[str]:
    """The outputs of a cell, as lines."""
    lines: list[str] = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            lines += [f"{output.name}: {line}" for line in output.text.splitlines()]
        elif output.output_type == "error":
            lines += [f"{output.ename}: {output.evalue}"]
        else:
            plain = SIZE.sub(r"\1>", str(output.data.get("text/plain", "")))
            lines += [f"kinds: {', '.join(sorted(output.data))}", *plain.splitlines()]
    return lines


def differences(path: Path, stored: Any, fresh: Any) -> list[str]:
    """The differences between the outputs, as one diff per cell."""
    found: list[str] = []
    for number, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True), 1):
        name = f"{path.name}, cell {number}"
        found += difflib.unified_diff(said(old), said(new), f"{name}, stored", f"{name}, now", lineterm="")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all notebooks in this folder")
    parser.add_argument("--check", action="store_true", help="store nothing; fail if an output differs")
    given = parser.parse_args()
    failed = False
    for path in [HERE / path.name for path in given.notebooks] or sorted(HERE.glob("*.ipynb")):
        try:
            stored, fresh = execute(path)
        except CellExecutionError as error:
            print(f"{path.name}: a cell failed\n{error}", file=sys.stderr)
            failed = True
            continue
        if given.check:
            lines = differences(path, stored, fresh)
            print("\n".join(lines) if lines else f"{path.name}: outputs are as stored")
            failed = failed or bool(lines)
        else:
            tidy(fresh)
            nbformat.write(fresh, path)
            print(f"{path.name}: run and stored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
