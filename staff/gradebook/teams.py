"""Who hands in together, as `teams` of course.yaml says."""

from staff.strict.reading import Block


def read_teams(root: Block) -> dict[str, tuple[str, ...]]:
    """The members of each team, by its name.  BadFile if somebody is in two."""
    teams: dict[str, tuple[str, ...]] = {}
    for name, members in root.get("teams", {}).items():
        for member in members:
            if any(member in others for others in teams.values()):
                root["teams"].fail(f"{member} is in two teams; keep one", name)
        teams[name] = tuple(members)
    return teams
