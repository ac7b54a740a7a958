"""The alpha of least left-out log-loss near a given one: calmer than accuracies of some rows."""

from typing import NamedTuple

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design import Spectrum
from simplexcoding.selection.scoring import NegLogLoss

# Decades by which alpha moves in search of a lower log-loss, and the share it must gain: few
# landmarks regularise by themselves, and alpha would drift to nowhere.
_DECADES_PER_STEP, _LEAST_SHARE_GAINED = 0.5, 0.003


class Look(NamedTuple):
    """How left-out rows are asked: by which rule, at which alphas, how far apart."""

    judge: NegLogLoss
    alphas: Floats
    stride: int

    @classmethod
    def along(cls, judge: NegLogLoss, alphas: Floats) -> "Look":
        """Questions half a decade apart."""
        if len(alphas) == 1:
            return cls(judge, alphas, 1)
        spacing = np.log10(alphas[0] / alphas[-1]) / (len(alphas) - 1)
        return cls(judge, alphas, max(1, round(_DECADES_PER_STEP / float(spacing))))

    def nearest(self, alpha: float) -> int:
        """Place of the alpha nearest to one, by their ratio."""
        return int(np.argmin(np.abs(np.log(self.alphas / alpha))))

    def between(self, place: float) -> float:
        """The alpha at a place of the grid or between two."""
        return float(np.exp(np.interp(place, np.arange(len(self.alphas)), np.log(self.alphas))))

    def loss(self, spectrum: Spectrum, place: int) -> float:
        """Left-out log-loss at a place; infinite where rounding has lost a row."""
        result, _ = spectrum.roughly(float(self.alphas[place]))
        return -self.judge.of_result(result) if (result.slack > 0).all() else np.inf

    def descend(self, spectrum: Spectrum, place: int) -> "Valley":
        """The least log-loss near a place."""
        losses: dict[int, float] = {}

        def loss(at: int) -> float:
            if at not in losses:
                losses[at] = self.loss(spectrum, at)
            return losses[at]

        def pays(at: int) -> bool:
            return 0 <= at < len(self.alphas) and loss(at) < (1 - _LEAST_SHARE_GAINED) * loss(place)

        for way in (self.stride, -self.stride):
            start = place
            while pays(place + way):
                place += way
            if place != start:
                break
        least = loss(place)
        asked = {at: found for at, found in losses.items() if found < np.inf}
        return Valley(place, least, asked, self.stride)


class Valley(NamedTuple):
    """Where the log-loss is least among the places asked, and all that were."""

    place: int
    loss: float
    asked: dict[int, float]
    stride: int

    @property
    def places(self) -> list[int]:
        """All places asked that rounding has left a loss."""
        return sorted(self.asked) or [self.place]

    @property
    def bottom(self) -> float:
        """Lowest point of the parabola through the least loss and its neighbours, a place."""
        sides = [self.asked.get(self.place + way) for way in (-self.stride, self.stride)]
        before, after = sides
        if before is None or after is None:
            return float(self.place)
        bend = before - 2 * self.loss + after
        offset = 0.5 * (before - after) / bend if bend > 0 else 0.0
        return self.place + self.stride * float(np.clip(offset, -0.5, 0.5))
