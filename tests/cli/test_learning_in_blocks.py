import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyarrow.parquet import read_schema
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.cli import learning_in_blocks, tables_in_blocks
from simplexcoding.cli.model_file import load_model
from simplexcoding.dask.scheduler import KEEP_MEMORY


@pytest.fixture
def parquet(flowers, tmp_path):
    path = tmp_path / "flowers.parquet"
    pd.read_csv(flowers).to_parquet(path, row_group_size=40)
    return path


def test_a_model_of_a_stream_is_that_of_the_whole_file(command, flowers, parquet, tmp_path):
    command("fit", flowers, "-t", "species", "--kernel=linear", "-o", tmp_path / "whole")
    expected = load_model(tmp_path / "whole")
    for k, data in enumerate((flowers, parquet)):
        said = command(
            "fit", data, "-t", "species", "--kernel=linear", "--stream", "-o", tmp_path / str(k)
        )
        assert "150 rows, 4 features, 3 classes" in said
        found = load_model(tmp_path / str(k))
        assert found.features == expected.features
        assert found.estimator.alpha_ == pytest.approx(expected.estimator.alpha_)
        assert np.allclose(found.estimator.coef_, expected.estimator.coef_, rtol=1e-9)


def test_standardised_online_and_kernel_models_stream_too(command, parquet, flowers, tmp_path):
    for name, options in {
        "scaled": ["--kernel=linear", "--standardise"],
        "rbf": ["--kernel=rbf", "--landmarks=50"],
        "online": ["--loss=cone", "--online"],
    }.items():
        command("fit", parquet, "-t", "species", *options, "--stream", "-o", tmp_path / name)
        command("predict", tmp_path / name, flowers, "-o", tmp_path / "labels.csv")
        stored, frame = load_model(tmp_path / name), pd.read_csv(flowers)
        X, labels = frame.drop(columns="species").to_numpy(), frame["species"].to_numpy()
        expected = clone(stored.estimator).set_params(verbose=False)
        scaled = StandardScaler().fit_transform(X) if name == "scaled" else X
        # Blocks of other sizes: a fit does not depend on how the rows are cut.
        expected.fit_blocks(from_arrays(scaled, labels, rows=64))
        written = pd.read_csv(tmp_path / "labels.csv")["species"]
        assert np.array_equal(written, expected.predict(scaled))
    whole = ["--kernel=linear", "--standardise", "--no-stream", "-o", tmp_path / "whole"]
    command("fit", parquet, "-t", "species", *whole)
    a, b = (load_model(tmp_path / name).estimator for name in ("scaled", "whole"))
    assert np.allclose(a.coef_, b.coef_, rtol=1e-9)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_predictions_of_a_stream_are_those_of_the_whole_file(command, flowers, tmp_path, ending):
    command("fit", flowers, "-t", "species", "--kernel=linear", "-o", tmp_path / "m")
    more = ["--probabilities", "--coverage", "0.9", "--keep", "species"]
    reader = pd.read_csv if ending == ".csv" else pd.read_parquet
    frames = []
    for how in ("--stream", "--no-stream"):
        out = tmp_path / f"labels{ending}"
        command("predict", tmp_path / "m", flowers, how, "-o", out, *more)
        frames.append(reader(out))
    assert len(frames[0]) == 150
    pd.testing.assert_frame_equal(*frames)


def test_a_block_has_room_for_a_number_of_every_class(command, flowers, tmp_path, monkeypatch):
    narrow = ["--drop", "length", "--drop", "width", "-o", tmp_path / "m"]
    command("fit", flowers, "-t", "species", "--kernel=linear", *narrow)
    widths = []
    monkeypatch.setattr(tables_in_blocks, "rows_for", lambda width: widths.append(width) or 10)
    command("predict", tmp_path / "m", flowers, "--stream", "-p", "-o", tmp_path / "out.csv")
    # Two features, three classes.
    assert set(widths) == {3}
    assert len(pd.read_csv(tmp_path / "out.csv")) == 150


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_first_rows_without_values_or_with_empty_sets_are_written(
    command, flowers, tmp_path, monkeypatch, ending
):
    monkeypatch.setattr(tables_in_blocks, "rows_for", lambda width: 50)
    command("fit", flowers, "-t", "species", "--kernel=linear", "-o", tmp_path / "m")
    frame = pd.read_csv(flowers)

    def unsure(model, X, coverage):
        # Nothing is plausible for the first fifty rows, and all labels are for the others.
        return np.repeat(X[:, 2:3] > 2, 3, axis=1)

    monkeypatch.setattr(SimplexRidgeClassifier, "predict_set", unsure)
    frame["kind"] = pd.Categorical(frame["species"])
    frame["note"] = pd.array([None] * 100 + ["seen"] * 50, dtype=object)
    frame["number"] = pd.array([None] * 60 + list(range(90)), dtype="Int64")
    table = tmp_path / f"table{ending}"
    if ending == ".csv":
        frame.to_csv(table, index=False)
    else:
        frame.to_parquet(table)
    out = tmp_path / "out.parquet"
    more = ["--keep", "note", "--keep", "kind", "--keep", "number", "--coverage", "0.9"]
    command("predict", tmp_path / "m", table, "--stream", "-o", out, *more)
    schema, found = read_schema(out), pd.read_parquet(out)
    assert str(schema.field("species_set").type) == "list<element: string>"
    assert found["kind"].tolist() == frame["species"].tolist()
    assert found["note"].tolist() == frame["note"].tolist()
    assert found["number"].dropna().astype(int).tolist() == list(range(90))
    assert [len(each) for each in found["species_set"]] == [0] * 50 + [3] * 100
    audit = ["audit", table, "-t", "species", "--kernel=linear", "--drop=number", "--drop=kind"]
    command(*audit, "--keep", "note", "--stream", "-o", out)
    assert sorted(pd.read_parquet(out)["note"].fillna("").tolist()) == [""] * 100 + ["seen"] * 50


