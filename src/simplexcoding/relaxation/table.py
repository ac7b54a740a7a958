"""The table of the theory: each loss, its minimiser and its comparison constants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.catalogue import CATALOGUE
from simplexcoding.losses.half_space import HalfSpaceHinge
from simplexcoding.losses.loss import Comparison, Loss, vertex_scores

# Far outside the hull of the code at every T: a loss held in the hull is infinite there.
_FAR_OUT = 1e3
_RHO = (0.5, 0.3, 0.2)

# Names for minimisers, each with its scores at probabilities P, (m, 3). A loss is given
# the name of the form its own minimiser agrees with.
_FORMS: dict[str, Callable[[Floats], Floats]] = {
    "c_b, b = argmax P": lambda P: vertex_scores(P.argmax(axis=1), 3),
    "-(T-1) c_j, j = argmin P": lambda P: -2 * vertex_scores(P.argmin(axis=1), 3),
    "sum_k P_k c_k": lambda P: 1.5 * centred(P),
    "(T-1)/T sum_k log P_k c_k": lambda P: centred(np.log(P)),
}


@dataclass(frozen=True, eq=False)
class TableRow:
    """One loss in the table.

    Parameters
    ----------
    loss : Loss of this row
    domain : str
        Where f lives: all of R^(T-1), or conv(C).
    minimizer : str
        What minimises the conditional expected loss.
    example : (3,) array
        Its scores at the class probabilities 0.5, 0.3, 0.2.
    consistent : dict of bool by T
    comparison : dict of Comparison or None by T
    """

    loss: Loss
    domain: str
    minimizer: str
    example: Floats
    consistent: dict[int, bool]
    comparison: dict[int, Comparison | None]

    @property
    def exponent(self) -> float | None:
        """Exponent of the comparison inequality at the largest T, None without one."""
        last = list(self.comparison.values())[-1]
        return None if last is None else last.exponent

    @property
    def p(self) -> float | None:
        """1/exponent: 1 for the hinges, 2 for least squares, as the paper writes it."""
        return None if self.exponent is None else 1 / self.exponent


def theory_table(n_classes: Sequence[int] = (2, 3, 4, 10)) -> list[TableRow]:
    """Collect the theory of every loss, asked of the loss itself.

    Parameters
    ----------
    n_classes : sequence of int, default=(2, 3, 4, 10)
        The T at which consistency and constants are asked for, ascending.

    Examples
    --------
    >>> from simplexcoding.relaxation import theory_table
    >>> row = theory_table([3])[0]
    >>> row.loss, row.p, round(row.comparison[3].constant, 4)
    (LeastSquares(), 2.0, 1.1547)
    """
    losses: list[Loss] = [make() for make in CATALOGUE.values()]
    return [_row(loss, n_classes) for loss in [*losses, HalfSpaceHinge(hull=False)]]


def format_table(rows: Sequence[TableRow]) -> str:
    """Lay the rows of a table out as text, one line per loss.

    Constants are those of: excess misclassification <= C_T (excess loss)^(1/p).

    Parameters
    ----------
    rows : list of TableRow
        As `theory_table` makes them.

    Returns
    -------
    str

    Examples
    --------
    >>> from simplexcoding.relaxation import format_table, theory_table
    >>> for line in format_table(theory_table([3])).splitlines()[:4]:
    ...     print(line[:57])
    loss                        f in     consistent  p  C_3
    --------------------------  -------  ----------  -  -----
    LeastSquares()              R^(T-1)  yes         2  1.155
    ConeHinge()                 R^(T-1)  yes         1  2
    """
    counts = list(rows[0].comparison)
    head = ["loss", "f in", "consistent", "p"]
    head += [f"C_{count}" for count in counts]
    head += ["u at P = " + _numbers(_RHO), "f_rho"]
    body = [[*_theory(row, counts), _numbers(row.example), row.minimizer] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    lines = [head, ["-" * width for width in widths], *body]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _row(loss: Loss, n_classes: Sequence[int]) -> TableRow:
    far = _FAR_OUT * np.array([[2.0, -1.0, -1.0]])
    return TableRow(
        loss,
        "conv(C)" if np.isinf(loss.value(far, [0])[0]) else "R^(T-1)",
        _minimizer_in_words(loss),
        loss.conditional_minimizer([_RHO])[0],
        {count: loss.is_consistent(count) for count in n_classes},
        {count: loss.comparison(count) for count in n_classes},
    )


def _theory(row: TableRow, counts: Sequence[int]) -> list[str]:
    constants = [row.comparison[count] for count in counts]
    return [
        repr(row.loss),
        row.domain,
        _answer(row.consistent),
        "-" if row.p is None else f"{row.p:g}",
        *("-" if c is None else f"{c.constant:.4g}" for c in constants),
    ]


def _answer(consistent: dict[int, bool]) -> str:
    if len(set(consistent.values())) == 1:
        return "yes" if all(consistent.values()) else "no"
    return "T = " + ", ".join(str(count) for count, yes in consistent.items() if yes)


def _minimizer_in_words(loss: Loss) -> str:
    P = np.array([_RHO, (0.2, 0.45, 0.35), (0.25, 0.15, 0.6)])
    scores = loss.conditional_minimizer(P)
    names = [name for name, form in _FORMS.items() if np.allclose(form(P), scores, atol=1e-6)]
    return names[0] if names else "no closed form"


def _numbers(values: Sequence[float] | Floats) -> str:
    return "(" + ", ".join(f"{value + 0.0:.3g}" for value in values) + ")"
