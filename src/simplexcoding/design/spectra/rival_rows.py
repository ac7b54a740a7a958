"""A compiled pass over left-out predictions: who comes nearest to the own class."""

from typing import Any

from simplexcoding.compiled import compiled


@compiled
def find_rivals(errors: Any, slack: Any, y: Any, rivals: Any, hits: Any, squares: Any) -> None:
    """Of each row: the other classes with the largest fits, the hit and the squared error.

    Fits are one-hot targets less the errors; left out, errors are divided by the slack.

    Parameters
    ----------
    errors : (n, T) array
    slack : (n,) array
    y : (n,) array of class indices
    rivals : (n, r) array to be filled, r < T; the largest fit first
    hits, squares : (n,) arrays to be filled: whether the left-out row is predicted rightly,
        and ||c_y - f||^2
    """
    n_rows, n_classes = errors.shape
    n_rivals = rivals.shape[1]
    for i in range(n_rows):
        row, own, mine = errors[i], y[i], rivals[i]
        found, worst = 0, errors[i, 0]
        total, square = 0.0, 0.0
        for t in range(n_classes):
            error = row[t]
            total += error
            square += error * error
            if t == own or (found == n_rivals and error >= worst):
                continue
            # Into its place among the smallest errors, behind equal ones.
            place = min(found, n_rivals - 1)
            while place > 0 and row[mine[place - 1]] > error:
                mine[place] = mine[place - 1]
                place -= 1
            mine[place] = t
            found = min(found + 1, n_rivals)
            worst = row[mine[found - 1]]
        squares[i] = (square - total * total / n_classes) * n_classes / (n_classes - 1)
        squares[i] /= slack[i] * slack[i]
        # Left out, the own class loses its leverage; the lowest index wins ties.
        tilted, first = row[own] - slack[i], row[mine[0]]
        hits[i] = tilted < first or (tilted == first and own < mine[0])
