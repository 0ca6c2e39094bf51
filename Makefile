# The lab's commands; `make` alone lists them.  Without make: python grader VERB
#
#   PYTHON=python3.12    set up the environment with this Python
#   VENV=folder          use this existing environment as it is; install nothing
#   LAB=file             grade this file instead of lab.py

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
	@echo 'Grade your work:'
	@echo 'make test                         grade lab.py'
	@echo 'make test PART=2                  grade one part of it'
	@echo 'make test K=alphabeta             run only the cases that match this word'
	@echo 'make test V=1                     list every case'
	@echo 'make test LAB=file OUT=file.json  grade another file and save its results'
	@echo 'make test ARGS="-x --lf"          use options of pytest: rerun what failed'
	@echo 'make watch                        grade again whenever you save'
	@echo 'make report                       show the score sheet as a web page'
	@echo
	@echo 'Find a mistake:'
	@echo 'make debug CASE=name              debug a case; CALL=2: debug its second call'
	@echo 'make trace CASE=name              replay a search as a page; PLAIN=1: as text'
	@echo
	@echo 'Use your functions:'
	@echo 'make run ARGS="zero_by 10 1 2"    solve a game, using your solve and ZeroBy'
	@echo 'make play                         play against your own code'
	@echo 'make play ARGS="nim --minnie minimax:3"  play other games and other players'
	@echo 'make board                        play in your browser'
	@echo 'make ladder                       climb from weak players to strong ones'
	@echo 'make ladder RUNG=5 BUDGET=500     play one rung, with fewer evaluations'
	@echo 'make match OTHER=old_lab.py       see whether a change made you play better'
	@echo
	@echo 'Update:'
	@echo 'make update                       fetch the newest kit; lab.py stays as it is'

$(VERBS): ready
	@$(PY) grader $@ $(WORDS)

# The environment is made once, and again when requirements.txt has changed or its Python is gone.
ready:
ifeq ($(SET_UP),yes)
	@test -x $(PY) && cmp -s requirements.txt "$(VENV)/requirements.txt" || { $(FIND_PYTHON); "$(PYTHON)" grader/environment.py "$(VENV)" requirements.txt; }
else
	@test -x $(PY) || { echo 'VENV=$(VENV) holds no bin/python; name an environment, or leave VENV out' >&2; exit 2; }
endif

# Unknown words, and folders with almost the name of a command (`make tests`): the grader suggests the right one.
.PHONY: boards tests
.DEFAULT:
	@$(call ANY_PYTHON,$(call AS_IS,$@))
boards tests:
	@$(call ANY_PYTHON,$@)

ifneq ($(wildcard staff/Makefile),)
include staff/Makefile
endif
