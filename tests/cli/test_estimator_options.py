import pytest

import simplexcoding
from simplexcoding.cli import estimator_options
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.estimator_options import LOSSES, make_estimator
from simplexcoding.losses.catalogue import CATALOGUE


def test_every_loss_of_the_catalogue_has_an_estimator():
    assert set(LOSSES) == set(CATALOGUE)


@pytest.mark.parametrize("loss", LOSSES)
def test_each_loss_is_made_or_said_to_be_absent(loss):
    if LOSSES[loss] in simplexcoding.__all__:
        assert type(make_estimator(loss, "linear")).__name__ == LOSSES[loss]
    else:
        with pytest.raises(Complaint, match=f"--loss {loss}: this release has no"):
            make_estimator(loss, "linear")


def test_words_that_do_not_fit_are_refused_by_option(monkeypatch):
    monkeypatch.setattr(estimator_options.simplexcoding, "__all__", [])
    for arguments, text in [
        (("hinge", "rbf"), "--loss hinge: unknown; choose among least_squares"),
        (("cone", "sigmoid"), "--kernel sigmoid: unknown; choose linear"),
        (("cone", "rbf", True), "--kernel rbf: not with this loss"),
        (("exponential", "rbf"), "--kernel rbf: not with this loss"),
        (("cone", "rbf"), "--loss cone: this release has no SimplexSVC"),
    ]:
        with pytest.raises(Complaint, match=text):
            make_estimator(*arguments)
