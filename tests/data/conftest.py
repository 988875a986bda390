"""Tests of data files do not depend on how fast the machine is: Hypothesis sets no deadline."""

from hypothesis import HealthCheck, settings

settings.register_profile("any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any speed")
