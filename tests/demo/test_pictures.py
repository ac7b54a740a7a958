from base64 import b64decode

import numpy as np

from simplexcoding.datasets import load
from simplexcoding.demo import pictures
from simplexcoding.demo.story import tell


def png(address):
    head, data = address.split(",")
    assert head == "data:image/png;base64"
    data = b64decode(data)
    assert data.startswith(b"\x89PNG")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def test_a_digit_is_as_many_pixels_as_it_has():
    assert png(pictures.digit(np.arange(64) % 17)) == (8, 8)


def test_figures_are_wide_enough_for_a_phone():
    story = tell(load("digits"))
    for figure in (pictures.path(story), pictures.reliability(story)):
        width, height = png(figure)
        assert width >= 640 and width > height
