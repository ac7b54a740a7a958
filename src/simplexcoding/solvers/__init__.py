"""Problem in, solution out: no scikit-learn, no printing, no warnings."""
