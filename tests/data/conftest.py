"""Tests of data files start processes and draw large examples: no test may depend on how fast the machine is."""

import pytest

hypothesis = pytest.importorskip("hypothesis", reason="properties need Hypothesis")

hypothesis.settings.register_profile(
    "any speed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any speed")
