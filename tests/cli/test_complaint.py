from simplexcoding.cli.complaint import Complaint


def test_its_text_is_what_is_shown():
    assert str(Complaint("file.csv: no column 'a'.")) == "file.csv: no column 'a'."
