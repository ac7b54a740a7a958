"""What an estimator can do beyond fit and predict, one ability per file."""
