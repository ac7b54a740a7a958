import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from reference.blocks import readings, together
from simplexcoding.blocks import from_parquet

rng = np.random.default_rng(0)
X = rng.normal(size=(20, 4))
labels = rng.choice(["cat", "dog", "eel"], 20)


def write(path, group=6, **columns):
    parquet.write_table(pa.table(columns), path, row_group_size=group)
    return path


def columns(rows=slice(None)):
    return {f"f{j}": X[rows, j] for j in range(4)} | {"animal": labels[rows]}


def test_a_part_is_a_row_group_and_travels(tmp_path):
    source = from_parquet(write(tmp_path / "a.parquet", **columns()), "animal")
    assert len(source.parts) == 4
    assert source.n_rows == 20
    assert source.feature_names == ("f0", "f1", "f2", "f3")
    for X_, y_, _ in readings(source):
        assert np.array_equal(X_, X)
        assert y_.tolist() == labels.tolist()


def test_large_row_groups_are_read_in_blocks(tmp_path):
    path = write(tmp_path / "a.parquet", group=20, **columns())
    sizes = [len(block.y) for block in from_parquet(path, "animal", rows=7)]
    assert sizes == [7, 7, 6]


def test_a_folder_is_read_in_order_of_name(tmp_path):
    write(tmp_path / "b.parquet", **columns(slice(10, 20)))
    write(tmp_path / "a.parquet", **columns(slice(0, 10)))
    (tmp_path / "notes.txt").write_text("x")
    assert np.array_equal(together(from_parquet(tmp_path, "animal"))[0], X)


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.list_(pa.float32(), 4)])
def test_a_column_of_lists_is_an_embedding(tmp_path, kind):
    embedding = pa.array(X.astype(np.float32).tolist(), type=kind)
    path = write(tmp_path / "a.parquet", e=embedding, n=np.arange(20), animal=labels)
    source = from_parquet(path, "animal")
    assert source.feature_names == ("e_0", "e_1", "e_2", "e_3", "n")
    X_, _, _ = together(source)
    assert np.array_equal(X_[:, :4], X.astype(np.float32))
    assert np.array_equal(X_[:, 4], np.arange(20))
    only = from_parquet(path, "animal", features=["e"])
    assert together(only)[0].dtype == np.float32


def test_weights_and_dictionaries(tmp_path):
    animal = pa.array(labels).dictionary_encode()
    path = write(tmp_path / "a.parquet", f=X[:, 0], w=np.arange(20), animal=animal)
    source = from_parquet(path, "animal", weight="w")
    assert np.concatenate([b.weight for b in source]).tolist() == list(range(20))
    assert together(source)[1].tolist() == labels.tolist()


def test_missing_numbers_are_nan(tmp_path):
    path = write(tmp_path / "a.parquet", f=pa.array([1.0, None]), i=pa.array([1, None]), t=[0, 1])
    X_, _, _ = together(from_parquet(path, "t"))
    assert np.isnan(X_[1]).all()


def test_errors_say_what_to_do(tmp_path):
    path = write(tmp_path / "a.parquet", f=X[:, 0], word=labels, animal=labels)
    ragged = write(tmp_path / "r.parquet", e=[[1.0, 2.0], [1.0]], t=[0, 1])
    with pytest.raises(ValueError, match=r"target='plant' is no column of .*a.parquet: f, word"):
        from_parquet(path, "plant")
    with pytest.raises(ValueError, match="weight='w' is no column"):
        from_parquet(path, "animal", weight="w")
    with pytest.raises(ValueError, match=r"'word' of .* holds string, no numbers; encode"):
        from_parquet(path, "animal")
    with pytest.raises(ValueError, match="features holds 'g'"):
        from_parquet(path, "animal", features=["g"])
    with pytest.raises(ValueError, match="lists of different lengths"):
        list(from_parquet(ragged, "t"))
    with pytest.raises(FileNotFoundError, match="does not exist"):
        from_parquet(tmp_path / "none.parquet", "t")
    with pytest.raises(ValueError, match="a folder without"):
        (tmp_path / "empty").mkdir()
        from_parquet(tmp_path / "empty", "t")
    (tmp_path / "text.parquet").write_text("no")
    with pytest.raises(ValueError, match="is no Parquet file"):
        from_parquet(tmp_path / "text.parquet", "t")


def test_a_file_without_the_columns_of_the_first_is_named(tmp_path):
    write(tmp_path / "a.parquet", f=X[:, 0], t=labels)
    write(tmp_path / "b.parquet", g=X[:, 0], t=labels)
    with pytest.raises(ValueError, match=r"b.parquet has no column 'f'"):
        list(from_parquet(tmp_path, "t"))