def test_files_of_a_folder_keep_columns_of_one_type(command, outcome, flowers, tmp_path):
    command("fit", flowers, "-t", "species", "--kernel=linear", "-o", tmp_path / "m")
    frame, folder = pd.read_csv(flowers), tmp_path / "folder"
    folder.mkdir()
    frame.assign(id=1).to_parquet(folder / "a.parquet")
    frame.assign(id=2.5).to_parquet(folder / "b.parquet")
    predict = ["predict", tmp_path / "m", folder, "--keep", "id", "-o", tmp_path / "out.parquet"]
    command(*predict)
    found = pd.read_parquet(tmp_path / "out.parquet")["id"]
    assert found.tolist() == [1.0] * 150 + [2.5] * 150
    frame.to_parquet(folder / "c.parquet")
    assert "c.parquet, row group 0: no column 'id'" in outcome(*predict)[2]
    frame.assign(id="x").to_parquet(folder / "c.parquet")
    code, _, said = outcome(*predict)
    assert code != 0 and "--keep: files hold columns of different types" in said


def test_a_stream_that_breaks_leaves_the_old_file(outcome, flowers, command, tmp_path, monkeypatch):
    monkeypatch.setattr(tables_in_blocks, "rows_for", lambda width: 10)
    command("fit", flowers, "-t", "species", "--kernel=linear", "-o", tmp_path / "m")
    frame = pd.concat([pd.read_csv(flowers)] * 10, ignore_index=True)
    frame.loc[1200, "petal"] = np.nan
    frame.to_csv(tmp_path / "holes.csv", index=False)
    out = tmp_path / "labels.csv"
    out.write_text("old")
    code, _, said = outcome(
        "predict", tmp_path / "m", tmp_path / "holes.csv", "--stream", "-o", out
    )
    assert code != 0
    assert "rows from 1200 on: column 'petal' is missing" in said
    assert out.read_text() == "old"
    assert not list(tmp_path.glob(".*"))


def test_paths_and_audits_stream(command, parquet, tmp_path):
    options = ["-t", "species", "--kernel=linear", "--json"]
    one, two = (
        json.loads(command("path", parquet, *options, how)) for how in ("--stream", "--no-stream")
    )
    assert one["chosen"]["alpha"] == pytest.approx(two["chosen"]["alpha"])
    one, two = (
        json.loads(command("audit", parquet, *options, how)) for how in ("--stream", "--no-stream")
    )
    rows = [[suspect["row"] for suspect in each["suspects"]] for each in (one, two)]
    assert rows[0] == rows[1]
    assert one["contradicted"] == two["contradicted"] > 0
    assert one["estimated_wrong"] == pytest.approx(two["estimated_wrong"])
    for streamed, whole in zip(one["suspects"], two["suspects"], strict=True):
        assert streamed["suggested"] == whole["suggested"]
        assert streamed["score"] == pytest.approx(whole["score"], rel=1e-6)


