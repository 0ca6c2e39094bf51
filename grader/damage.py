"""Names the file of the kit that is missing or broken, and says how to bring it back.

Needs as little of the kit as can be: what is imported here cannot be named by it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.finder import PACKAGES
from grader.kit import KIT
from grader.protocol.words import harmless
from grader.release import MASTER, look_at, release_here  # once lab.py is imported, nothing of the kit can be


def sentence_for_damage(error: Exception, updating: bool) -> str:
    """What to say of an error where files of the kit are not as they were; empty where all are, and it names none.

    `updating` says that `make update` met it, and so cannot be the way back.
    """
    release = release_here()
    names = [name for name in look_at(KIT, release).edited if name.startswith(PACKAGES)] or list(_named_by(error))
    if type(error).__name__ == "BadFile" and not names:  # its text names the file; its class may be broken
        return f"{error}; delete __pycache__ beside it, if that file is as it was" if release != MASTER else str(error)
    if not names:
        return ""
    missing = [name for name in names if not (KIT / name).exists()]
    if missing:
        wrong = f"{', '.join(missing[:3])} {'is' if len(missing) == 1 else 'are'} missing, and belongs to the kit"
    else:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        wrong = f"{', '.join(names[:3])}, of the kit, is not as it was ({harmless(reason, 120)})"
    return f"{wrong}{way_back(missing or names, release != MASTER, updating)}"


def way_back(names: Sequence[str], in_release: bool, updating: bool = False) -> str:
    """How to bring files of the kit back, as the end of a sentence; empty where that would throw edits away, which in
    the master copy no commit may have."""
    if not in_release and any((KIT / name).exists() for name in names):
        return ""
    update, them = "" if updating or not in_release else "make update, or ", "it" if len(names) == 1 else "them"
    return f"; {update}git checkout -- {' '.join(names[:3])}, brings {them} back"


def _named_by(error: Exception) -> Iterator[str]:
    """The file of the kit that an error speaks of, if it does."""
    file = getattr(error, "filename", None)
    if isinstance(error, ImportError) and error.name:
        path = KIT.joinpath(*error.name.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if file and Path(file).is_relative_to(KIT) and Path(file).relative_to(KIT).parts[0] in PACKAGES:
        yield Path(file).relative_to(KIT).as_posix()
