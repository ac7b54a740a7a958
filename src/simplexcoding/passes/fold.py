"""One pass over a source: blocks become states, and states add in a fixed order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from simplexcoding.blocks.block import Block, Blocks, Part, checked_block, cut
from simplexcoding.passes.checkpoint import Checkpoint

# States that one node of the tree of sums adds: few enough for a cluster to add in parallel,
# many enough for the states that wait for their turn to be few.
ARITY = 8

# A function of a block and its name. It may have a `width`: how many numbers it makes of a row.
Leaf = Callable[[Block, str], Any]


@dataclass
class Sums:
    """States added as they come, in a tree whose shape depends on their number alone.

    Each level holds the sum of up to `ARITY` sums of the level below, so only a few states
    wait at a time, and rounding grows with the depth.

    Examples
    --------
    >>> sums = Sums()
    >>> for number in range(20):
    ...     sums.push([number])
    >>> sums.total() == list(range(20)), len(sums.levels)
    (True, 2)
    """

    levels: list[tuple[int, Any]] = field(default_factory=list)
    """For each level how many states its sum holds, and the sum."""

    def push(self, state: Any) -> None:
        """Add one state."""
        for place, (count, total) in enumerate(self.levels):
            state = state if count == 0 else plus(total, state)
            if count + 1 < ARITY:
                self.levels[place] = (count + 1, state)
                return
            self.levels[place] = (0, None)
        self.levels.append((1, state))

    def total(self) -> Any:
        """The sum of all, or None where nothing came."""
        waiting = [total for count, total in reversed(self.levels) if count]
        return reduce(lambda right, left: plus(left, right), reversed(waiting), None)


def tree(states: Sequence[Any], merge: Callable[[list[Any]], Any]) -> Any:
    """The sum that `Sums` makes, node by node: `merge` adds a list of states in order.

    For schedulers, which add nodes as tasks of their own.
    """
    total = None
    levels: list[list[Any]] = [list(states)]
    while len(levels[-1]) >= ARITY:
        full = len(levels[-1]) // ARITY * ARITY
        rows = levels[-1]
        levels[-1] = rows[full:]
        levels.append([merge(rows[k : k + ARITY]) for k in range(0, full, ARITY)])
    for rest in levels:
        if rest:
            own = merge(rest) if len(rest) > 1 else rest[0]
            total = own if total is None else merge([own, total])
    return total


def plus(one: Any, other: Any) -> Any:
    """The sum of two states; None is the state of no blocks."""
    if one is None or other is None:
        return one if other is None else other
    return one + other


def added(states: Iterable[Any]) -> Any:
    """States added from the left."""
    return reduce(plus, states)


def fold_part(part: Part, leaf: Leaf) -> Any:
    """The state of one part, or None if it has no blocks."""
    return fold_blocks(part, part.name, leaf)


def fold_blocks(blocks: Iterable[Block], name: str, leaf: Leaf) -> Any:
    """The state of some blocks, or None if there are none."""
    sums = Sums()
    for state in states_of(blocks, name, leaf):
        sums.push(state)
    return sums.total()


def states_of(blocks: Iterable[Block], name: str, leaf: Leaf, skip: int = 0) -> Iterator[Any]:
    """The states of the pieces of some blocks, but of the first `skip`.

    A block is cut where it is long for what the leaf makes of its rows. The pieces depend on
    the block and the leaf alone: their sum has the same bits wherever it is made.
    """
    piece = 0
    for number, block in enumerate(blocks):
        own = name if number == 0 else f"{name}, block {number}"
        for part in cut(checked_block(block, own), getattr(leaf, "width", 0)):
            if piece >= skip:
                yield leaf(part, own)
            piece += 1


def fold(
    source: Blocks,
    leaf: Leaf,
    checkpoint: Checkpoint | None = None,
    stage: str = "",
    progress: Callable[[Any], None] = lambda state: None,
) -> Any:
    """One pass in this process, block after block.

    Parameters
    ----------
    source : Blocks
    leaf : function of a block and its name, gives a state that adds
    checkpoint : Checkpoint, default=None
        Where to go on from, and where to note how far the pass has come.
    stage : str, default=""
        What the checkpoint calls this pass.
    progress : callable, default says nothing
        Called with the state of each block.

    Returns
    -------
    The sum of the states
    """
    position = _Position() if checkpoint is None else checkpoint.load(stage) or _Position()
    for number in range(position.part, len(source.parts)):
        skip = position.piece if number == position.part else 0
        position.part, position.piece = number, skip
        part = source.parts[number]
        for state in states_of(part, part.name, leaf, skip):
            position.inner.push(state)
            position.piece += 1
            progress(state)
            if checkpoint is not None:
                checkpoint.note(stage, position)
        position.outer.push(position.inner.total())
        position.inner, position.part, position.piece = Sums(), number + 1, 0
    if checkpoint is not None:
        checkpoint.save(stage, position)
    total = position.outer.total()
    if total is None:
        raise ValueError("blocks gave no rows; a generator that was read before gives none again.")
    return total


@dataclass
class _Position:
    """How far a pass has come: the part and its piece to add next, and the sums so far."""

    part: int = 0
    piece: int = 0
    outer: Sums = field(default_factory=Sums)
    inner: Sums = field(default_factory=Sums)
