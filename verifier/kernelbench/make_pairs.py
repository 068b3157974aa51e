"""Makes pairs of PyTorch module and Triton answer of KernelBook's rows, for supervised fine-tuning. The request is JSON on standard input:

    {"rows": path, "output": folder, "licenses": [text…] | null, "near": 0.8, "malformed": "skip" | "refuse", "seed": integer | null,
     "excluded": [{"name", "operators": [text…], "sketch": text}]}

It writes two files into the folder, and their summary to standard output:

    pairs.jsonl   {"task", "level": 1 | 2, "key", "prompt", "answer", "row"}, in the order in which they are to be taken
    pairs.json    {"rows", "pairs", "level1", "level2", "left_out": {reason: count}, "overlap": {name: {"operators", "text"}}, "examples"}

Each row is left out for the first of these reasons that holds:

    malformed   it isn't an object with texts entry_point, python_code and triton_code, or it is too large
    license     one of its licences isn't among those that are allowed, or it names none
    unread      its module is no Python, has no such class, or an operator in it isn't known, so that it can't be compared
    answer      its answer is no Python, or doesn't define the class that it should, entry_point + "New"
    names       the module or the answer already has another `Model` or `ModelNew`, as which their classes are asked for
    exact       an earlier row has the same module, but for comments, documentation and layout
    near        its module is near to an earlier one: their shingles have a Jaccard similarity of at least `near`, and so have their
                sequences of operators (2 M / T of difflib), since modules of one operator are alike but for its name
    exam        it applies the operators of an excluded task, in their order, or is near to it, by text alone where the task's
                operators aren't known

Level 1 are modules with at most one operator that computes, level 2 those with several. The order is that of the SHA-256 of seed and module, or
without a seed that of the rows. Nothing of a row is executed.
"""

import ast
import collections
import difflib
import gc
import hashlib
import json
import pathlib
import re
import sys

import describe
import rows
from refusal import Refused
from static_module import Unread

MOST_COMPARED = 300  # operators of a sequence
BANDS, WIDE = 16, 4  # of a sketch's 64 bins: rows that agree in a band are compared
COLUMNS = ("entry_point", "python_code", "triton_code", "licenses")
REASONS = ("malformed", "license", "unread", "answer", "names", "exact", "near", "exam")


def licenses_of(row):
    """Returns the licences of a row. It states them as a list of texts, as such a list in JSON, or as one text."""
    said = row.get("licenses")
    if isinstance(said, str):
        try:
            said = json.loads(said)
        except ValueError:
            said = [said]
    said = said if isinstance(said, list) else [said]
    return [one for one in said if isinstance(one, str) and one]


def renamed(text, name, new):
    """Returns the text with its class renamed from `name` to `new`; None if the text contains `new` already, as another
    name."""
    if name == new:
        return text
    if re.search(rf"\b{new}\b", text):
        return None
    return re.sub(rf"\b{re.escape(name)}\b", new, text)


def defines(tree, name):
    return any(isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name for node in tree.body)


def _bands(sketch):
    return [(i, sketch[8 * WIDE * i:8 * WIDE * (i + 1)]) for i in range(BANDS)]


def similarity(a, b):
    return len(a & b) / max(len(a | b), 1)


def alike(a, b, near):
    """Whether two sequences of operators are near to each other."""
    if a == b:
        return True
    shortest, longest = sorted((len(a), len(b)))
    if 2 * shortest < near * (shortest + longest):
        return False
    return difflib.SequenceMatcher(None, a[:MOST_COMPARED], b[:MOST_COMPARED], autojunk=False).ratio() >= near


class Seen:
    """The modules that were kept. A new module is compared with those that share something with it."""

    def __init__(self, near):
        self.near, self.exact, self.bands, self.kept = near, {}, collections.defaultdict(list), []

    def like(self, text, shingles, sketch, operators):
        """Returns ("exact" or "near", number of the earlier module), or None if no earlier module is like this one."""
        if text in self.exact:
            return "exact", self.exact[text]
        found = {number for band in _bands(sketch) for number in self.bands.get(band, ())}
        for number in sorted(found):
            others, applied = self.kept[number]
            if similarity(shingles, others) >= self.near and alike(operators, applied, self.near):
                return "near", number
        return None

    def add(self, text, shingles, sketch, operators):
        number = len(self.kept)
        self.exact[text] = number
        self.kept.append((shingles, operators))
        for band in _bands(sketch):
            self.bands[band].append(number)


