"""Eight numbers at a time in compiled code. This module imports Numba: import it late.

Rows here are short, four to a few dozen numbers. On loops that short Numba's compiler adds one
number at a time, so these few steps say themselves what stands side by side. Arrays are
C-contiguous; a place is counted in numbers from the first one, whatever the shape is, and is
not checked.
"""

from collections.abc import Callable
from typing import Any

# Neither Numba nor llvmlite has types, which is what is ignored below.
from numba import extending, types
from numba.core import cgutils
from numba.core.cgutils import ir  # type: ignore[attr-defined]  # llvmlite, as Numba has it

_DOUBLES = ir.VectorType(ir.DoubleType(), 8)
_SINGLES = ir.VectorType(ir.FloatType(), 8)
# Rows are padded to a multiple of it.
EIGHT = 8

# To a type checker its functions would take one argument more than they do.
intrinsic: Any = extending.intrinsic


class _Writer:
    """Writes loads, stores and sums of vectors for the arguments of one intrinsic."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
        self.context, self.builder, self.args = context, builder, args
        self._types = signature.args

    def place(self, array: int, at: Any, kind: Any) -> Any:
        """Pointer to a vector of an array argument."""
        data = self.context.make_array(self._types[array])(
            self.context, self.builder, self.args[array]
        ).data
        return self.builder.bitcast(self.builder.gep(data, [at]), kind.as_pointer())

    def load(self, array: int, at: Any, kind: Any = _DOUBLES) -> Any:
        """A vector of an array argument."""
        return self.builder.load(self.place(array, at, kind), align=4)

    def store(self, vector: Any, array: int, at: Any, kind: Any = _DOUBLES) -> None:
        """Write a vector to an array argument."""
        self.builder.store(vector, self.place(array, at, kind), align=4)

    def spread(self, number: Any, kind: Any) -> Any:
        """A vector of equal numbers."""
        first = self.builder.insert_element(
            ir.Constant(kind, ir.Undefined), number, ir.Constant(ir.IntType(32), 0)
        )
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
        return self.builder.shuffle_vector(first, first, zeros)

    def total(self, vector: Any) -> Any:
        """Sum of a vector: its halves are added until one number is left."""
        count = vector.type.count
        while count > 1:
            count //= 2
            low, high = (
                self.builder.shuffle_vector(
                    vector,
                    vector,
                    ir.Constant(
                        ir.VectorType(ir.IntType(32), count), list(range(first, first + count))
                    ),
                )
                for first in (0, count)
            )
            vector = self.builder.fadd(low, high)
        return self.builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


def _step(result: Any, arguments: tuple[Any, ...], write: Callable[[_Writer], Any]) -> Any:
    """Signature and code of an intrinsic; `write` returns its result, None where it has none."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = write(_Writer(context, builder, signature, args))
        if isinstance(made, tuple):
            return context.make_tuple(builder, signature.return_type, made)
        return context.get_dummy_value() if made is None else made

    return result(*arguments), codegen


@intrinsic
def add_eight(typing: Any, into: Any, at: Any, values: Any, start: Any) -> Any:
    """Add eight doubles from `start` of values to those from `at` of into."""

    def write(w: _Writer) -> None:
        _, at, _, start = w.args
        sums = w.builder.fadd(w.load(0, at), w.load(2, start))
        w.store(sums, 0, at)

    return _step(types.void, (into, types.intp, values, types.intp), write)


@intrinsic
def copy_eight(typing: Any, into: Any, at: Any, values: Any, start: Any) -> Any:
    """Copy eight doubles from `start` of values to `at` of into."""

    def write(w: _Writer) -> None:
        _, at, _, start = w.args
        w.store(w.load(2, start), 0, at)

    return _step(types.void, (into, types.intp, values, types.intp), write)


@intrinsic
def subtract_eight(typing: Any, values: Any, at: Any, start: Any, less: Any) -> Any:
    """Write eight doubles from `start` less those from `less` to `at`, all of one array."""

    def write(w: _Writer) -> None:
        _, at, start, less = w.args
        gap = w.builder.fsub(w.load(0, start), w.load(0, less))
        w.store(gap, 0, at)

    return _step(types.void, (values, types.intp, types.intp, types.intp), write)


