from simplexcoding.cli import arguments


def test_every_shared_argument_says_what_it_is():
    shared = [value for name, value in vars(arguments).items() if hasattr(value, "__metadata__")]
    assert len(shared) > 10
    assert all(value.__metadata__[0].help for value in shared)
