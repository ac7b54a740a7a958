def test_its_text_alone_is_shown_and_the_code_is_2(outcome, flowers, tmp_path):
    code, out, err = outcome("fit", flowers, "-t", "kind", "-o", tmp_path / "m")
    there = "'length', 'width', 'petal', 'sepal', 'species'"
    assert err == f"simplexcoding: {flowers}: no column 'kind'; there are {there}.\n"
    assert (code, out) == (2, "") and not (tmp_path / "m").exists()
