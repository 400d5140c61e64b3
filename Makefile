# One command each. Files, not habits, decide what is installed: see requirements/.
PYTHON ?= python3
ARGS ?=

# mkdocs-material's notice about its successor.
export NO_MKDOCS_2_WARNING := 1

# Who wants no compiled modules beside the sources gets them in .venv: without any, Nautobot takes
# twice as long to start, each time.
ifneq ($(PYTHONDONTWRITEBYTECODE),)
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/compiled
endif

BIN := .venv/bin
INSTALLED := .venv/installed
# What `make up` keeps: its database, secrets and logs.
STATE ?= .stack
# One seed for all runs of tests of one call.
ifndef FABRIC_TWIN_TEST_SEED
export FABRIC_TWIN_TEST_SEED := $(shell od -An -N3 -tu4 /dev/urandom | tr -d ' ')
endif
# Of how many models `make test` runs the tests that Nautobot brings: drawn anew in each run.
MODELS ?= 4
IN_NAUTOBOT = $(BIN)/python -m pytest tests/nautobot --numprocesses=auto --dist=loadscope --no-loadscope-reorder --models=$(MODELS)
# Two runs of tests, of which ARGS may choose some that one of them has none of; not both.
NONE = $(if $(ARGS),[ $$first = 5 ],false)
BOTH = first=0; $(1) $(ARGS) || first=$$?; [ $$first = 0 ] || $(NONE) || exit $$first; \
	second=0; $(2) $(ARGS) || second=$$?; [ $$second = 0 ] && exit; \
	[ "$$first$$second" = "$(if $(ARGS),05)" ] || { \
	[ $$first$$second = 55 ] && echo 'ARGS chose no test here; make test, test-programs, test-stack and test-day have each their own.'; \
	exit $$second; }
# An out-of-tree design, installed like a stranger's, keeps the entry-point seam honest.
PACKAGES := . $(patsubst %/pyproject.toml,%,$(wildcard tests/packages/static-torus/pyproject.toml))
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install up status down check test test-integration test-programs test-stack test-day test-all demo proof bench docs serve-docs refresh-docs empty-database check-database format lock messages wheel clean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(INSTALLED) ## Make .venv with the pinned tools and this package, editable

up: $(INSTALLED) ## Run the whole stack on this machine until Ctrl-C: Nautobot, its workers, a demo pod
	$(BIN)/fabric-twin up --state $(STATE) $(ARGS)

status: $(INSTALLED) ## Say what `make up` runs, and where (ARGS=--json)
	$(BIN)/fabric-twin status --state $(STATE) $(ARGS)

down: $(INSTALLED) ## Stop what `make up` runs; what it keeps in .stack stays
	$(BIN)/fabric-twin down --state $(STATE)

check: $(INSTALLED) ## Lint, format, types, layers, docs and release notes, without the tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/uv pip check --python $(BIN)/python
	$(BIN)/towncrier build --draft --version check >/dev/null
	$(if $(wildcard mkdocs.yml),$(BIN)/mkdocs build --quiet --strict --site-dir .venv/docs-check)

test: $(INSTALLED) ## Pass the tests that need no program beside them (ARGS='-k swap -n 0' for some)
	$(call BOTH,$(BIN)/python -m pytest -m 'not integration' --numprocesses=auto --benchmark-disable,$(IN_NAUTOBOT) -m 'not integration')

test-integration: test-programs test-stack test-day ## The tests that build, install, start or kill programs

test-programs: $(INSTALLED) ## Those of them that need no whole stack
	$(call BOTH,$(BIN)/python -m pytest -m integration --numprocesses=auto --dist=loadscope --no-loadscope-reorder --benchmark-disable,$(IN_NAUTOBOT) -m integration -p no:randomly)

test-stack: $(INSTALLED) ## The stack as `make up` runs it, in a browser, and while its parts are killed
	$(BIN)/python -m pytest tests/e2e --ignore=tests/e2e/day $(ARGS)

test-day: $(INSTALLED) ## A day's work on another such stack, with pages and phones alone
	$(BIN)/python -m pytest tests/e2e/day $(ARGS)

test-all: ## All tests, with Nautobot's own of all models and not of a few
	$(MAKE) test test-integration MODELS=0

empty-database: $(INSTALLED) ## Make the packaged database anew, once Nautobot or migrations moved: minutes
	$(BIN)/python -m tests.database.make

check-database: $(INSTALLED) ## Migrate anew, and compare the packaged database with that: minutes
	$(BIN)/python -m tests.database.check

demo: $(INSTALLED) ## Go once through all there is, the stack too, in a fresh folder, and say what happened
	$(BIN)/python tests/demo.py

