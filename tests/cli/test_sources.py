import os
import threading
from io import BytesIO
from pathlib import Path

import pytest

from simplexcoding.cli import sources
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.sources import check_folder, check_output, open_source, save


class Standard:
    def __init__(self, data=b""):
        self.buffer = BytesIO(data)


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (b"a,b\n1,2\n", ".csv"),
        (b"PAR1...", ".parquet"),
        (b"\x93NUMPY...", ".npy"),
        (b"PK\x03\x04...", ".npz"),
    ],
)
def test_standard_input_is_known_by_its_first_bytes(monkeypatch, data, ending):
    monkeypatch.setattr(sources.sys, "stdin", Standard(data))
    stream, found = open_source(Path("-"), (".csv",))
    assert stream.getvalue() == data and found == ending


def test_pipes_are_read_to_their_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"a\n1\n",))
    writer.start()
    stream, ending = open_source(tmp_path / "pipe", (".csv",))
    writer.join(10)
    assert stream.getvalue() == b"a\n1\n" and ending == ".csv"


def test_standard_output_takes_bytes(monkeypatch):
    standard = Standard()
    monkeypatch.setattr(sources.sys, "stdout", standard)
    save(Path("-"), b"text")
    assert standard.buffer.getvalue() == b"text"


def test_outputs_are_checked_before_any_work(tmp_path):
    (tmp_path / "file").write_text("")
    for path, text in [
        (tmp_path, "is a folder; name a file in it"),
        (tmp_path / "a.gif", r"unknown ending '\.gif'; give one of \.csv"),
        (tmp_path / "file" / "a.csv", "cannot be written"),
    ]:
        with pytest.raises(Complaint, match=text):
            check_output(path, (".csv",))
    for path in (None, Path("-"), tmp_path / "new" / "a.csv", Path("/dev/null")):
        check_output(path, (".csv",))
    check_folder(tmp_path / "new" / "folder")
    with pytest.raises(Complaint, match="is no folder"):
        check_folder(tmp_path / "file" / "folder")


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Complaint, match=r"file/out\.csv: cannot be written"):
        save(tmp_path / "file" / "out.csv", b"")


def test_a_name_that_is_too_long_is_an_error_like_others(tmp_path):
    with pytest.raises(Complaint, match="cannot be read"):
        open_source(tmp_path / ("x" * 5000 + ".csv"), (".csv",))
    with pytest.raises(Complaint, match="cannot be written"):
        check_output(tmp_path / ("x" * 5000))
