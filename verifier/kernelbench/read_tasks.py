"""Reads KernelBench's tasks without running them and writes what is known of each as one JSON document:

    read_tasks.py PATH        a checkout of its repository, or the data set's rows as .json, .jsonl or .parquet

    {"format": 1, "tasks": [{"level", "id", "name", "code", …of describe.py, "typed" or "untyped" of typed.py}], "problems": [{"file", "row", "level", "id", "what"}]}

A task that can't be read is a problem, and the others are read. Errors of the whole source end it with status 1: `error: …` and
`help: …` on its standard error.
"""

import concurrent.futures
import gc
import json
import multiprocessing
import os
import sys

import rows
from describe import describe
from static_module import Unread


def _described(code):
    """Returns the description of a task, or why it can't be read."""
    try:
        return describe(code)
    except Unread as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"


def _all_described(codes):
    """Returns `_described` for each task. Many tasks are shared among several processes, since a level of KernelBench
    takes one core some tenths of a second."""
    processes = min(8, len(os.sched_getaffinity(0)), len(codes) // 32)
    if processes < 2:
        return [_described(code) for code in codes]
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(processes, mp_context=context) as pool:
        return list(pool.map(_described, codes, chunksize=4))


def tasks_of(path):
    """Returns (tasks, problems) of a repository or of a data set."""
    tasks, problems = [], []
    found = rows.repository(path)
    read = list(_of_files(found, path) if found is not None else _of_rows(path))
    known = iter(_all_described([code for *_, code in read if not isinstance(code, rows.Problem)]))
    for place, level, number, name, code in read:
        of_task = code.what if isinstance(code, rows.Problem) else next(known)
        if isinstance(of_task, str):
            problems.append({**place, "level": level, "id": number, "what": of_task})
        else:
            tasks.append({"level": level, "id": number, "name": name, "code": code, **of_task})
    tasks.sort(key=lambda task: (task["level"], task["id"]))
    kept = []
    for task in tasks:
        if kept and (kept[-1]["level"], kept[-1]["id"]) == (task["level"], task["id"]):
            problems.append({"file": str(path), "level": task["level"], "id": task["id"], "what": f"`{task['name']}` has the id of `{kept[-1]['name']}`"})
        else:
            kept.append(task)
    return kept, problems


def _of_files(found, path):
    for level, number, name, file in found:
        yield {"file": str(file)}, level, number, name, rows.source_of(file, path)


def _of_rows(path):
    for file, within in rows.files_of(path):
        for number, row in enumerate(rows.rows_of(file, within, ("code", "level", "name", "problem_id")), 1):
            place = {"file": str(file), "row": number}
            if isinstance(row, rows.Problem):
                yield place, None, None, None, row
                continue
            level, task, code = row.get("level"), row.get("problem_id"), row.get("code")
            if isinstance(level, str) and level.isdigit():
                level = int(level)
            if not (isinstance(level, int) and isinstance(task, int) and 0 < level < 100 and 0 < task < 1_000_000 and isinstance(code, str)):
                yield place, None, None, None, rows.Problem("a row has `code` (text), `level` and `problem_id` (integers from 1)")
                continue
            if len(code) > rows.MOST_CODE:
                code = rows.Problem(f"its code has {len(code)} characters; at most {rows.MOST_CODE} are read")
            name = row.get("name") if isinstance(row.get("name"), str) else f"problem_{task}"
            prefix = f"{task}_"
            yield place, level, task, name[len(prefix):].removesuffix(".py") if name.startswith(prefix) else name, code


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: read_tasks.py PATH")
    gc.disable()  # a short run that makes many small objects
    try:
        tasks, problems = tasks_of(sys.argv[1])
    except rows.SourceError as error:
        sys.exit(error.for_trl())
    # `dumps` encodes in C and `dump` in Python, which would cost a quarter of the time that reading
    # all of KernelBench takes.
    sys.stdout.write(json.dumps({"format": 1, "tasks": tasks, "problems": problems}, allow_nan=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