def test_a_streamed_audit_writes_every_row_with_the_columns_to_keep(command, parquet, tmp_path):
    """Kept columns follow the order of suspicion, whole or only the rows shown."""
    options = ["-t", "species", "--kernel=linear", "--keep", "petal"]
    command("audit", parquet, *options, "--stream", "-o", tmp_path / "ranked.csv")
    ranked, frame = pd.read_csv(tmp_path / "ranked.csv"), pd.read_parquet(parquet)
    assert sorted(ranked["row"]) == list(range(150))
    assert np.array_equal(ranked["petal"], frame["petal"].to_numpy()[ranked["row"]])
    assert np.array_equal(ranked["given"], frame["species"].to_numpy()[ranked["row"]])
    shown = json.loads(command("audit", parquet, *options, "--stream", "--json", "--top", 4))
    for place, suspect in enumerate(shown["suspects"]):
        assert suspect["row"] == ranked["row"][place]
        assert suspect["petal"] == frame["petal"][suspect["row"]]


def test_complaints(outcome, flowers, tmp_path):
    fit = ["fit", flowers, "-t", "species", "-o", tmp_path / "m", "--stream"]
    assert "needs all rows at once" in outcome(*fit, "--loss", "cone")[2]
    assert "rows of a group must be read at once" in outcome(*fit, "--groups", "width")[2]
    frame = pd.read_csv(flowers).assign(species="setosa")
    frame.to_csv(tmp_path / "one.csv", index=False)
    said = outcome("fit", tmp_path / "one.csv", "-t", "species", "-o", tmp_path / "m", "--stream")
    assert "at least two classes" in said[2]
    said = outcome(*fit, "--dask", "tcp://127.0.0.1:1")[2]
    assert "--dask tcp://127.0.0.1:1: no scheduler answers" in said


def test_the_cluster_at_an_address_fits_the_same_model(command, parquet, tmp_path):
    from distributed import LocalCluster

    fit = ["fit", parquet, "-t", "species", "--kernel=linear", "--stream", "-o"]
    options = {"n_workers": 1, "processes": False, "protocol": "tcp", "dashboard_address": ":0"}
    with LocalCluster(**options) as made:
        command(*fit, tmp_path / "m", "--dask", made.scheduler_address)
    command(*fit, tmp_path / "here")
    a, b = (load_model(tmp_path / name).estimator for name in ("m", "here"))
    assert np.array_equal(a.coef_, b.coef_)


@pytest.mark.slow
def test_workers_of_a_local_cluster_keep_freed_memory(monkeypatch):
    from distributed import get_client

    for name in KEEP_MEMORY:
        # What the environment says comes first, and clusters before this one may have set it.
        monkeypatch.delenv(name, raising=False)
    with learning_in_blocks.cluster("local"):
        found = get_client().run(lambda: dict(os.environ)).values()
    for name, value in KEEP_MEMORY.items():
        assert {each[name] for each in found} == {str(value)}


@pytest.mark.slow
def test_a_local_cluster_fits_the_same_model(command, parquet, tmp_path):
    # In a process of its own, as workers import the main module again.
    fit = ["fit", str(parquet), "-t", "species", "--kernel=linear", "--dask", "local", "-o"]
    code = "from simplexcoding.cli import main\nif __name__ == '__main__': main()"
    (tmp_path / "run.py").write_text(code)
    done = [sys.executable, str(tmp_path / "run.py"), *fit, str(tmp_path / "m")]
    subprocess.run(done, check=True, timeout=120)
    command("fit", parquet, "-t", "species", "--kernel=linear", "-o", tmp_path / "here")
    a, b = (load_model(tmp_path / name).estimator for name in ("m", "here"))
    assert np.allclose(a.coef_, b.coef_, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_does_not_grow_with_the_rows(tmp_path):
    code = (
        "import sys\n"
        "from simplexcoding.cli.application import app\n"
        "app(sys.argv[1:], standalone_mode=False)\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
    )
    rng, peaks = np.random.default_rng(0), {}
    for n_rows in (100_000, 500_000):
        y = rng.integers(3, size=n_rows)
        X = rng.normal(size=(n_rows, 12)) + y[:, None]
        frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(12)]).assign(y=y)
        data, model = tmp_path / f"{n_rows}.parquet", tmp_path / f"{n_rows}.model"
        frame.to_parquet(data, row_group_size=20_000)
        learn = ["fit", data, "-t", "y", "--kernel=linear", "--stream", "-o", model]
        answer = ["predict", model, data, "--stream", "-o", tmp_path / f"{n_rows}.csv"]
        for name, arguments in (("fit", learn), ("predict", answer)):
            run = [sys.executable, "-c", code, *map(str, arguments)]
            done = subprocess.run(run, check=True, capture_output=True, text=True, timeout=120)
            peaks[name, n_rows] = int(done.stdout.split()[-1]) / 2**10
    # The rows alone grow by 37 MiB in double precision, and a table of them is several copies.
    for name in ("fit", "predict"):
        assert peaks[name, 500_000] < peaks[name, 100_000] + 25
