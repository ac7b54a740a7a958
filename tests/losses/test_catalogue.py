import pytest

from simplexcoding.losses import CATALOGUE, HalfSpaceHinge, get_loss


def test_every_name_makes_its_loss():
    for name, kind in CATALOGUE.items():
        assert get_loss(name) == kind()
        assert get_loss(name).name == name


def test_parameters_are_passed():
    assert get_loss("half_space", hull=False) == HalfSpaceHinge(hull=False)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"loss must be one of least_squares, cone.*got 'hinge'"):
        get_loss("hinge")


def test_a_loss_without_what_is_needed_is_not_among_the_known_ones():
    assert get_loss("logistic", ("odds",)).name == "logistic"
    # Its row step is that of the form without the hull.
    assert get_loss("half_space", ("row_step",)).hull
    with pytest.raises(ValueError, match="loss must be one of exponential, logistic; got 'cone'"):
        get_loss("cone", ("odds",))
