"""Pictures of the story, each inside a data address."""

from base64 import b64encode
from io import BytesIO
from typing import Any

import numpy as np

from simplexcoding.demo.story import Story
from simplexcoding.experiments.figures import encoded
from simplexcoding.plots import PathDisplay, ReliabilityDisplay

# In inches: small, so that the letters are large enough at the width of a phone.
_SIZE = (5.2, 3.4)
_DPI = 180


def path(story: Story) -> str:
    """The left-out error along the path, with the choice."""
    ax = _axes()
    PathDisplay.from_estimator(story.model, ax=ax)
    return encoded(ax.get_figure(root=True), _DPI)


def reliability(story: Story) -> str:
    """Probabilities against hit rates, on the test rows."""
    ax = _axes()
    split = story.split
    ReliabilityDisplay.from_estimator(story.model, split.X_test, split.y_test, ax=ax)
    return encoded(ax.get_figure(root=True), _DPI)


def digit(row: Any) -> str:
    """An image of 8 x 8 grey values, dark on light."""
    from matplotlib.image import imsave

    stream = BytesIO()
    imsave(stream, np.asarray(row).reshape(8, 8), cmap="gray_r", vmin=0, vmax=16, format="png")
    return "data:image/png;base64," + b64encode(stream.getvalue()).decode()


def _axes() -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=_SIZE, layout="constrained").add_subplot()