class Exam:
    """The tasks that no pair may answer."""

    def __init__(self, excluded, near):
        self.near, self.found = near, {}
        self.by_operators = collections.defaultdict(list)
        for task in excluded:
            if task["operators"]:
                self.by_operators[tuple(task["operators"])].append(task["name"])
        self.texts = [task for task in excluded if task["sketch"]]

    def like(self, operators, sketch):
        """Returns the names of the tasks that a module is like, and notes them for the report."""
        same = self.by_operators.get(tuple(operators), [])
        close = [task["name"] for task in self.texts if describe.likeness(sketch, task["sketch"]) >= self.near and
                 (not task["operators"] or alike(operators, task["operators"], self.near))]
        for names, how in ((same, "operators"), (close, "text")):
            for name in names:
                self.found.setdefault(name, {"operators": 0, "text": 0})[how] += 1
        return [*same, *close]


def pair_of(row, allowed):
    """Returns (pair, None), or (None, (reason, explanation)) if the row is left out."""
    if isinstance(row, rows.Problem):
        return None, ("malformed", row.what)
    name, module, answer = (row.get(field) for field in COLUMNS[:3])
    if not all(isinstance(one, str) and one for one in (name, module, answer)) or not name.isidentifier():
        return None, ("malformed", "a row has the texts entry_point (a name), python_code and triton_code")
    if max(len(module), len(answer)) > rows.MOST_CODE:
        return None, ("malformed", f"a text has more than {rows.MOST_CODE} characters")
    licenses = licenses_of(row)
    if allowed is not None and (not licenses or any(one not in allowed for one in licenses)):
        return None, ("license", ", ".join(licenses) or "none is named")
    try:
        found, shingles = describe.read(module, name, pair=True)
    except (Unread, RecursionError) as error:
        return None, ("unread", str(error))
    missed = next((one["why"] for one in found["unread"] if one["of"] == "operators"), None)
    if missed is not None:
        return None, ("unread", missed)
    try:
        tree = ast.parse(answer)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None, ("answer", f"it is no Python: {error}")
    if not defines(tree, name + "New"):
        return None, ("answer", f"it doesn't define `{name}New`")
    prompt = renamed(module, name, "Model")
    text = renamed(answer, name + "New", "ModelNew")
    if prompt is None or text is None:
        return None, ("names", "it has `Model` or `ModelNew` already")
    plain = hashlib.sha256(json.dumps(sorted(shingles)).encode()).hexdigest()
    return {"task": name, "level": 1 if len(found["operators"]) <= 1 else 2, "key": found["key"], "prompt": prompt, "answer": text,
            "operators": found["operators"], "shingles": shingles, "sketch": found["sketch"], "plain": plain}, None


def make(request):
    """Returns (pairs in their order, report)."""
    near, allowed = request["near"], request["licenses"]
    seen, exam = Seen(near), Exam(request["excluded"], near)
    left_out, examples, pairs, count = collections.Counter(), {}, [], 0
    for file, within in rows.files_of(request["rows"]):
        for number, row in enumerate(rows.rows_of(file, within, COLUMNS), 1):
            count += 1
            if count % 500 == 0:
                gc.collect()
            pair, why = pair_of(row, allowed)
            if pair is not None:
                module = (pair["plain"], pair["shingles"], pair["sketch"], pair["operators"])
                like = seen.like(*module)
                if like is None:
                    seen.add(*module)
                else:
                    why = (like[0], f"as row {pairs[like[1]]['row']}")
            if why is not None:
                if why[0] == "malformed" and request["malformed"] == "refuse":
                    raise Refused(f"{file}, row {number}: {why[1]}", "mend the row, or leave such rows out: malformed = skip")
                left_out[why[0]] += 1
                examples.setdefault(why[0], f"row {number}: {why[1]}")
            else:
                pairs.append({**pair, "row": number})
    kept = []
    for pair in pairs:
        if names := exam.like(pair["operators"], pair["sketch"]):
            left_out["exam"] += 1
            examples.setdefault("exam", f"row {pair['row']}: as {names[0]}")
        else:
            kept.append(pair)
    if request["seed"] is not None:
        kept.sort(key=lambda pair: hashlib.sha256(f"{request['seed']}/pairs/{pair['plain']}".encode()).digest())
    levels = collections.Counter(pair["level"] for pair in kept)
    report = {"rows": count, "pairs": len(kept), "level1": levels[1], "level2": levels[2],
              "left_out": {reason: left_out[reason] for reason in REASONS if left_out[reason]},
              "overlap": {name: exam.found[name] for name in sorted(exam.found)}, "examples": examples}
    return [{name: pair[name] for name in ("task", "level", "key", "prompt", "answer", "row")} for pair in kept], report


def main():
    request = json.load(sys.stdin)
    gc.disable()  # many small objects, few of them in circles: they are collected every 500 rows
    try:
        pairs, report = make(request)
    except Refused as error:
        sys.exit(error.for_trl())
    output = pathlib.Path(request["output"])
    with open(output / "pairs.jsonl", "w", encoding="utf-8") as file:
        for pair in pairs:
            file.write(json.dumps(pair) + "\n")
    (output / "pairs.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    json.dump(report, sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
