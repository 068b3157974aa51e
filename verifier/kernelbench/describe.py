"""Describes a task from its source alone: sizes, inputs, constructor arguments, parameters, operators, and keys by
which tasks are compared."""

import ast
import hashlib
import re

import static_module
import torch_names
from by_module import by_module
from static_module import Layer, Object, Reader, Tensor, Unread, is_plain, plain
from typed import typed_or_why, untyped_without

SHINGLE = 5  # tokens of a shingle
BINS = 64  # of a sketch
MOST_TEXT = 1 << 20  # characters of a file that are compared


def describe(source, entry="Model", pair=False):
    """Returns the description of a task that `read` gives, without its shingles, and with the task of the language
    (`typed`) or why there is none (`untyped`)."""
    reader = Reader(source)
    known = _read(reader, source, entry, pair)[0]
    found = typed_or_why(source, reader.tree, entry, pair)
    if "untyped" in found and not pair:
        whole = untyped_without(lambda: by_module(source, reader.tree, entry, known["key"]))
        if "typed" in whole:
            whole["typed"]["module"]["judged_by_module"] = found["untyped"]
        found = whole
    return {**known, **found}


def read(source, entry="Model", pair=False):
    """Returns (description, shingles). The description is a dictionary for JSON. `entry` is the name of the class.
    `pair` says that get_init_inputs returns [arguments, labelled arguments], as KernelBook's modules do, and not a list
    of arguments. A member that can't be found out is None, and `unread` lists why. Raises Unread if the source is no
    Python, or has no such class with a forward."""
    return _read(Reader(source), source, entry, pair)


def _read(reader, source, entry, pair):
    cls = reader.names.get(entry)
    if not isinstance(cls, static_module.Class):
        raise Unread(f"there is no class `{entry}`")
    if cls.find("forward") is None:
        raise Unread(f"class `{entry}` has no forward")
    unread = []
    inputs, arguments = _inputs(reader, unread), _init_inputs(reader, pair, unread)
    made = _constructed(reader, cls, arguments, unread)
    parameters = _parameters(made, unread)
    operators = _operators(reader, made, cls, inputs, unread)
    complete = not any(one["of"] == "operators" for one in unread)
    for note in reader.notes:
        unread.append({"of": "module", "why": note})
    found = shingles(source, reader.tree, entry)
    return {
        "sizes": reader.constants(),
        "inputs": [_input(value) for value in inputs] if inputs is not None else None,
        "init": _init(arguments, pair),
        "parameters": parameters,
        "operators": [name for name, _ in operators],
        "packages": sorted(reader.packages - {"torch", "math", "typing", "__future__"}),
        "key": key(operators, inputs, "" if complete else _text(cls, arguments)),
        "sketch": sketch(found),
        "unread": unread,
    }, found


def _inputs(reader, unread):
    try:
        value = reader.result_of("get_inputs")
    except Unread as error:
        unread.append({"of": "inputs", "why": str(error)})
        return None
    if isinstance(value, Tensor):
        value = [value]
    if not isinstance(value, (list, tuple)):
        unread.append({"of": "inputs", "why": getattr(value, "why", "get_inputs gives no list that can be read")})
        return None
    for number, one in enumerate(value):
        if not is_plain(one) and not (isinstance(one, Tensor) and one.shape is not None and one.dtype and one.made):
            unread.append({"of": "inputs", "why": getattr(one, "why", None) or f"input {number + 1} isn't known"})
    return list(value)


def _input(value):
    if isinstance(value, Tensor):
        return {"shape": None if value.shape is None else list(value.shape), "dtype": value.dtype, "made": value.made}
    return {"value": plain(value)} if is_plain(value) else {"value": None, "made": getattr(value, "why", type(value).__name__)}


