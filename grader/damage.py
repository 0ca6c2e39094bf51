"""Names the file of the kit that is missing or broken, and says how to bring it back.

Needs as little of the kit as can be: what is imported here cannot be named by it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.finder import PACKAGES
from grader.kit import KIT
from grader.pipe.words import harmless


def sentence_for_damage(error: Exception, updating: bool) -> str:
    """What to say of an error that comes from a file of the kit; empty where it comes from none.

    `updating` says that `make update` met it, and so cannot be the way back.
    """
    from grader.release import MASTER, look_at, release_here

    release = release_here()
    named = list(dict.fromkeys(_named_by(error)))
    if release != MASTER:
        changed = [name for name in look_at(KIT, release).edited if name.startswith(PACKAGES)]
        named = [name for name in [*named, *_passed_by(error)] if name in changed][:1] or changed
    if _is_bad_file(error) and (release == MASTER or not named):
        return str(error)
    if not named:
        return ""
    return f"{_what_is_wrong(named, error)}; {way_back(named, with_update=release != MASTER and not updating)}"


def way_back(names: Sequence[str], with_update: bool = True) -> str:
    """How to bring files of the kit back, as the end of a sentence."""
    them = "it" if len(names) == 1 else "them"
    return f"{'make update, or ' if with_update else ''}git checkout -- {' '.join(names[:3])}, brings {them} back"


def _what_is_wrong(names: list[str], error: Exception) -> str:
    missing = [name for name in names if not (KIT / name).exists()][:3]
    if missing:
        return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing, and belongs to the kit"
    if _is_bad_file(error):
        return str(error)
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{', '.join(names[:3])}, of the kit, is not as it was ({harmless(reason, 120)})"


def _named_by(error: Exception) -> Iterator[str]:
    """The files of the kit that an error speaks of, and those that are no Python."""
    if isinstance(error, ImportError) and (error.name or "").startswith(PACKAGES):
        path = KIT.joinpath(*(error.name or "").split("."))
        yield from _of_the_kit(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))
    for name in (getattr(error, "file", None), getattr(error, "filename", None)):
        if isinstance(name, (str, Path)):
            yield from _of_the_kit(Path(name))
    for file in sorted(file for package in PACKAGES for file in KIT.glob(f"{package}/**/*.py")):
        try:
            compile(file.read_bytes(), str(file), "exec")
        except (ValueError, SyntaxError, OSError):
            yield from _of_the_kit(file)


def _is_bad_file(error: Exception) -> bool:
    """Whether this is a BadFile, whose text names the file; boards/reading.py may be what is broken."""
    return type(error).__name__ == "BadFile"


def _passed_by(error: Exception) -> Iterator[str]:
    """The files of the kit that an error came through, the innermost first."""
    import traceback  # which only a broken kit needs

    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        yield from _of_the_kit(Path(frame.filename))


def _of_the_kit(file: Path) -> Iterator[str]:
    if file.is_relative_to(KIT) and file.relative_to(KIT).parts[0] in PACKAGES:
        yield file.relative_to(KIT).as_posix()
