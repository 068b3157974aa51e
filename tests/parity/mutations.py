"""Programs with one change, after which most are no longer well-formed."""
import copy
import random

import programs

NUMBERS = [1, 2, 3, 6]


def places(program):
    """Lists the possible changes as (kind, where)."""
    out = []
    for i, entry in enumerate(program.inputs):
        for k in range(len(entry["shape"])):
            out += [("extent", (i, k)), ("drop", (i, k))]
        out.append(("insert", (i,)))
        if len(entry["shape"]) > 1:
            out.append(("swap", (i,)))
    for k, node in enumerate(programs.nodes(program.body)):
        if node[0] == "num" and float(node[1]).is_integer():
            out.append(("number", (k,)))
        if node[0] != "call":
            continue
        for label, value in node[3].items():
            if isinstance(value, bool) or isinstance(value, (programs.Word, programs.Size, float, tuple)):
                continue
            out += [("label", (k, label))] * 2
        if len(node[2]) > 1:
            out.append(("arguments", (k,)))
    return out


def other(r, value):
    return r.choice([value + 1, value - 1, value + 2, -value - 1])


def mutated(program, seed):
    """Returns a copy with one or two changes."""
    r = random.Random(seed)
    out = copy.deepcopy(program)
    for _ in range(r.choice([1, 1, 1, 2])):
        change(out, r)
    return out


def change(program, r):
    kind, where = r.choice(places(program))
    if kind in ("extent", "drop", "insert", "swap"):
        shape = program.inputs[where[0]]["shape"]
        entry = r.choice(list(program.dims) + NUMBERS)
        if kind == "extent":
            shape[where[1]] = entry
        elif kind == "drop":
            del shape[where[1]]
        elif kind == "insert":
            shape.insert(r.randint(0, len(shape)), entry)
        else:
            a, b = r.sample(range(len(shape)), 2)
            shape[a], shape[b] = shape[b], shape[a]
        return
    node = list(programs.nodes(program.body))[where[0]]
    if kind == "label":
        value = node[3][where[1]]
        if value == []:
            value.append(1)
        elif isinstance(value, int):
            node[3][where[1]] = other(r, value)
        else:
            at = r.randrange(len(value))
            if isinstance(value, programs.Sizes):
                value[at] = r.choice(list(program.dims) + [1, 3, -1])
            elif r.random() < 0.7:
                value[at] = other(r, value[at])
            elif r.random() < 0.5:
                del value[at]
            else:
                value.append(value[at])
    elif kind == "arguments":
        a, b = r.sample(range(len(node[2])), 2)
        node[2][a], node[2][b] = node[2][b], node[2][a]
    elif kind == "number":
        replace(program, node, ("num", other(r, node[1])))


def replace(program, old, new):
    def walk(node):
        if node is old:
            return new
        if node[0] == "list":
            return ("list", [walk(child) for child in node[1]])
        if node[0] == "call":
            return ("call", node[1], [walk(child) for child in node[2]],
                    {k: walk(v) if isinstance(v, tuple) else v for k, v in node[3].items()})
        return node
    program.body = walk(program.body)
