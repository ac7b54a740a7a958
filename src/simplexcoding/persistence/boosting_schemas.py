"""What a boosted model holds: forests whose indices compiled code follows, and categories."""

from typing import Any

from simplexcoding.persistence.array_specs import Array
from simplexcoding.persistence.labels import Plain
from simplexcoding.persistence.records import Fields, Record
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.schemas import CALIBRATION, COMMON
from simplexcoding.persistence.specs import OneOf, Text, Whole
from simplexcoding.persistence.stored import Sizes
from simplexcoding.solvers.boosting.binning import MAX_BINS
from simplexcoding.solvers.boosting.forest import Forest


def _check_forest(forest: dict[str, Any], sizes: Sizes) -> None:
    """Compiled code follows these indices without a look; the forest knows what it needs."""
    try:
        Forest(**forest).check(sizes["p"], sizes["T"] - 1)
    except ValueError as error:
        raise Refusal(f"cannot be: {error}") from None


TREES = Record(
    "simplexcoding.solvers.boosting.forest:Forest",
    Fields(
        {
            "features": Array("i", "M q", low=0, below="p"),
            "thresholds": Array("f", "M q", finite=False),
            "gains": Array("f", "M q"),
            "values": Array("f", "M l w"),
            "coordinates": Array("i", "M", low=-1),
            "ends": Array("i", "r", low=0),
            "missing_left": Array("b", "M q"),
            "sets": Array("i", "s 4"),
            "set_of": Array("i", "M q", low=-1, below="s"),
        },
        _check_forest,
    ),
)
# No round lowered the risk: arrays without a second dimension.
NO_TREES = Record(
    TREES.place,
    Fields(
        {
            **{name: Array("f", "0") for name in ("thresholds", "gains", "values")},
            **{name: Array("i", "0") for name in ("features", "coordinates", "ends", "set_of")},
            "missing_left": Array("b", "0"),
            "sets": Array("i", "0 4"),
        }
    ),
)


def _check_recipe(recipe: dict[str, Any], sizes: Sizes) -> None:
    if type(recipe["classes"]) is not tuple or len(recipe["classes"]) != sizes["T"]:
        raise Refusal("has other classes")


RECIPE = Record(
    "simplexcoding.solvers.boosting.warm_start:Recipe",
    Fields(
        {
            "loss": Text(),
            "method": Text(),
            "max_depth": Whole(),
            "estimator": Text(),
            "n_features": Whole(),
            "classes": Plain(),
            "seed": Whole(),
        },
        _check_recipe,
    ),
)
ENSEMBLE = Record(
    "simplexcoding.functions:Ensemble",
    Fields({"parts": OneOf(trees=TREES, none=NO_TREES), "n_classes": Whole(2, letter="T")}),
)


def _check_categories(categories: dict[str, Any], sizes: Sizes) -> None:
    values = categories["values"]
    if type(values) is not tuple or len(values) != sizes["c"]:
        raise Refusal("has other columns than lists of categories")
    if not all(type(one) is tuple and len(one) <= MAX_BINS for one in values):
        raise Refusal("has lists of categories that are none")
    if not all(type(value) in (str, int, float, bool) for one in values for value in one):
        raise Refusal("has categories that are neither text nor numbers")


CATEGORIES = Record(
    "simplexcoding.solvers.boosting.categories:Categories",
    Fields(
        {"columns": Array("i", "c", low=0, below="p"), "values": Plain()},
        _check_categories,
    ),
)
BOOSTING = Fields(
    {
        **COMMON,
        "function_": ENSEMBLE,
        "calibration_": CALIBRATION,
        "_categories": CATEGORIES,
        "n_estimators_": Whole(),
        "train_score_": Array("f", "r", finite=False),
        "validation_score_": Array("f", "v", finite=False),
        "stop_": Text(),
        "_importances": Array("f", "p"),
        "_recipe": RECIPE,
    },
    optional=("feature_names_in_", "validation_score_"),
)
