"""The words of a command of the staff's, read; and what is wrong in them, said in one line."""

import argparse
from typing import NoReturn

from grader.refusal import tell


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that tells a mistake as all commands do."""

    def error(self, message: str) -> NoReturn:
        tell(f"{message}; {' '.join(self.format_usage().split())}")
        raise SystemExit(2)
