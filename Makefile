# The lab's commands; `make` alone lists them.  Without make: python grader VERB
#
#   PYTHON=python3.12    the Python that sets up the environment
#   VENV=folder          a ready environment to use as it is; nothing is installed
#   LAB=file             another lab.py than the one here

MAKEFLAGS += --no-print-directory
PYTHON ?= python3
SET_UP := $(if $(filter undefined,$(origin VENV)),yes)
VENV ?= .venv
PY = "$(VENV)/bin/python"
INSTALL_IT = install Python 3.11 or newer, or name the one that you have: make PYTHON=python3.12 ...
FIND_PYTHON = command -v "$(PYTHON)" >/dev/null || { echo 'there is no $(PYTHON) here: $(INSTALL_IT)' >&2; exit 2; }

ifneq ($(origin LAB),undefined)
export LAB
endif

# Every NAME=value that was typed, as one word for the grader, which knows what each verb takes.
TYPED = $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
AS_IS = '$(subst ','\'',$(1))'
WORDS = $(foreach name,$(sort $(filter-out PYTHON VENV NO_COLOR,$(TYPED))),$(call AS_IS,$(name)=$(value $(name))))
ANY_PYTHON = if test -x $(PY); then $(PY) grader $(1); else $(FIND_PYTHON); "$(PYTHON)" grader $(1); fi

VERBS = test watch debug trace report run play board ladder match update
.PHONY: help ready $(VERBS)

help::
	@echo 'make test                         grade lab.py'
	@echo 'make test PART=2                  one part of it'
	@echo 'make test K=alphabeta             cases with this word in name or function'
	@echo 'make test V=1                     every case in a line'
	@echo 'make test LAB=file OUT=file.json  another lab.py, and where its results go'
	@echo 'make test ARGS="-x --lf"          with options of pytest: what failed before'
	@echo 'make watch                        grade again on every save'
	@echo 'make debug CASE=name              a case in the debugger; CALL=2: its 2nd call'
	@echo 'make trace CASE=name              a search as a page; PLAIN=1: in the terminal'
	@echo 'make report                       the score sheet as a page, with what failed'
	@echo 'make run ARGS="zero_by 10 1 2"    solve a game with your solve and your ZeroBy'
	@echo 'make play                         a game against your own code'
	@echo 'make play ARGS="nim --minnie minimax:3"  other games, other players'
	@echo 'make board                        the same games in your browser'
	@echo 'make ladder                       your search against stronger and stronger players'
	@echo 'make ladder RUNG=5 BUDGET=500     one of them; fewer evaluations for each move'
	@echo 'make match OTHER=old_lab.py       did a change make your search play better?'
	@echo 'make update                       take the newest kit; lab.py stays as it is'

$(VERBS): ready
	@$(PY) grader $@ $(WORDS)

# The environment is made once, and again when requirements.txt has changed or its Python is gone.
ready:
ifeq ($(SET_UP),yes)
	@test -x $(PY) && cmp -s requirements.txt "$(VENV)/requirements.txt" || { $(FIND_PYTHON); "$(PYTHON)" grader/environment.py "$(VENV)" requirements.txt; }
else
	@test -x $(PY) || { echo 'VENV=$(VENV) holds no bin/python; name an environment, or leave VENV out' >&2; exit 2; }
endif

# What else is typed, and folders that are named much like a command: the grader says which command is meant.
.PHONY: boards tests
.DEFAULT:
	@$(call ANY_PYTHON,$(call AS_IS,$@))
boards tests:
	@$(call ANY_PYTHON,$@)

ifneq ($(wildcard staff/Makefile),)
include staff/Makefile
endif
