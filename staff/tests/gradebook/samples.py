"""Downloads as courses' systems export them, made of what a row of collect.yaml
says.
"""

import io
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LINK = 0o120777 << 16


def contents(given: Any) -> bytes:
    """The bytes of a file: a text; or a mapping with one word, hex, utf-16, size (of
    newlines), repeat or zip.
    """
    match given:
        case {"hex": digits}:
            return bytes.fromhex(digits)
        case {"utf-16": text}:
            return str(text).encode("utf-16")
        case {"size": size}:
            return b"\n" * int(size)
        case {"zip": files}:
            return zipped(files)
        case {"repeat": [beginning, line, number]}:
            return str(beginning).encode() + str(line).encode() * int(number)
        case {"broken": files}:
            return zipped(files)[:-30]
    return str(given).encode()


def zipped(files: Mapping[str, Any]) -> bytes:
    """A zip of files; one that is a `link`, `encrypted` or packed by `bzip2` is so."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, given in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = (
                zipfile.ZIP_BZIP2 if given == {"bzip2": True} else zipfile.ZIP_DEFLATED
            )
            if isinstance(given, dict) and "link" in given:
                info.external_attr, given = LINK, given["link"]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a name that stands twice
                archive.writestr(info, contents(given))
    data = stream.getvalue()
    if {
        "encrypted": True
    } in files.values():  # the flag, in the local and in the central header
        for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            at = data.index(mark) + place
            data = data[:at] + b"\1" + data[at + 1 :]
    return data


def lay(folder: Path, files: Mapping[str, Any]) -> Path:
    """Files in a folder: a name that ends with .zip at its top is a zip of what it
    holds.
    """
    for name, given in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(given, dict) and "link" in given:
            file.symlink_to(given["link"])
        elif (
            name.endswith(".zip")
            and isinstance(given, dict)
            and not {"zip", "broken", "hex", "repeat"} & given.keys()
        ):
            file.write_bytes(zipped(given))
        else:
            file.write_bytes(contents(given))
    return folder
