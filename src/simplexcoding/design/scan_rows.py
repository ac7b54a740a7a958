"""A compiled pass over predictions that are mixed from a few products."""

from typing import Any

import numpy as np

from simplexcoding.compiled import compiled


@compiled(fastmath=True)
def reduce_fits(
    products: Any, combine: Any, base: Any, y: Any, own: Any, others: Any, squares: Any
) -> None:
    """Of each row at each alpha: own fit, largest of the others and sum of squares.

    Fits are sum_q combine[k, q] products[q, t, i] + base[t]. They are never stored: those of
    one class are mixed four products at a time and reduced at once, and each product is read
    from memory once for all alphas.

    Parameters
    ----------
    products : (q, T, b) array
    combine : (k, q) array
    base : (T,) array
    y : (b,) array of int32
    own, others, squares : (k, b) arrays to be filled
    """
    n_products, n_classes, size = products.shape
    nothing, lowest = products.dtype.type(0), products.dtype.type(-3e38)
    begun = np.empty(size, products.dtype)
    # The last four products end a fit; where there are fewer one stands in at no weight.
    end = (n_products - 1) // 4 * 4
    e1, e2, e3 = min(end + 1, n_products - 1), min(end + 2, n_products - 1), n_products - 1
    own[:], others[:], squares[:] = nothing, lowest, nothing
    for t in range(n_classes):
        label, shift = np.int32(t), base[t]
        p0, p1, p2, p3 = products[end, t], products[e1, t], products[e2, t], products[e3, t]
        for k in range(len(combine)):
            mine, most, square = own[k], others[k], squares[k]
            begun[:] = shift
            for g in range(0, end, 4):
                c0, c1, c2, c3 = (
                    combine[k, g], combine[k, g + 1], combine[k, g + 2], combine[k, g + 3],
                )  # fmt: skip
                r0, r1, r2, r3 = (
                    products[g, t], products[g + 1, t], products[g + 2, t], products[g + 3, t],
                )  # fmt: skip
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
