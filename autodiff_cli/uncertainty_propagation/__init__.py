"""Measured values with their uncertainty, and what follows for a result that is computed from them (the GUM)."""
