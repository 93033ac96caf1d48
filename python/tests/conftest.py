"""Settings of the suite, and the program that answers are compared with.

Nothing is skipped: where the program is not built yet, it is built, and where that fails, so do the tests.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from support import Program, find_program

# The same examples in every run, and no clock: the machine may be busy.
settings.register_profile(
    "kibitzer", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("kibitzer")


@pytest.fixture(scope="session")
def program() -> Program:
    """The program, to compare answers with."""
    return Program(find_program())
