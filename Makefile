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

# A name that is not known, or that a command does not take, would say nothing.
OF_STAFF = COURSE FAST RIVALS FROM ROSTER WHO AGAIN ISOLATE SCHEDULER SEED ONTIME LOWER UNGRADED OVER FILE FRESH TIMES ORG \
	BEFORE PREFIX
NAMES = ARGS CALL CASE ITEMIZED K LAB OUT PART PLAIN PORT PYTHON V VENV$(if $(wildcard staff/Makefile), $(OF_STAFF))
OF_SOME = CALL CASE K OUT PART PLAIN V
TYPED := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
UNKNOWN := $(if $(filter 0,$(MAKELEVEL)),$(filter-out $(NAMES) NO_COLOR,$(TYPED)))
AS_IS = '$(subst ','\'',$(1))'
ANY_PYTHON = if test -x $(PY); then $(PY) grader $(1); else $(FIND_PYTHON); "$(PYTHON)" grader $(1); fi
ifneq ($(UNKNOWN),)
SAID := $(shell $(call ANY_PYTHON,$(call AS_IS,$(firstword $(UNKNOWN))=)) 2>&1)
$(error $(if $(findstring there is no $(firstword $(UNKNOWN))=,$(SAID)),$(SAID),there is no $(firstword $(UNKNOWN))=; there are $(NAMES)))
endif
takes = $(foreach name,$(filter $(filter-out $(1),$(OF_SOME)),$(TYPED)),$(error \
	make $@ takes no $(name)=$(if $(1),; it takes $(1:%=%=))))

.PHONY: help test watch debug trace report run play board update ready

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
	@echo 'make update                       take the newest kit; lab.py stays as it is'

test: ready
	@$(call takes,PART K CASE V OUT)$(PY) grader test $(if $(OUT),--out "$(OUT)") $(if $(PART),--part "$(PART)") $(if $(K)$(CASE),--k "$(K) $(CASE)") $(if $(filter-out 0,$(V)),--v) $(ARGS)

watch: ready
	@$(call takes,)$(PY) grader watch $(ARGS)

debug: ready
	@$(call takes,CASE CALL)$(PY) grader debug $(if $(CASE),--case "$(CASE)") $(if $(CALL),--call "$(CALL)") $(ARGS)

trace: ready
	@$(call takes,CASE CALL PLAIN)$(PY) grader trace $(if $(CASE),--case "$(CASE)") $(if $(CALL),--call "$(CALL)") $(if $(filter-out 0,$(PLAIN)),--plain "$(PLAIN)") $(ARGS)

report: ready
	@$(call takes,)$(PY) grader report $(ARGS)

run: ready
	@$(call takes,)$(PY) grader run $(ARGS)

play: ready
	@$(call takes,)$(PY) grader play $(ARGS)

board: ready
	@$(call takes,)$(PY) grader board $(ARGS)

update: ready
	@$(call takes,)$(PY) grader update $(ARGS)

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
