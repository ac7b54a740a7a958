"""What each type in a model file holds. A new attribute of an estimator needs a line here.

Letters of shapes: T classes, p features; other letters are lengths within one record.
"""

from typing import Any

import numpy as np

from simplexcoding.inference.calibration import Uncalibrated
from simplexcoding.kernels import KERNELS, Kernel
from simplexcoding.persistence.array_specs import Array, Csr
from simplexcoding.persistence.labels import Labels, Names
from simplexcoding.persistence.records import Fields, Record
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.specs import Maybe, Nothing, Number, OneOf, Pair, Spec, Text, Whole
from simplexcoding.persistence.stored import Sizes

COMMON: dict[str, Spec] = {
    "classes_": Labels(),
    "n_features_in_": Whole(1, letter="p"),
    "feature_names_in_": Names("p"),
}
_ANY = Number(finite=False)
_POSITIVE = Number(0)
# Scores are of order one; their products must not overflow.
_LARGEST = 1e100
_TINY = float(np.finfo(np.float64).tiny)

KERNEL = Record(
    "simplexcoding.kernels:Kernel",
    Fields(
        {
            "name": Text(KERNELS),
            "gamma": Number(),
            "degree": Number(),
            "coef0": Number(),
            "scale": Maybe(Array("f", "p", low=_TINY)),
        },
    ),
)


def _check_basis(kernel: Kernel, basis: Any) -> None:
    if (basis.dtype.kind == "i") != kernel.precomputed:
        raise Refusal(f"has the wrong rows for the kernel {kernel.name}")


def _check_square(kernel: Kernel | None, sizes: Sizes) -> None:
    if kernel is not None and kernel.precomputed and sizes["n"] != sizes["p"]:
        raise Refusal(f"has {sizes['n']} rows and kernel values with {sizes['p']}")


BASIS = OneOf(rows=Array("f", "m p"), sparse=Csr("m p"), numbers=Array("i", "m", low=0, below="p"))
LINEAR = Record(
    "simplexcoding.functions:LinearFunction",
    Fields({"weights": Array("f", "p T"), "intercept": Array("f", "T")}),
)
FUNCTION = OneOf(
    linear=LINEAR,
    kernel=Record(
        "simplexcoding.functions:KernelExpansion",
        Fields(
            {
                "kernel": KERNEL,
                "basis": BASIS,
                "weights": Array("f", "m T"),
                "intercept": Array("f", "T"),
            },
            lambda parts, sizes: _check_basis(parts["kernel"], parts["basis"]),
        ),
    ),
)


def _check_function(state: dict[str, Any], sizes: Sizes) -> None:
    _check_square(getattr(state["function_"], "kernel", None), sizes)


def _check_path(path: dict[str, Any], sizes: Sizes) -> None:
    if not path["values"].size:
        raise Refusal("has no values")
    gammas, best = path["gammas"], path["best_gamma"]
    if not best < (1 if gammas is None else len(gammas)):
        raise Refusal(f"has its best gamma {best} outside its arrays")


def _path(shape: str, gammas: Spec) -> Record:
    """A path, its arrays of a shape, along the parameter alone or with several gammas."""
    return Record(
        "simplexcoding.selection.path:Path",
        Fields(
            {
                "values": Array("f", shape, low=0),
                "score": Array("f", shape, finite=False),
                "squared_error": Array("f", shape, finite=False),
                "effective_dimension": Array("f", shape, finite=False),
                "exact": Array("b", shape),
                "parameter": Text(("alpha", "C")),
                "gammas": gammas,
                "best_gamma": Whole(),
            },
            _check_path,
        ),
    )


PATH = _path("k", Nothing())
RIDGE_PATH = _path("g k", Array("f", "g"))


def _check_candidates(table: dict[str, Any], sizes: Sizes) -> None:
    if not table["best"] < sizes["k"]:
        raise Refusal(f"has its best place {table['best']} outside its arrays")


CANDIDATES = Record(
    "simplexcoding.selection.candidates:Candidates",
    Fields(
        {
            "kernel": Names("k"),
            "scaling": Names("k"),
            "gamma": Array("f", "k", low=0),
            "score": Array("f", "k", finite=False),
            "accuracy": Array("f", "k", finite=False),
            "rows": Array("i", "k", low=0),
            "landmarks": Array("i", "k", low=0),
            "scoring": Text(),
            "best": Whole(),
        },
        _check_candidates,
    ),
)
LANDMARK_PATH = Record(
    "simplexcoding.selection.landmark_path:LandmarkPath",
    Fields({"landmarks": Array("i", "k", low=1), "log_loss": Array("f", "k", finite=False)}),
)
_BY_CLASS = {
    "scales": Array("f", "T", -_LARGEST, _LARGEST),
    "offsets": Array("f", "T", -_LARGEST, _LARGEST),
}
CALIBRATION = OneOf(
    none=Record("simplexcoding.inference.calibration:Uncalibrated", Fields({})),
    temperature=Record(
        "simplexcoding.inference.calibration:Temperature", Fields({"beta": Number(0, _LARGEST)})
    ),
    vector=Record("simplexcoding.inference.calibration:Vector", Fields(_BY_CLASS)),
    pooled=Record("simplexcoding.inference.calibration:Pooled", Fields(_BY_CLASS)),
)