def _init_inputs(reader, pair, unread):
    """Returns the arguments and labelled arguments of the constructor, or None."""
    try:
        value = reader.result_of("get_init_inputs")
    except Unread as error:
        unread.append({"of": "init", "why": str(error)})
        return None
    if pair and isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], (list, tuple)) and isinstance(value[1], dict):
        arguments = (list(value[0]), value[1])
    elif not pair and isinstance(value, (list, tuple)):
        arguments = (list(value), {})
    else:
        wanted = "[arguments, labelled arguments]" if pair else "a list"
        unread.append({"of": "init", "why": getattr(value, "why", f"get_init_inputs doesn't give {wanted}")})
        return None
    for one in [*arguments[0], *arguments[1].values()]:
        if not is_plain(one) and not isinstance(one, Tensor):
            unread.append({"of": "init", "why": getattr(one, "why", "an argument isn't known")})
    return arguments


def _init(arguments, pair):
    if arguments is None:
        return None

    def one(value):
        return _input(value) if isinstance(value, Tensor) else plain(value) if is_plain(value) else None

    return {"args": [one(v) for v in arguments[0]], "kwargs": {k: one(v) for k, v in arguments[1].items()}}


def _constructed(reader, cls, arguments, unread):
    try:
        args, kwargs = arguments if arguments is not None else ([], {})
        return reader.make(cls, args, kwargs, cls.node)
    except Unread as error:
        unread.append({"of": "parameters", "why": f"__init__: {error}"})
    except (static_module._Loop, static_module._Return):
        unread.append({"of": "parameters", "why": "__init__ can't be read"})
    return None


def _parameters(made, unread):
    """Returns the parameters and buffers by their names in the state dictionary; None if some can't be found out."""
    if made is None:
        return None
    out, seen, complete = [], set(), [True]

    def add(prefix, value, is_buffer=False):
        if id(value) in seen or len(out) > 20_000:
            return
        if isinstance(value, static_module._Parameter) or is_buffer:
            seen.add(id(value))
            shape = value.shape if isinstance(value, Tensor) else None
            if shape is None:
                missing(prefix, "its shape isn't known")
            out.append({"name": prefix, "shape": None if shape is None else list(shape), **({"buffer": True} if is_buffer else {})})
        elif isinstance(value, Layer):
            if value.children is not None:
                seen.add(id(value))
                for name, child in value.children.items():
                    add(f"{prefix}.{name}", child)
                return
            shapes = torch_names.parameters(value.kind, value.args, value.kwargs)
            if shapes is None:
                missing(prefix, f"the parameters of {value.kind} aren't known")
                return
            if shapes:
                seen.add(id(value))
            for name, shape, buffer in shapes:
                out.append({"name": f"{prefix}.{name}", "shape": shape, **({"buffer": True} if buffer else {})})
        elif isinstance(value, Object) and value.cls.is_module():
            seen.add(id(value))
            for name, child in value.attributes.items():
                add(f"{prefix}.{name}" if prefix else name, child, name in value.buffers)
        elif isinstance(value, static_module.Unknown) and value.why.endswith("isn't read") and "." in value.why:
            missing(prefix, value.why)

    def missing(name, why):
        complete[0] = False
        unread.append({"of": "parameters", "why": f"{name}: {why}"})

    try:
        add("", made)
    except RecursionError:
        missing("the module", "it contains itself")
    return out if complete[0] else None


def _operators(reader, made, cls, inputs, unread):
    """The operators that forward applies, in their order, with their options."""
    reader.operators = operators = []
    if made is None:
        made = Object(cls)
    declared = cls.find("forward")[0].args
    wanted = len(declared.posonlyargs + declared.args) - 1
    given = inputs if inputs is not None else [Tensor() for _ in range(max(wanted - len(declared.defaults), 0))]
    traced = [Tensor(v.shape, v.dtype, v.made, True) if isinstance(v, Tensor) else v for v in given]
    for value in _tensors(made):
        value.traced = True
    try:
        reader.call(made, traced, {}, cls.node)
    except Unread as error:
        unread.append({"of": "operators", "why": str(error)})
    except (static_module._Loop, static_module._Return):
        unread.append({"of": "operators", "why": "forward can't be read"})
    reader.operators = None
    if reader.missed:
        unread.append({"of": "operators", "why": reader.missed})
    return operators


