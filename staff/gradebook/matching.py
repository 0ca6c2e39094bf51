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
            at_end, kind = kind.endswith(AT_THE_END), kind.removesuffix(AT_THE_END)
            known = self._known.get(kind)
            if not known or not value:
                continue
            starts = [at for at in range(len(value)) if at_end and not value[at - 1 : at].isalnum()]
            ends = (form_of(kind, value[at:]) for at in starts)
            found = next((end for end in ends if end in known), form_of(kind, value))  # the longest one
            if found in known or kind not in _MAY_MISS:
                return known.get(found, [])
        return []
