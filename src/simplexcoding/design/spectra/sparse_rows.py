"""Compiled passes over sparse rows: leverages, and left-out hits and errors."""

from typing import Any

import numpy as np

from simplexcoding.compiled import compiled


@compiled
def sparse_leverages(
    starts: Any, columns: Any, values: Any, inverse: Any, image: Any, constant: float, out: Any
) -> None:
    """(x - m)'Q(x - m) of each row into `out`, from the entries of Q that its non-zeros meet.

    Q is packed, see `Packed`, and the columns of each row rise. `image` is Q m and `constant`
    m'Q m; O(z^2) for z non-zeros.
    """
    half = len(inverse)
    even = 1 if inverse.shape[1] > 2 * half else 0
    below = half - 1 + even
    for i in range(len(out)):
        total = constant
        for a in range(starts[i], starts[i + 1]):
            row, value = columns[a], np.float64(values[a])
            cross = 0.0
            for b in range(starts[i], a + 1):
                column = columns[b]
                if column < half:
                    entry = inverse[column, row + even]
                else:
                    entry = inverse[row - below, column - half]
                cross += entry * values[b] * (0.5 if b == a else 1.0)
            total += 2.0 * value * (cross - image[row])
        out[i] = total


@compiled
def sparse_judge(
    starts: Any,
    columns: Any,
    values: Any,
    y: Any,
    leverages: Any,
    weights: Any,
    shift: Any,
    free: bool,
    floor: float,
    hits: Any,
    squares: Any,
) -> None:
    """Left-out hits and squared errors of each row, at one alpha.

    One-hot predictions are x @ weights + shift; `free` says that there is an intercept, so
    that they sum to one. Leverages hold the rows' own weights. O(z T) per row.
    """
    n_classes = len(shift)
    fits = np.empty(n_classes)
    for i in range(len(y)):
        fits[:] = shift
        for a in range(starts[i], starts[i + 1]):
            row, value = weights[columns[a]], np.float64(values[a])
            for k in range(n_classes):
                fits[k] += value * row[k]
        own, leverage = fits[y[i]], leverages[i]
        slack = max(1.0 - leverage, floor)
        total, plain = 1.0 - 2.0 * own, 0.0
        for k in range(n_classes):
            total += fits[k] * fits[k]
            plain += fits[k]
        if not free:
            total -= (1.0 - plain) ** 2 / n_classes
        squares[i] = total * n_classes / (n_classes - 1) / slack**2
        # Left out, the own class loses its leverage before the largest fit wins; the lowest
        # class does at ties.
        own -= leverage
        hit = True
        for k in range(n_classes):
            if k != y[i] and (fits[k] > own or (fits[k] == own and k < y[i])):
                hit = False
                break
        hits[i] = hit