def _text(cls, arguments):
    """Returns a text that represents a class whose operators aren't all known: the class's text and the plain
    positional arguments of its constructor."""
    known = [plain(v) for v in arguments[0] if is_plain(v)] if arguments is not None else []
    return ast.dump(cls.node) + repr(known)


def _tensors(made):
    out, left, seen = [], [made], set()
    while left and len(seen) < 50_000:
        value = left.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Tensor):
            out.append(value)
        elif isinstance(value, Object):
            left += value.attributes.values()
        elif isinstance(value, Layer) and value.children is not None:
            left += value.children.values()
        elif isinstance(value, (list, tuple)):
            left += value
        elif isinstance(value, dict):
            left += value.values()
    return out


def key(operators, inputs, text=""):
    """Returns a key that is equal for tasks that apply the same operators with the same options, in the same order, to
    inputs of the same ranks and dtypes, whatever their sizes and names. Only the sequence of operators counts, not how
    values flow between them. `text` is the module's text if some of its operators aren't known."""
    kinds = [f"{v.dtype}[{len(v.shape) if v.shape is not None else '?'}]" if isinstance(v, Tensor) else type(v).__name__ for v in inputs or []]
    text = ";".join(f"{name}({options})" for name, options in operators) + "|" + ",".join(kinds) + text
    return "python:" + hashlib.sha256(text.encode()).hexdigest()[:32]


_token = re.compile(r"""#[^\n]*|\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d+\.?\d*(?:e[+-]?\d+)?|[^\sA-Za-z_0-9]""")


def shingles(source, tree, entry="Model"):
    """The runs of five tokens of a file's classes and functions, as a set of 64-bit numbers: without comments, documentation, layout,
    the name of the class, and the functions that make inputs."""
    lines = source.split("\n")
    kept = []
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name not in ("get_inputs", "get_init_inputs"):
            left = [node]
            for one in left:
                left += [n for n in one.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))]
                first = one.body[0]
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                    for i in range(first.lineno - 1, first.end_lineno):
                        lines[i] = ""
            kept += lines[node.lineno - 1:node.end_lineno]
    return shingles_of_text("\n".join(kept), entry)


def shingles_of_text(text, entry="Model"):
    tokens = ["Model" if t == entry else t for t in _token.findall(text[:MOST_TEXT]) if t[0] != "#"]
    runs = {" ".join(tokens[i:i + SHINGLE]) for i in range(max(len(tokens) - SHINGLE + 1, 1 if tokens else 0))}
    return {int.from_bytes(hashlib.blake2b(run.encode(), digest_size=8).digest(), "little") for run in runs}


def sketch(found):
    """A MinHash of one permutation (Li, Owen and Zhang 2012) in 64 bins, each the smallest of its hashes; empty bins take the next
    full one's to their right (Shrivastava and Li 2014). Hexadecimal, 8 digits a bin; of no shingles the empty text."""
    if not found:
        return ""
    bins = [None] * BINS
    for value in found:
        at, rest = value % BINS, (value // BINS) & 0xFFFFFFFF
        if bins[at] is None or rest < bins[at]:
            bins[at] = rest
    full = list(bins)
    for i in range(BINS):
        step = 0
        while bins[(i + step) % BINS] is None:
            step += 1
        full[i] = (bins[(i + step) % BINS] + step * 0x9E3779B1) & 0xFFFFFFFF
    return "".join(f"{value:08x}" for value in full)


def likeness(a, b):
    """An estimate of the Jaccard similarity of two sketches' sets."""
    if not a or not b:
        return 0.0
    return sum(a[i:i + 8] == b[i:i + 8] for i in range(0, 8 * BINS, 8)) / BINS
