"""Test settings."""

from hypothesis import HealthCheck, settings

# Every run uses the same examples, and there are no deadlines, since the machine may be busy.
settings.register_profile(
    "kibitzer", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("kibitzer")
