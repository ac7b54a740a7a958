import pytest

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.estimator_options import Options, loss_owners, make_estimator
from simplexcoding.losses.catalogue import CATALOGUE


def test_every_loss_of_the_catalogue_has_an_estimator():
    assert set(loss_owners()) == set(CATALOGUE)


@pytest.mark.parametrize("loss", loss_owners())
def test_each_loss_is_made_with_its_seed(loss):
    made = make_estimator(Options(loss, seed=3))
    assert type(made).__name__ == loss_owners()[loss].estimator and made.random_state == 3


@pytest.mark.parametrize(
    ("options", "estimator"),
    [
        (Options(), SimplexRidgeClassifier()),
        (Options(boosting=True), SimplexBoostingClassifier()),
        (Options("logistic", boosting=True), SimplexBoostingClassifier()),
        (Options("cone"), SimplexSVC(loss="cone")),
    ],
)
def test_what_is_not_said_is_the_estimator_s_own_default(options, estimator):
    estimator.set_params(random_state=0)
    found = make_estimator(options)
    assert type(found) is type(estimator) and found.get_params() == estimator.get_params()


def test_online_learning_has_its_own_default_loss():
    assert make_estimator(Options(online=True)).loss == SimplexSGDClassifier().loss
    assert make_estimator(Options("least_squares", online=True)).loss == "least_squares"


@pytest.mark.parametrize("boosting", [True, False])
def test_the_exponential_loss_is_the_published_boosting(boosting):
    found = make_estimator(Options("exponential", boosting=boosting))
    assert (type(found), found.method) == (SimplexBoostingClassifier, "gradient")


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (Options(kernel="rbf", gamma="0.5"), {"kernel": "rbf", "gamma": 0.5}),
        (Options(scaling="none"), {"scaling": "none"}),
        (Options(kernel="auto", scaling="standard"), {"kernel": "auto", "scaling": "standard"}),
        (Options(gamma="0.1,1"), {"gamma": [0.1, 1.0]}),
        (Options(gamma="quantile"), {"gamma": "quantile"}),
        (Options(landmarks="200"), {"landmarks": 200}),
        (Options(landmarks="none"), {"landmarks": None}),
        (Options(alphas="1e-3,1,1000"), {"alphas": [1e-3, 1.0, 1000.0]}),
        (Options(calibration="vector"), {"calibration": "vector"}),
        (Options("cone", calibration="vector"), {"calibration": "vector"}),
        (Options("cone", C="1"), {"C": 1, "loss": "cone"}),
        (Options("cone"), {"C": "auto"}),
        (Options("cone", online=True, alphas="0.1"), {"alpha": 0.1}),
    ],
)
def test_words_become_parameters(options, parameters):
    found = make_estimator(options).get_params()
    assert {name: found[name] for name in parameters} == parameters


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (Options("hinge"), "--loss hinge: unknown; choose among least_squares"),
        (Options(online=True, boosting=True), "--online, --boosting: two ways to learn"),
        (Options("cone", boosting=True), "--loss cone: not with --boosting; choose logistic or"),
        (Options(boosting=True, alphas="1"), "--alphas 1: not with SimplexBoostingClassifier"),
        (Options("cone", "rbf", online=True), "--kernel rbf: not with SimplexSGDClassifier"),
        (Options("exponential", "rbf"), "--kernel rbf: not with SimplexBoostingClassifier"),
        (Options(C="1"), "--C 1: not with SimplexRidgeClassifier; omit it"),
        (Options("cone", alphas="1"), "--alphas 1: not with SimplexSVC"),
        (Options("cone", scaling="auto"), "--scaling auto: not with SimplexSVC; omit it"),
        (Options(kernel="RBF"), "--kernel RBF: must be auto, exponential, lap.* or rbf\\."),
        (Options(gamma="wide"), "wide: must be a number above 0, several .* commas, auto or qu"),
        (Options(alphas="1,x"), "--alphas 1,x: must be a number above 0, several .*commas or auto"),
        (Options(landmarks="0"), "--landmarks 0: must be a whole number above 0, auto or none"),
        (Options("cone", C="0"), "--C 0: must be a number above 0"),
        (Options("cone", online=True, alphas="-1"), "--alphas -1: must be a number above 0"),
        (
            Options(calibration="isotonic"),
            "--calibration isotonic: must be auto, none, pooled.* or vec",
        ),
    ],
)
def test_words_that_do_not_fit_are_refused_by_option(options, text):
    with pytest.raises(Complaint, match=text):
        make_estimator(options)
