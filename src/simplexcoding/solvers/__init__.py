"""Problems in, solutions out: no scikit-learn, no printing, no warnings."""
