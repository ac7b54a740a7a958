from simplexcoding.persistence.refusal import ModelFileError, Refusal


def test_a_refusal_tells_the_way_to_the_value():
    refusal = Refusal("has shape (3,)").inside("weights").inside("function_")
    assert str(refusal) == "function_.weights has shape (3,)"
    assert str(Refusal("is no model file")) == "is no model file"


def test_users_catch_it_as_a_value_error():
    assert issubclass(ModelFileError, ValueError)
