"""A compiled pass over predictions that are mixed from a few products."""

from typing import Any

import numpy as np

from simplexcoding.compiled import compiled


@compiled(fastmath=True)
def reduce_fits(
    products: Any,
    combine: Any,
    base: Any,
    labels: Any,
    all_own: Any,
    all_others: Any,
    all_squares: Any,
    first: int,
    last: int,
) -> None:
    """Of rows `first` to `last` at each alpha: own fit, largest of the others and sum of squares.

    Fits are sum_q combine[k, q] products[q, t, i] + base[t]. They are never stored: those of
    one class are mixed four products at a time and reduced at once, and each product is read
    from memory once for all alphas.

    Parameters
    ----------
    products : (q, T, b) array
    combine : (k, q) array
    base : (T,) array
    labels : (b,) array of int32
    all_own, all_others, all_squares : (k, b) arrays to be filled
    first, last : int
    """
    n_products, n_classes = products.shape[:2]
    size, y = last - first, labels[first:last]
    nothing, lowest = products.dtype.type(0), products.dtype.type(-3e38)
    begun = np.empty(size, products.dtype)
    # The last four products end a fit; where there are fewer one stands in at no weight.
    end = (n_products - 1) // 4 * 4
    e1, e2, e3 = min(end + 1, n_products - 1), min(end + 2, n_products - 1), n_products - 1
    for k in range(len(combine)):
        all_own[k, first:last] = nothing
        all_others[k, first:last] = lowest
        all_squares[k, first:last] = nothing
    for t in range(n_classes):
        label, shift = np.int32(t), base[t]
        p0, p1 = products[end, t, first:last], products[e1, t, first:last]
        p2, p3 = products[e2, t, first:last], products[e3, t, first:last]
        for k in range(len(combine)):
            mine, most = all_own[k, first:last], all_others[k, first:last]
            square = all_squares[k, first:last]
            begun[:] = shift
            for g in range(0, end, 4):
                c0, c1, c2, c3 = (
                    combine[k, g], combine[k, g + 1], combine[k, g + 2], combine[k, g + 3],
                )  # fmt: skip
                r0, r1 = products[g, t, first:last], products[g + 1, t, first:last]
                r2, r3 = products[g + 2, t, first:last], products[g + 3, t, first:last]
                for i in range(size):
                    begun[i] += c0 * r0[i] + c1 * r1[i] + c2 * r2[i] + c3 * r3[i]
            c0 = combine[k, end]
            c1 = combine[k, e1] if e1 == end + 1 else nothing
            c2 = combine[k, e2] if e2 == end + 2 else nothing
            c3 = combine[k, e3] if e3 == end + 3 else nothing
            for i in range(size):
                fit = begun[i] + c0 * p0[i] + c1 * p1[i] + c2 * p2[i] + c3 * p3[i]
                square[i] += fit * fit
                is_own = y[i] == label
                mine[i] = fit if is_own else mine[i]
                most[i] = max(most[i], lowest if is_own else fit)
