from simplexcoding.solvers.solution import Status


def test_every_way_to_end_but_success_says_what_to_do():
    assert all(status.advice.strip() for status in Status)
    assert len({status.advice for status in Status}) == len(Status)
