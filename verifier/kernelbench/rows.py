"""Rows of data sets in JSON, JSON Lines and Parquet, and the files of a KernelBench repository, read within bounds: a row that can't
be read is a `Problem` in its place, and the next one is read."""

import json
import os
import pathlib
import re
import stat

from refusal import Refused

MOST_ROW = 16 << 20  # bytes of a row's text
MOST_CODE = 1 << 20  # bytes of a task's source
MOST_FILE = 2 << 30  # bytes of a file of JSON, which is read whole


class SourceError(Refused):
    """A source that can't be read at all."""


class Problem:
    """Why a row can't be read."""

    def __init__(self, what):
        self.what = what


def opened(file, within=None):
    """The bytes of a regular file, opened. `within` is a folder that somebody handed over, of which no link may lead out, except
    to a blob of Hugging Face's cache (base/support/reading.hpp)."""
    if not stat.S_ISREG(os.stat(file).st_mode):  # opening a pipe would wait
        raise SourceError(f"{file} is no regular file", "name a file, or take it out of the folder")
    binary = open(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    place = pathlib.Path(os.readlink(f"/proc/self/fd/{binary.fileno()}"))
    blob = place.parent.name == "blobs" and place.parent.parent.name.startswith(("datasets--", "models--"))
    if stat.S_ISREG(os.fstat(binary.fileno()).st_mode) and (within is None or blob or place.is_relative_to(os.path.realpath(within))):
        return binary
    binary.close()
    raise SourceError(f"{file} leads out of the folder {within}, to {place}", "copy that file into the folder, if it is meant")


def files_of(path):
    """Returns the data files of a folder, or a file itself, each as (file, the folder or None)."""
    path = pathlib.Path(path)
    if not path.exists():
        raise SourceError(f"there is nothing at {path}")
    if not path.is_dir():
        return [(path, None)]
    found = [(p, path) for pattern in ("*.json", "*.jsonl", "*.parquet", "data/*.parquet", "data/*.jsonl", "data/*.json")
             for p in path.glob(pattern) if not p.name.startswith((".", "dataset_info"))]
    if not found:
        raise SourceError(f"there are no rows in {path}", "name a file or folder with .json, .jsonl or .parquet files")
    return sorted(found)


def rows_of(file, within=None, columns=()):
    """The rows of a file, each a dictionary or a Problem, numbered from 1 in their order."""
    kind = file.suffix.lower()
    if kind == ".jsonl":
        return _lines(opened(file, within))
    if kind == ".json":
        return _json(file, opened(file, within))
    if kind == ".parquet":
        return _parquet(file, within, columns)
    raise SourceError(f"{file} is neither .json, .jsonl nor .parquet", "name a file of one of these kinds")


def _checked(row):
    if not isinstance(row, dict):
        return Problem(f"it is {type(row).__name__}, not an object")
    size = sum(len(v) for v in row.values() if isinstance(v, str))
    return Problem(f"it has {size} characters; at most {MOST_ROW} are read") if size > MOST_ROW else row


def _lines(text):
    with text:
        while line := text.readline(MOST_ROW + 1):
            if len(line) > MOST_ROW:
                more = len(line)
                while rest := text.readline(1 << 20):
                    more += len(rest)
                    if rest.endswith(b"\n"):
                        break
                yield Problem(f"it has {more} bytes; at most {MOST_ROW} are read")
            elif line.strip():
                try:
                    yield _checked(json.loads(line))
                except (ValueError, RecursionError) as error:
                    yield Problem(f"it is no JSON: {error}")


def _json(file, text):
    try:
        with text:
            if (size := os.fstat(text.fileno()).st_size) > MOST_FILE:
                raise SourceError(f"{file} has {size} bytes; at most {MOST_FILE} are read whole", "use JSON Lines or Parquet")
            whole = json.load(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{file} is no JSON: {error}") from None
    if isinstance(whole, dict) and isinstance(whole.get("rows"), list):  # as Hugging Face's server gives them
        whole = [r.get("row", r) if isinstance(r, dict) else r for r in whole["rows"]]
    if isinstance(whole, dict) and whole and all(isinstance(v, (list, dict)) for v in whole.values()):  # a table by columns, as pandas writes it
        columns = {name: list(v.values()) if isinstance(v, dict) else v for name, v in whole.items()}
        count = max(len(v) for v in columns.values())
        whole = [{name: v[i] for name, v in columns.items() if i < len(v)} for i in range(count)]
    if not isinstance(whole, list):
        raise SourceError(f"{file} holds no rows", "rows are a list of objects, or columns of equal length")
    return map(_checked, whole)


def _parquet(file, within, columns):
    try:
        import pyarrow.parquet
    except ImportError:
        raise SourceError(f"{file} is Parquet, and this Python has no pyarrow", "install pyarrow for it, or name the rows as .json or .jsonl") from None

    binary = opened(file, within)

    def batches():
        try:
            table = pyarrow.parquet.ParquetFile(binary)
            wanted = [name for name in table.schema_arrow.names if name in columns] if columns else None
            for batch in table.iter_batches(batch_size=64, columns=wanted):
                yield from map(_checked, batch.to_pylist())
        except (pyarrow.ArrowException, OSError) as error:
            raise SourceError(f"{file} can't be read: {error}") from None

    return batches()


_level = re.compile(r"level[_ ]?(\d+)$", re.IGNORECASE)
_name = re.compile(r"(\d+)_(.+)\.py$")


def repository(path):
    """The tasks of a checkout of KernelBench as [(level, id, name, file)], or None where the folder has no folders of levels."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return None
    root = path / "KernelBench" if (path / "KernelBench").is_dir() else path
    levels = sorted((int(m[1]), p) for p in root.iterdir() if p.is_dir() and (m := _level.match(p.name)))
    if not levels:
        return None
    return [(level, int(m[1]), m[2], file) for level, folder in levels for file in sorted(folder.iterdir()) if (m := _name.match(file.name))]


def source_of(file, within):
    """The text of a file in the folder `within`, or a Problem."""
    try:
        with opened(file, within) as text:
            if (size := os.fstat(text.fileno()).st_size) > MOST_CODE:
                return Problem(f"it has {size} bytes; at most {MOST_CODE} are read")
            return text.read(MOST_CODE).decode().replace("\r\n", "\n").replace("\r", "\n")
    except SourceError as error:
        return Problem(str(error))
    except (OSError, ValueError) as error:
        return Problem(f"it can't be read: {error}")
