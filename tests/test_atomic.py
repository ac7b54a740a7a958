import os
import stat
import subprocess
import sys
import threading

import pytest

from simplexcoding import atomic
from simplexcoding.atomic import open_atomically, write_atomically


@pytest.fixture(params=["nameless", "named"])
def kind(request, monkeypatch):
    """With files that have no name until they are whole, and without."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)


@pytest.mark.usefixtures("kind")
def test_replaces_a_file_and_leaves_nothing_beside_it(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, b"old")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch, step):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files have names here")
def test_a_killed_write_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    program = (
        "import os, signal, sys; from pathlib import Path; from simplexcoding import atomic;"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL);"
        "atomic.write_atomically(Path(sys.argv[1]), b'new' * 10**6)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)])
    assert done.returncode == -9
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.usefixtures("kind")
def test_a_new_file_has_the_mode_that_the_user_wants(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "file", b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


@pytest.mark.usefixtures("kind")
def test_links_stay_and_what_they_point_to_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "file", tmp_path / "link"
    link.symlink_to(target)
    for text in (b"one", b"two"):
        write_atomically(link, text)
        assert link.is_symlink() and target.read_bytes() == text


def test_links_that_go_round_are_an_error_and_stay(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        write_atomically(one, b"text")
    assert one.is_symlink() and two.is_symlink()


def test_pipes_and_devices_stay_what_they_are(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, b"text")
    reader.join(10)
    assert found == [b"text"] and stat.S_ISFIFO(pipe.stat().st_mode)
    write_atomically(atomic.Path("/dev/null"), b"text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_pieces_are_there_together_or_not_at_all(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError), open_atomically(path) as stream:
        stream.write(b"ne")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    with open_atomically(path) as stream:
        stream.write(b"ne")
        stream.write(b"w")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]