proof: $(INSTALLED) ## Live through months, try thousands of examples, kill at every step: an hour and more
	$(BIN)/python -m tests.proofs.month --seeds 1 2 3 $(ARGS)
	$(BIN)/python -m tests.proofs.year --seeds 1
	$(BIN)/python -m tests.proofs.drift
	$(BIN)/python -m tests.proofs.growth --seeds 1 2
	$(BIN)/python -m tests.proofs.repairs --seeds 1
	$(BIN)/python -m tests.proofs.rewiring
	HYPOTHESIS_PROFILE=thousands $(BIN)/python -m pytest -m hypothesis --numprocesses=auto --timeout=0
	HYPOTHESIS_PROFILE=thousands $(BIN)/python -m pytest tests/diagnosis/test_explanations.py --numprocesses=auto --timeout=0
	HYPOTHESIS_PROFILE=thousands $(BIN)/python -m pytest tests/nautobot/audits/test_histories.py --numprocesses=0 --timeout=0
	$(BIN)/python -m tests.tickets.matrix
	FABRIC_TWIN_FUZZ=10000 $(BIN)/python -m pytest tests/nautobot/bounds/test_fuzz.py --numprocesses=2 --timeout=0
	FABRIC_TWIN_ALL_CELLS=1 $(BIN)/python -m pytest tests/nautobot/tickets/test_ticket_killing.py --numprocesses=0
	FABRIC_TWIN_ALL_CELLS=1 $(BIN)/python -m pytest tests/e2e/test_workers_killed.py
	FABRIC_TWIN_ALL_CELLS=1 $(BIN)/python -m pytest tests/e2e -m weekly
	FABRIC_TWIN_ALL_CELLS=1 $(BIN)/python -m pytest tests/nautobot -m weekly
	FABRIC_TWIN_ALL_CELLS=1 $(BIN)/python -m pytest tests/production
	$(MAKE) check-database

bench: $(INSTALLED) ## Measure against the budgets
	$(BIN)/python -m pytest tests/benchmarks -p no:randomly --benchmark-only --benchmark-columns=min,median,max,rounds $(ARGS)
	$(BIN)/python tests/benchmarks/growth.py
	$(BIN)/python tests/benchmarks/utilisation.py
	$(BIN)/python tests/benchmarks/rounds.py
	$(BIN)/python tests/benchmarks/app/loading.py
	$(BIN)/python tests/benchmarks/app/pages.py
	$(BIN)/python tests/benchmarks/app/auditing.py
	$(BIN)/python tests/benchmarks/app/tickets.py
	$(BIN)/python -m tests.e2e.under_load.people

docs: $(INSTALLED) ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

serve-docs: $(INSTALLED) ## Show the documentation on 127.0.0.1 while you write it
	$(BIN)/mkdocs serve --dev-addr 127.0.0.1:8000

refresh-docs: $(INSTALLED) ## Bring examples and shown output in the docs up to date (ARGS=--screenshot)
	$(BIN)/python docs/refresh.py $(ARGS)

format: $(INSTALLED) ## Format the code and mend what ruff can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: $(BIN)/uv ## Compile requirements/*.txt (ARGS=--upgrade for the newest)
	$(COMPILE) $(ARGS) requirements/bootstrap.in --output-file requirements/bootstrap.txt
	$(COMPILE) $(ARGS) pyproject.toml --output-file requirements/run.txt
	$(COMPILE) $(ARGS) --extra nautobot pyproject.toml --constraints requirements/run.txt --output-file requirements/production.txt
	$(COMPILE) $(ARGS) --all-extras pyproject.toml requirements/dev.in --constraints requirements/production.txt --output-file requirements/dev.txt

messages: $(INSTALLED) ## Compile gNMI's messages from OpenConfig's definition of them
	cd fabric_twin/dialects/gnmi && $(CURDIR)/$(BIN)/python -m grpc_tools.protoc --include_imports \
		-I. -Igithub.com/openconfig/gnmi/proto/gnmi_ext=. --descriptor_set_out=gnmi.binpb gnmi.proto

wheel: $(INSTALLED) ## Build wheel and sdist into dist/, to be installed elsewhere
	rm -rf dist
	$(BIN)/uv build --quiet --python $(BIN)/python --no-build-isolation --out-dir dist

clean: ## Remove everything that was made here, .venv included, but what `make up` keeps
	rm -rf .venv dist site .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(INSTALLED): $(BIN)/uv pyproject.toml requirements/dev.txt $(PACKAGES:%=%/pyproject.toml)
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements/dev.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation $(PACKAGES:%=--editable %)
	touch $@

# pip, not python: it is written last, so a half-made environment is made again.
$(BIN)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv --clear .venv

$(BIN)/uv: $(BIN)/pip requirements/bootstrap.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/bootstrap.txt
	touch $@
