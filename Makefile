# Every target makes the virtual environment it needs; only make and Python 3.11+ are required.
PYTHON ?= python3
VENV   := .venv
# The peers that are measured against pin old versions of numpy and numba, so they live apart.
PEERS  := .venv-bench
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test check format bench docs clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

demo: $(VENV)/.demo  ## the paper's table on bundled data, report in demo_output/
	$(BIN)/simplexcoding demo --output demo_output

test: $(VENV)/.dev  ## run the tests
	$(BIN)/python -m pytest

check: $(VENV)/.dev  ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev  ## format the code and mend what lint can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(PEERS)/.bench  ## benchmarks; ONLY=name picks one, QUICK=1 takes small sizes
	$(PEERS)/bin/python -m benchmarks $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick)

docs: $(VENV)/.docs  ## build the documentation in docs/_build/html
	rm -rf docs/generated docs/gallery  # pages of names that are gone
	$(BIN)/sphinx-build -E -W --keep-going -b html docs docs/_build/html

clean:  ## remove what the targets made, the virtual environments too
	rm -rf $(VENV) $(PEERS) build dist demo_output docs/_build docs/generated docs/gallery \
		.pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

%/.made:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or later is needed"'
	$(PYTHON) -m venv $(@D)
	touch $@

# One stamp for each set of extras, so that a second run installs nothing.
$(VENV)/.demo: EXTRAS = cli
$(VENV)/.dev: EXTRAS = dev
$(VENV)/.docs: EXTRAS = docs
$(PEERS)/.bench: EXTRAS = bench
$(VENV)/.demo $(VENV)/.dev $(VENV)/.docs: $(VENV)/.made pyproject.toml
$(PEERS)/.bench: $(PEERS)/.made pyproject.toml
$(VENV)/.demo $(VENV)/.dev $(VENV)/.docs $(PEERS)/.bench:
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	touch $@

.PRECIOUS: %/.made
