"""From a problem to a solution, without scikit-learn."""
