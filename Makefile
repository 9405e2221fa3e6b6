# Everything runs in its own environment, .venv, made on first use from settings.ini.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Compiled when first imported and kept: to compile all that is installed would take longer than to install it.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
PYTEST := $(BIN)/python -m pytest -n logical --maxprocesses 8 --dist worksteal
.PHONY: help demo test tests check all lint coverage mutants parity lab book docs preview dist bench tensors spark clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/run.done ## Score two sample runs, and show where the better one lost
	@$(BIN)/ndcg demo

test: $(VENV)/test.done ## Check style and types, run every notebook and every guard of behaviour
	@$(MAKE) --no-print-directory --jobs 2 lint tests

tests: $(VENV)/test.done # what `test` runs beside `lint`
	$(PYTEST) -q -m "not slow"

check: $(VENV)/test.done lint ## While working: style, types, the notebooks touched, the tests about them (or ALL=1)
	HYPOTHESIS_EXAMPLES=15 $(PYTEST) -q -m "not slow and not long" $(if $(ALL),,--touched)

all: $(VENV)/dev.done lint coverage mutants ## As test, with the site, the wheel, Lab, the shell page, a browser, every line and planted bugs

coverage: $(VENV)/dev.done ## Run every test, with more examples; every line of the package must have been run
	HYPOTHESIS_EXAMPLES=150 $(PYTEST) -q --cov --cov-report=term

mutants: $(VENV)/dev.done ## Plant every known bug, and see its test fail
	$(BIN)/python tests/mutants.py

parity: ## Install other tools in an environment of their own, run them beside ours, and ask each which settings it has
	$(MAKE) VENV=$(VENV)-parity $(VENV)-parity/evaluators.done $(VENV)-parity/parity.done
	$(VENV)-parity/bin/python -m pytest -q -rs tests/parity.py

lint: $(VENV)/test.done ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lab: $(VENV)/dev.done ## Open the book in JupyterLab
	@$(BIN)/jupyter trust nbs/*.ipynb nbs/*/*.ipynb > /dev/null # or Lab shows no pictures until a cell has run
	$(BIN)/jupyter lab nbs

book: $(VENV)/dev.done ## After editing a notebook: format, export, run (or only NB="02_ideal sway"), clean, make README.md
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python docs/book.py $(NB)

docs: $(VENV)/dev.done ## Build the site into _docs/
	$(BIN)/python docs/build.py

preview: $(VENV)/dev.done ## Serve the site, and rebuild it on change
	$(BIN)/python docs/build.py preview

dist: $(VENV)/dev.done ## Build the source archive, and the wheel from it, into dist/
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*

bench: $(VENV)/bench.done ## Time ours beside its peers; LARGE=1: 100 million rows, too; BEFORE=folder: that checkout, too
	@$(BIN)/python tests/bench $(if $(BEFORE),--before $(BEFORE))
	$(if $(LARGE),@$(BIN)/python tests/bench large)

tensors: $(VENV)/tensors.done ## Add PyTorch, JAX and XGBoost, without which their tests are skipped

spark: $(VENV)/spark.done ## Add PySpark, which needs Java 17, and without which its tests are skipped

clean: ## Remove the environment and everything generated
	rm -rf $(VENV) $(VENV)-parity build dist _docs _pages _proc jupyter_execute *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.done: settings.ini setup.py | $(BIN)/python
	$(PIP) -e .
	@touch $@

# test, dev, bench, tensors, spark: what an extra of settings.ini adds
$(VENV)/%.done: settings.ini setup.py | $(BIN)/python
	$(PIP) -e '.[$*]'
	@ln -sf $(abspath docs/quarto) $(BIN)/quarto # for nbdev, which is content if README.md is newer than its notebook
	@touch $@ $(VENV)/run.done $(if $(filter dev,$*),$(VENV)/test.done) README.md
