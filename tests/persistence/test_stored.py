import pytest

from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Sizes, Stored


def test_a_letter_is_one_length():
    sizes = Sizes()
    sizes.match(("n", "T"), (5, 3))
    sizes.match(("T", "2"), (3, 2))
    with pytest.raises(Refusal, match="has length 4 where T = 3"):
        sizes.match(("T",), (4,))
    with pytest.raises(Refusal, match="has length 3 where 2 = 2"):
        sizes.match(("2",), (3,))
    with pytest.raises(Refusal, match=r"has shape \(3,\), expected \(n, T\)"):
        sizes.match(("n", "T"), (3,))


def test_records_share_classes_and_features_only():
    stored = Stored()
    stored.sizes.match(("n", "T", "p"), (5, 3, 4))
    with stored.scope():
        stored.sizes.set("n", 6)
        assert stored.sizes["T"] == 3
    assert stored.sizes["n"] == 5
    with pytest.raises(Refusal, match="before what tells m"):
        stored.sizes["m"]


@pytest.mark.parametrize("number", [-1, 1, True, "0", None, [0]])
def test_an_array_is_taken_by_its_number(number):
    with pytest.raises(Refusal, match="names no array"):
        Stored(["array"]).take(number)


def test_an_array_belongs_to_one_place():
    stored = Stored(["array"])
    assert stored.take(0) == "array"
    with pytest.raises(Refusal, match="names no array of its own"):
        stored.take(0)