def _check_left_out(rows: dict[str, Any], sizes: Sizes) -> None:
    kept = rows["kept"]
    if kept is not None and np.count_nonzero(kept) != sizes["k"]:
        raise Refusal(f"keeps {np.count_nonzero(kept)} rows and has {sizes['k']} labels")


LEFT_OUT_ROWS = Record(
    "simplexcoding.design.spectra.leaving_out:LeftOutRows",
    Fields(
        {
            "y": Array("i", "k", low=0, below="T"),
            "weights": Maybe(Array("f", "k", 0, _LARGEST)),
            "kept": Maybe(Array("b", "n")),
        },
        _check_left_out,
    ),
)


def _check_left_out_scores(left_out: Any, rows: Any) -> None:
    count = len(rows.y) if rows.kept is None else len(rows.kept)
    if count != len(left_out):
        raise Refusal(f"has left-out scores of {len(left_out)} rows and {count} labels")
    if not np.isfinite(left_out if rows.kept is None else left_out[rows.kept]).all():
        raise Refusal("has no left-out scores of a row that counts")


def _check_ridge(state: dict[str, Any], sizes: Sizes) -> None:
    _check_left_out_scores(state["loo_scores_"], state["_left_out_rows"])
    _check_function(state, sizes)


RIDGE = Fields(
    {
        **COMMON,
        "function_": FUNCTION,
        "alpha_": _POSITIVE,
        "lambda_": _POSITIVE,
        "kernel_": Text(KERNELS),
        "gamma_": Number(),
        "scaling_": Text(("none", "standard")),
        "candidates_": Maybe(CANDIDATES),
        "landmark_path_": Maybe(LANDMARK_PATH),
        "path_": RIDGE_PATH,
        "calibration_": CALIBRATION,
        "landmark_indices_": Maybe(Array("i", "l", low=0)),
        "n_landmarks_": Whole(),
        "n_scored_rows_": Whole(1),
        # NaN in rows that no fold leaves out.
        "loo_scores_": Array("f", "n T", -_LARGEST, _LARGEST, finite=False),
        "_left_out_rows": LEFT_OUT_ROWS,
    },
    _check_ridge,
    optional=("feature_names_in_", "n_scored_rows_"),
)

CERTIFICATE = Record(
    "simplexcoding.solvers.margin:Certificate",
    Fields({"point": Array("f", "m T"), "primal": _ANY, "dual": _ANY, "length": _ANY}),
)


def _check_svc(state: dict[str, Any], sizes: Sizes) -> None:
    calibrated = not isinstance(state["calibration_"], Uncalibrated)
    if {name in state for name in _LEFT_OUT} != {calibrated}:
        raise Refusal("has a calibration without left-out scores, or these without it")
    if calibrated:
        _check_left_out_scores(state["left_out_scores_"], state["_left_out_rows"])
        # Only left-out scores tell how many rows a machine was fitted to.
        if state["support_"].max(initial=-1) >= sizes["n"]:
            raise Refusal(f"has a support row beyond its {sizes['n']} rows")
        _check_function(state, sizes)


_LEFT_OUT = ("left_out_scores_", "_left_out_rows")
SVC = Fields(
    {
        **COMMON,
        "C_": _POSITIVE,
        "gamma_": Number(),
        "lambda_": _POSITIVE,
        "n_iter_": Whole(),
        "duality_gap_": _ANY,
        "objective_": _ANY,
        "path_": Maybe(PATH),
        "landmark_indices_": Maybe(Array("i", "l", low=0)),
        "certificate_": CERTIFICATE,
        "support_": Array("i", "s", low=0),
        "n_support_": Array("i", "T", low=0),
        "function_": FUNCTION,
        "calibration_": CALIBRATION,
        "leave_one_out_bounds_": Pair(Number(0, 1), Number(0, 1)),
        "left_out_scores_": Array("f", "n T", -_LARGEST, _LARGEST),
        "_left_out_rows": LEFT_OUT_ROWS,
    },
    _check_svc,
    optional=("feature_names_in_", *_LEFT_OUT),
)

STREAM = Record(
    "simplexcoding.solvers.stochastic.stream:Stream",
    Fields(
        {
            "lambdas": Array("f", "m", low=0),
            "U": Array("f", "m p T"),
            "b": Array("f", "m T"),
            "U_mean": Array("f", "m p T"),
            "b_mean": Array("f", "m T"),
            "means": Array("f", "2", low=0),
            "losses": Array("f", "m", finite=False),
            "t": Whole(),
        }
    ),
)
SGD = Fields(
    {
        **COMMON,
        "alpha_": _POSITIVE,
        "lambda_": _POSITIVE,
        "objective_": _ANY,
        "path_": Maybe(PATH),
        "n_iter_": Whole(),
        "t_": Whole(),
        "function_": LINEAR,
        "_stream": STREAM,
    },
    optional=("feature_names_in_",),
)

SCALER = Fields(
    {
        "n_features_in_": Whole(1, letter="p"),
        "feature_names_in_": Names("p"),
        "mean_": Maybe(Array("f", "p")),
        "var_": Maybe(Array("f", "p", low=0)),
        "scale_": Maybe(Array("f", "p", low=_TINY)),
        "n_samples_seen_": OneOf(count=Number(0), counts=Array("f", "p", low=0)),
    },
    optional=("feature_names_in_",),
)
NORMALIZER = Fields(
    {"n_features_in_": Whole(1, letter="p"), "feature_names_in_": Names("p")},
    optional=("feature_names_in_",),
)