@intrinsic
def squares_of_eight(
    typing: Any, left: Any, at: Any, total: Any, start: Any, some: Any, which: Any
) -> Any:
    """Sums of some left^2 and of some (total - left)^2 over eight doubles."""

    def write(w: _Writer) -> tuple[Any, Any]:
        _, at, _, start, _, which = w.args
        left, some = w.load(0, at), w.load(4, which)
        rest = w.builder.fsub(w.load(2, start), left)
        squares = (w.builder.fmul(some, w.builder.fmul(side, side)) for side in (left, rest))
        one, other = (w.total(square) for square in squares)
        return one, other

    result = types.UniTuple(types.float64, 2)  # type: ignore[no-untyped-call]
    return _step(result, (left, types.intp, total, types.intp, some, types.intp), write)


@intrinsic
def add_derivatives(
    typing: Any, descent: Any, curvature: Any, at: Any, P: Any, start: Any, weight: Any
) -> Any:
    """Take w p from eight doubles of descent and add w p (1 - p) to those of curvature."""

    def write(w: _Writer) -> None:
        _, _, at, _, start, weight = w.args
        p = w.load(3, start, _SINGLES)
        weighted = w.builder.fmul(w.spread(weight, _SINGLES), p)
        ones = w.spread(ir.Constant(ir.FloatType(), 1.0), _SINGLES)
        curved = w.builder.fmul(weighted, w.builder.fsub(ones, p))
        weighted, curved = (w.builder.fpext(v, _DOUBLES) for v in (weighted, curved))
        w.store(w.builder.fsub(w.load(0, at), weighted), 0, at, _DOUBLES)
        w.store(w.builder.fadd(w.load(1, at), curved), 1, at)

    arguments = (descent, curvature, types.intp, P, types.intp, types.float32)
    return _step(types.void, arguments, write)


@intrinsic
def multiply_eight(typing: Any, P: Any, at: Any, factors: Any, start: Any) -> Any:
    """Multiply eight singles of P by factors and return their sum."""

    def write(w: _Writer) -> Any:
        _, at, _, start = w.args
        product = w.builder.fmul(w.load(0, at, _SINGLES), w.load(2, start, _SINGLES))
        w.store(product, 0, at, _SINGLES)
        return w.total(product)

    return _step(types.float32, (P, types.intp, factors, types.intp), write)


@intrinsic
def scale_eight(typing: Any, P: Any, at: Any, scale: Any, least: Any) -> Any:
    """Multiply eight singles of P by a number and raise them to the least one where below."""

    def write(w: _Writer) -> None:
        _, at, scale, least = w.args
        p = w.builder.fmul(w.load(0, at, _SINGLES), w.spread(scale, _SINGLES))
        least = w.spread(least, _SINGLES)
        p = w.builder.select(w.builder.fcmp_ordered(">", p, least), p, least)
        w.store(p, 0, at, _SINGLES)

    return _step(types.void, (P, types.intp, types.float32, types.float32), write)


@intrinsic
def square_of_eight(typing: Any, P: Any, at: Any) -> Any:
    """Sum of the squares of eight singles."""

    def write(w: _Writer) -> Any:
        p = w.load(0, w.args[1], _SINGLES)
        return w.total(w.builder.fmul(p, p))

    return _step(types.float32, (P, types.intp), write)


@intrinsic
def project_eight(
    typing: Any, table: Any, at: Any, P: Any, start: Any, count: Any, directions: Any,
    own: Any, column: Any, width: Any, weight: Any,
) -> Any:  # fmt: skip
    """Write w (d_y - sum_k p_k d_k) to eight doubles of a table.

    d_k are eight numbers of row k of the directions, which have `width` columns, from `column`
    on; p are `count` singles of P from `start` on, and `own` is y.
    """

    def write(w: _Writer) -> None:
        _, at, _, start, count, _, own, column, width, weight = w.args
        builder = w.builder

        def direction(k: Any) -> Any:
            return w.load(5, builder.add(builder.mul(k, width), column), _SINGLES)

        sums = cgutils.alloca_once_value(builder, ir.Constant(_SINGLES, [0.0] * 8))  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, count) as loop:
            p = builder.load(w.place(2, builder.add(start, loop.index), ir.FloatType()))
            terms = w.spread(p, _SINGLES), direction(loop.index)
            term = builder.fmul(*terms, flags=("contract",))
            builder.store(builder.fadd(builder.load(sums), term, flags=("contract",)), sums)
        gap = builder.fsub(direction(own), builder.load(sums))
        w.store(
            builder.fmul(w.spread(weight, _DOUBLES), builder.fpext(gap, _DOUBLES)),
            0,
            at,
        )

    number = types.intp
    arguments = (
        table, number, P, number, number, directions, number, number, number, types.float64,
    )  # fmt: skip
    return _step(types.void, arguments, write)
