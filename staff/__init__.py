"""What never ships: the tools of instructors, and the tests of the kit itself.

The rooms and files, from the top down:

    tests        the tests of the kit; tests/support/ is what several of them share
    check.py     `make check`
    coverage.py, tokens.py, words.py, plain_code.py   measures, with limits
    bench        `make bench`: how fast the kit is
    figures      `make figures`: how often the feedback is right
    demo.py      `make demo`, and the pages of docs/

    gradescope, classroom50   bundles for services; bundles.py has what both need, and
                 bundle_proof.py grades the model solution with a bundle
    reports      the programs that grade in a bundle
    league       a tournament of the class's Connect Four players
    gradebook    grades a class, explains each number, and publishes
    disguise     `make hidden`: makes hidden cases from public ones
    intake       the roster, the files that were handed in, and decisions of people
    farm         grades many submissions, on this machine or on several
    store        the database of a class
    templates    the pages and texts that a class and its staff read

    release      makes the student release from this tree, and checks it
    handout      the templates of the handout
    expectations.py    `make expectations`: fills in what the cases expect
    misconceptions.py  what known mistakes answer; answers.json keeps it
    reference_traces.py  how the model solution searches
    submissions  correct, incorrect and hostile submissions; wrong_labs.py reads the
                 known mistakes
    course       the rules of a course: course.yaml, late days, changes
    questions    a second set of questions for part 3
    kinds        how staff write cases of each kind
    strict       reads and checks everything that staff write in YAML
    model.py     asks the model solution
    call_graph.py   which names of a lab.py a function may reach

    verbs.py     the commands that exist only in the master copy, or do more there
    bank.py      the cases that `make test` grades with in the master copy
    stored.py    the files that `make expectations` writes
    environment.py  installs the packages that staff need; constraints.txt pins tools
    progress.py  the lines that a long command prints while it works
"""
