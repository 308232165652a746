# Needs make and Python 3.11 or newer, nothing else. With uv on the path it is used instead of pip, and takes a third of the time.
#
#   make                        the environment, in .venv (a second `make` does nothing)
#   make test                   everything that must hold before a change lands
#   make demo                   the whole pipeline against a stand-in for the clouds, no network and no account needed
#   make lock                   requirements.lock anew from pyproject.toml (UPGRADE=1: newest versions of everything)
#   make check-recorded DIR=…   the sources' SQL and the form of the feeds against recorded payloads kept outside the repository
#   make check-server           a real Prefect server, worker and schedules against the stand-in (some minutes)
#   make judges                 SkyPilot's and gpuhunt's fetchers on the stand-in, against ours; an environment of 400 MB
#   make clean                  removes the environment and the tools' caches

PYTHON ?= python3
VENV := .venv
JUDGES := .venv-judges
BIN := $(VENV)/bin
READY := $(VENV)/ready
PACKAGES := flows connectors warehouse reports
UV := $(shell command -v uv 2>/dev/null)
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))

.PHONY: environment test demo lock check-recorded check-server judges clean
environment: $(READY)

# The stamp is touched last: an install that was interrupted is taken up again by the next make. An environment that works
# is kept, whichever Python made it; `make clean` first to change that.
# Bytecode is compiled here, because where Python writes none (PYTHONDONTWRITEBYTECODE) every start would pay a second or two.
# The project itself is built by the locked build backend (--no-build-isolation), so that nothing unhashed is fetched.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c '$(NEW_ENOUGH)' 2>/dev/null || { \
	    echo "gpu-prices needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1 | tail -n 1). Name another: make PYTHON=python3.12" >&2; exit 1; }
ifneq ($(UV),)
	@echo "Installing into $(VENV) with uv"
	@$(BIN)/python -c '$(NEW_ENOUGH)' 2>/dev/null || \
	    $(UV) venv --quiet --clear --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" $(VENV)
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes --compile-bytecode requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
else
	@echo "Installing into $(VENV) with pip (a minute or two)"
	@{ $(BIN)/python -c '$(NEW_ENOUGH)' && $(BIN)/python -m pip --version; } >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile --require-hashes --requirement requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@# A package may ship a file in the syntax of a newer Python, which it imports only there: it stays uncompiled.
	@$(BIN)/python -m compileall -q -j 0 $(VENV)/lib >/dev/null || :
endif
	@$(BIN)/python -m compileall -q $(PACKAGES) || :
	@touch $@
	@echo "Ready: $(BIN)/gpu-prices --help"

test: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist loadfile --hypothesis-profile ci

demo: $(READY)
	$(BIN)/gpu-prices demo

lock: $(READY)
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) \
	    --quiet --output-file requirements.lock
	$(BIN)/uv pip compile tests/judges/requirements.in --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) \
	    --quiet --output-file tests/judges/requirements.lock

check-recorded: $(READY)
	@test -d "$(DIR)" || { echo "Say where the recorded payloads are: make check-recorded DIR=path/to/data" >&2; exit 2; }
	GPU_PRICES_RECORDED="$(abspath $(DIR))" $(BIN)/pytest tests/recorded

check-server: $(READY)
	$(BIN)/python -m tests.server.check_server

$(JUDGES)/ready: tests/judges/requirements.lock $(READY)
	@echo "Installing the judges into $(JUDGES)"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(JUDGES)
	@$(BIN)/uv pip sync --quiet --python $(JUDGES)/bin/python --require-hashes tests/judges/requirements.lock
	@touch $@

judges: $(JUDGES)/ready
	$(BIN)/python -m tests.judges $(JUDGES)/bin/python

clean:
	rm -rf $(VENV) $(JUDGES) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +
