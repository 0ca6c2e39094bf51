"""Ready bundles for the services that grade a push or an upload: make gradescope, make classroom50.

contents.py   what a bundle is made of: the release without its lab.py, the reports, hidden cases
archive.py    a zip with the same bytes every time, and the proof that it grades
programs/     what each service starts
gradescope.py, classroom50.py
              the commands

Another service takes `build/results.json`: docs/grading.md has its fields.
"""
