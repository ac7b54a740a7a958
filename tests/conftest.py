"""Settings of every test."""

from hypothesis import settings

# A busy machine is no bug: time is measured in benchmarks/, not in tests.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
