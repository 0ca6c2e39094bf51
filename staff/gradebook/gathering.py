"""What lies in downloads: the files that were handed in, read, and what is left over."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from grader.protocol.words import harmless, plural
from grader.refusal import Refusal
from staff.gradebook.archives import Item, Unreadable, items_of, items_of_zip
from staff.gradebook.formats import METADATA, PLAIN, PUSHES, Found, Owners, found_at, recognised
from staff.gradebook.labs import Lab, is_lab, read_lab
from staff.gradebook.matching import Matcher
from staff.gradebook.tables import LARGEST, parse_table

MOST_ROWS = 5  # of a submission without a lab.py


@dataclass
class Gathered:
    """The files handed in, each with its system and what it holds; the formats recognised; what is left over.

    `beside` is how many lie beside a lab.py.
    """

    handed: list[tuple[str, Found, Lab]] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    beside: int = 0


def gather(origin: Path, roster: Path | None, matcher: Matcher) -> Gathered:
    """Read a folder or zip of downloads; the roster in it is no submission.  Raises Refusal."""
    gathered, rest = Gathered(), []
    if not origin.exists():
        raise Refusal(f"there is no {origin}; FROM= is the folder or zip that was downloaded")
    for item in items_of(origin) if origin.is_dir() else []:
        if "/" not in item.path and item.path.endswith(".zip") and not matcher.students_of([("id", item.path[:-4])]):
            _open(gathered, origin / item.path, matcher)
        elif not (roster and (origin / item.path).resolve() == roster.resolve()):
            rest.append(item)
    if origin.is_dir():
        _read(gathered, harmless(origin.resolve().name), rest, matcher)
    else:
        _open(gathered, origin, matcher)
    return gathered


def _open(gathered: Gathered, archive: Path, matcher: Matcher) -> None:
    try:
        _read(gathered, harmless(archive.name), items_of_zip(archive), matcher)
    except Unreadable as error:
        gathered.left.append(f"{harmless(archive.name)} {error}")


def _read(gathered: Gathered, name: str, items: list[Item], matcher: Matcher) -> None:
    """Add what a folder or zip of this name holds."""
    items = [replace(item, path=harmless(item.path)) for item in items]
    way = recognised(name, items)
    tops = {item.path.partition("/")[0] for item in items}
    flat = any(is_lab(item.path) and item.path.count("/") < 2 for item in items)  # then the folder is somebody's
    if way is PLAIN and len(tops) == 1 and not flat and not matcher.students_of([("id", min(tops))]):
        items = [replace(item, path=item.path.partition("/")[2] or item.path) for item in items]  # a folder around all
    facts, groups = dict(_facts(items)), defaultdict(list)
    for item in items:
        place = way.match(f"{name}/{item.path}")
        if place and (found := found_at(way, place, item, facts)):
            groups[found.group].append(found)
        elif not place and Path(item.path).name not in (METADATA, PUSHES):
            gathered.left.append(f"{name}/{item.path}")
    for group, files in groups.items():
        chosen = _chosen(group, files)
        gathered.handed += [(way.system, *each) for each in chosen]
        gathered.beside += len(files) - len(chosen)
    if groups:
        count = plural(sum(map(len, groups.values())), "file")
        gathered.formats.append(f"{name}: {way.system}, {count} {way.says}".rstrip())


def _chosen(group: str, files: list[Found]) -> list[tuple[Found, Lab]]:
    """Of files handed in together those that are a lab.py; if there is none, all of them, with why they are none."""
    named = [found for found in files if is_lab(found.name) and "/" not in found.name]
    named = named or [found for found in files if is_lab(found.name) or found.name == found.source]
    if not named and len(files) > MOST_ROWS:
        return [(replace(files[0], source=group), Lab(reason=f"holds {len(files)} files, and no lab.py"))]
    read = [(found, read_lab(found.item, found.name, bool(named))) for found in named or files]
    return [each for each in read if not each[1].reason] or read


def _facts(items: list[Item]) -> Iterator[tuple[str, tuple[Owners, str]]]:
    """What an export says of its submissions in files of its own.  Raises Refusal if one cannot be read."""
    for item in items:
        try:
            if item.path.split("/")[-1] == METADATA and item.path.count("/") <= 1:
                yield from _metadata(item.read(LARGEST))
            elif item.path == PUSHES:
                for _, row in parse_table(item.read(LARGEST), Path(PUSHES)).rows():
                    yield row["repository"], ((), row["pushed"])
        except (Unreadable, yaml.YAMLError, ValueError, KeyError, AttributeError, TypeError):
            raise Refusal(f"{harmless(item.path)} is not as its system writes it; download it again") from None


def _metadata(data: bytes) -> Iterator[tuple[str, tuple[Owners, str]]]:
    """Gradescope's: who handed in, and when."""
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # all is text
    for name, entry in yaml.load(data, loader).items():
        people = [(person.get(":sid") or "", person.get(":email") or "") for person in entry[":submitters"]]
        owners = tuple((("sid", sid), ("email", email), ("id", sid), ("id", email)) for sid, email in people)
        yield name, (owners, entry[":created_at"])
