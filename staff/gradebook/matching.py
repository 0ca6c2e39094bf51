"""Whose file it is: the keys that its place gives, looked up in the roster.  Nobody is ever guessed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from staff.gradebook.roster import Key, Student, form_of

AT_THE_END = " at the end"
_MAY_MISS = ("team", "sid", "email")  # after which others are tried; any other key decides, if the roster has its kind


class Matcher:
    """Finds students by keys; a team's members stand for it."""

    def __init__(self, students: Sequence[Student], teams: Mapping[str, tuple[str, ...]]) -> None:
        self.ids = [student.id for student in students]
        self._known: dict[str, dict[str, list[tuple[str, ...]]]] = defaultdict(lambda: defaultdict(list))
        for student in students:
            for kind, value in student.keys:
                self._known[kind][form_of(kind, value)].append((student.id,))
        for name, members in teams.items():
            self._known["team"][form_of("team", name)].append(members)

    def students_of(self, keys: Iterable[Key]) -> list[tuple[str, ...]]:
        """Whom the keys of one owner fit: nobody, one student or team, or several between whom nothing decides."""
        for kind, value in keys:
            ends, kind = kind.endswith(AT_THE_END), kind.removesuffix(AT_THE_END)
            known = self._known.get(kind)
            if not known or not value:
                continue
            value = form_of(kind, value)
            fitting = [each for each in known if value.endswith(each) and not value[: -len(each)][-1:].isalnum()]
            found = max(fitting, key=len, default="") if ends else value
            if found in known or kind not in _MAY_MISS:
                return known.get(found, [])
        return []
