"""Where is the program that Python is compared with? What `OROGEN_PROGRAM` names, else a build of the workspace."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = os.environ.get("OROGEN_PROGRAM") or str(ROOT / "target/debug/orogen")
RASTER = ROOT / "data/jacksboro.tif"
# Who names a program wants it tested.
needs_program = pytest.mark.skipif(
    "OROGEN_PROGRAM" not in os.environ and not os.access(PROGRAM, os.X_OK), reason=f"no program at {PROGRAM}"
)


def run(*arguments, stdin=""):
    """What the program prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout
