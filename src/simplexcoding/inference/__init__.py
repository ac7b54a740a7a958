"""After the fit: what leave-one-out scores say of probabilities, sets and labels."""
