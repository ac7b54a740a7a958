"""Anderson's acceleration: the next point of a fixed-point iteration from the last few of them."""

from typing import Any

import numpy as np

from simplexcoding.arrays import Floats

_MEMORY = 20
# Bytes that the differences of one iteration may take: of many rows fewer are remembered.
_MEMORY_BYTES = 2**28
# Weight of the identity, relative to the trace of the Gram matrix of the differences.
_RIDGE = 1e-8
# A residual this many times the least so far says that the last steps have led away
# from the solution.
_LARGEST_GROWTH = 2.0


class Acceleration:
    """Steps of H <- H + F(H), of which the last few say where they lead.

    With dF and dH the differences of the last residuals and points, gamma minimises
    ||F - dF gamma|| and the next point is H + F - (dH + dF) gamma. Where the residual has grown
    to twice its least, what is known is forgotten and the plain step taken: that one comes nearer
    to the fixed point whatever went before. Each time that happens, twice as many plain steps
    follow as the time before, so that no iteration goes round for ever. A step is
    O(memory n T), as is the room, and memory is less than asked for, though at least two
    steps, where `room` says so.

    Parameters
    ----------
    memory : int, differences to remember
    room : int, bytes for them
    dtype : of the differences, which need fewer digits than points and residuals
    """

    def __init__(
        self, memory: int = _MEMORY, room: int = _MEMORY_BYTES, dtype: Any = np.float64
    ) -> None:
        self._most = memory
        self._room = room
        self._dtype = dtype
        self._resting, self._next_rest = 0, 1
        self.forget()

    def forget(self) -> None:
        """Begin anew: the operator has changed."""
        self._least = np.inf
        self._drop()

    def _drop(self) -> None:
        self._last: tuple[Floats, Floats] | None = None
        self._known = 0

    def step(self, H: Floats, F: Floats) -> Floats:
        """The point to go on from, where the plain one would be H + F."""
        image = H + F
        size = float(np.linalg.norm(F))
        if size > _LARGEST_GROWTH * self._least:
            self.forget()
            self._resting, self._next_rest = self._next_rest, 2 * self._next_rest
        self._least = min(self._least, size)
        if self._resting:
            self._resting -= 1
            return image
        before, self._last = self._last, (F, image)
        if before is None:
            return image
        self._note(F - before[0], image - before[1])
        known = min(self._known, self._memory)
        gram = self._gram[:known, :known]
        gram = gram + _RIDGE * np.trace(gram) * np.eye(known)
        along = self._residuals[:known] @ F.ravel().astype(self._dtype, copy=False)
        gamma = np.linalg.lstsq(gram, along, rcond=None)[0]
        return image - (gamma.astype(self._dtype) @ self._images[:known]).reshape(H.shape)

    def _note(self, residual: Floats, image: Floats) -> None:
        """Take in a difference of residuals and one of images, in the place of the oldest."""
        if self._known == 0:
            pair = 2 * residual.size * np.dtype(self._dtype).itemsize
            self._memory = min(self._most, max(2, self._room // pair))
            self._residuals = np.empty((self._memory, residual.size), self._dtype)
            self._images = np.empty_like(self._residuals)
            self._gram = np.zeros((self._memory, self._memory))
        place = self._known % self._memory
        self._residuals[place] = residual.ravel()
        self._images[place] = image.ravel()
        self._known += 1
        known = min(self._known, self._memory)
        products = self._residuals[:known] @ self._residuals[place]
        self._gram[place, :known] = self._gram[:known, place] = products
