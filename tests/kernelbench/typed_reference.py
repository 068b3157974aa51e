"""A task of the language (docs/interfaces.md, 1), as verifier/kernelbench/typed.py makes it of a module, against the module itself: the expression is
evaluated through PyTorch's functions in f64, at any sizes of its dimensions, and compared with what the module gives that is constructed
with the arguments at these sizes, with the parameters and inputs that were drawn. It shares nothing with verifier/kernelbench/.

    typed_reference.py CHECKOUT     a checkout of KernelBench's repository, whose modules are carried out: at sizes shrunk to a few
                                    elements, a table of its levels and the reasons why tasks can't be said in the language
"""

import ast
import collections
import math
import pathlib
import random
import re
import sys
import time

import torch
import torch.nn.functional as F

DTYPES = {"f32": torch.float64, "f16": torch.float64, "bf16": torch.float64, "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
          "u8": torch.uint8, "bool": torch.bool}
MOST_ELEMENTS = 1 << 24  # of the inputs of a task that is compared


def size_of(size, dims):
    """The number that an extent is at these sizes."""
    if isinstance(size, int):
        return size
    assert re.fullmatch(r"[\w +*/()-]+", size), size
    return eval(size, {"__builtins__": {}}, dims)


def sizes_of(shape, dims):
    return [size_of(s, dims) for s in shape]


def draw(entry, dims, generator):
    """An input's values."""
    shape = sizes_of(entry["shape"], dims)
    if "below" in entry:
        return torch.randint(0, size_of(entry["below"], dims), shape, generator=generator, dtype=DTYPES[entry["dtype"]])
    values = entry.get("values", {"kind": "normal", "mean": 0, "deviation": 1})
    if entry["dtype"].startswith(("i", "u")):
        return torch.randint(values["low"], values["high"] + 1, shape, generator=generator, dtype=DTYPES[entry["dtype"]])
    normal = torch.randn(shape, generator=generator, dtype=torch.float64)
    if values["kind"] == "range":
        return values["low"] + (values["high"] - values["low"]) * torch.rand(shape, generator=generator, dtype=torch.float64)
    if values["kind"] == "normal":
        return values["mean"] + values["deviation"] * normal
    if values["kind"] in ("symmetric", "upper_triangular", "lower_triangular"):
        real = values["low"] + (values["high"] - values["low"]) * torch.rand(shape, generator=generator, dtype=torch.float64) if "low" in values else normal
        return real.triu() + real.triu(1).mT if values["kind"] == "symmetric" else real.triu() if values["kind"] == "upper_triangular" else real.tril()
    if values["kind"] == "positive":
        return normal.abs() + 1e-30
    assert values["kind"] == "one_hot", values
    return F.one_hot(torch.randint(0, shape[-1], shape[:-1], generator=generator), shape[-1]).to(torch.float64)


def argument_of(value, dims):
    """A constructor's argument at these sizes."""
    if isinstance(value, dict):
        if "size" in value:
            return size_of(value["size"], dims)
        if "real" in value:
            return value["real"]
        assert list(value) == ["tuple"], value
        return tuple(argument_of(v, dims) for v in value["tuple"])
    return [argument_of(v, dims) for v in value] if isinstance(value, list) else value


def _norm_of(x, args, axes, eps, centred):
    if centred:
        x = x - x.mean(axes, keepdim=True)
    x = x / torch.sqrt((x * x).mean(axes, keepdim=True) + eps)
    for part, join in zip(args, (torch.mul, torch.add)):
        x = join(x, part)
    return x


def evaluate(node, inputs, dims, operators=None):
    """The value of an expression; every shape that it states is compared with the value's. `operators` counts them."""
    if "input" in node:
        return inputs[node["input"]]
    if "const" in node:
        return node["const"]
    if operators is not None:
        operators[node["op"]] += 1
    args = [evaluate(one, inputs, dims, operators) for one in node["args"]]
    a = dict(node.get("attrs", {}))
    out = _apply(node["op"], args, a, dims, node)
    if "shape" in node and node["op"] != "results":
        assert list(out.shape) == sizes_of(node["shape"], dims), (node["op"], list(out.shape), node["shape"], dims)
    if "dtype" in node:
        assert out.dtype == DTYPES[node["dtype"]], (node["op"], out.dtype, node["dtype"])
    return out


def _apply(op, args, a, dims, node):
    x = args[0] if args else None
    axis = a.get("axis")
    axes = axis if isinstance(axis, list) else [axis]

    def whole(value):
        return [size_of(v, dims) for v in value] if isinstance(value, list) else size_of(value, dims)

    def tensors():
        like = next(v for v in args if isinstance(v, torch.Tensor))
        return [v if isinstance(v, torch.Tensor) else torch.tensor(v, dtype=like.dtype) for v in args]

    signs = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y, "pow": lambda x, y: x ** y,
             "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "gt": lambda x, y: x > y,
             "ge": lambda x, y: x >= y, "matmul": lambda x, y: x @ y}
    if op in signs:
        return signs[op](*args)
    if op in ("maximum", "minimum", "where", "atan2", "hypot", "logaddexp", "remainder"):
        return getattr(torch, op)(*tensors())
    if op in ("sum", "amax", "amin", "mean", "std", "var", "logsumexp", "all", "any"):
        return getattr(torch, op)(x, dim=tuple(axes), keepdim=a["keepdim"])
    if op == "vector_norm":
        return torch.linalg.vector_norm(x, dim=axes, keepdim=a["keepdim"])
    if op in ("prod", "argmax", "argmin"):
        return getattr(torch, op)(x) if isinstance(axis, list) else getattr(torch, op)(x, dim=axis, keepdim=a["keepdim"])
    if op in ("softmax", "log_softmax", "softmin", "normalize", "glu"):
        return getattr(F, op)(x, dim=axis, **({"eps": a["eps"]} if "eps" in a else {}))
    if op in ("cumsum", "cumprod", "logcumsumexp"):
        return getattr(torch, op)(x, dim=axis)
    if op in ("cummax", "cummin"):
        return getattr(torch, op)(x, dim=axis).values
    if op in ("layer_norm", "rms_norm"):
        return _norm_of(x, args[1:], axes, a["eps"], op == "layer_norm")
    if op == "sort":
        return torch.sort(x, dim=axis, descending=a["descending"]).values
    if op == "argsort":
        return torch.argsort(x, dim=axis, descending=a["descending"], stable=True)
    if op == "topk":
        return torch.topk(x, a["k"], dim=axis).values
    if op == "flip":
        return torch.flip(x, axes)
    if op == "roll":
        return torch.roll(x, a["shifts"], axis)
    if op == "transpose":
        return x.transpose(a.get("axis0", 0), a.get("axis1", 1))
    if op == "permute":
        return x.permute(a["axes"])
    if op in ("reshape", "expand"):
        return getattr(x, op)(whole(a["shape"]))
    if op == "flatten":
        return torch.flatten(x, a["start_axis"], a["end_axis"])
    if op in ("cat", "stack"):
        return getattr(torch, op)(args, dim=axis)
    if op == "narrow":
        return x.narrow(axis, whole(a["start"]), whole(a["length"]))
    if op == "select":
        return x.select(axis, a["index"])
    if op == "squeeze":
        assert x.shape[axis] == 1
        return x.squeeze(axis)
    if op == "unsqueeze":
        return x.unsqueeze(axis)
    if op == "pad":
        return F.pad(x, a["pad"], value=a["value"])
    if op == "repeat_interleave":
        return x.repeat_interleave(a["repeats"], dim=axis)
    if op in ("gather", "index_select", "scatter_add", "index_add"):
        return getattr(torch, op)(x, axis, *args[1:])
    if op == "embedding":
        return F.embedding(*args)
    if op == "masked_fill":
        return x.masked_fill(args[1], a["value"])
    if op == "to":
        return x.to(DTYPES[a["dtype"]])
    if op == "arange":
        return torch.arange(whole(a["size"]), dtype=DTYPES[a["dtype"]])
    if op == "size":
        return torch.tensor(float(whole(a["size"])), dtype=torch.float64)
    if op == "zeros":
        return torch.zeros(whole(a["shape"]), dtype=DTYPES[a["dtype"]])
    if op == "einsum":
        return torch.einsum(a["equation"], *args)
    if op.startswith("conv"):
        return getattr(F, op)(x, args[1], args[2] if len(args) > 2 else None, **{k: whole(v) for k, v in a.items()})
    if op.startswith(("max_pool", "avg_pool", "adaptive")):
        return getattr(F, op)(x, **a)
    if op == "batch_norm":
        return F.batch_norm(x, None, None, *args[1:], training=True, eps=a["eps"])
    if op == "group_norm":
        return F.group_norm(x, a["num_groups"], *args[1:], eps=a["eps"])
    if op == "instance_norm":
        return F.instance_norm(x, None, None, *args[1:], eps=a["eps"])
    if op == "scaled_dot_product_attention":
        return F.scaled_dot_product_attention(*args[:3], attn_mask=args[3] if len(args) > 3 else None, **a)
    if op == "tril" or op == "triu":
        return getattr(torch, op)(x, a["diagonal"])
    if op == "cosine_similarity":
        return F.cosine_similarity(*args, dim=axis, eps=a["eps"])
    if op in ("cross_entropy", "nll_loss"):
        return getattr(F, op)(x, args[1], weight=args[2] if len(args) > 2 else None, **a)
    if op == "clamp":
        return torch.clamp(x, **a)
    if op == "lerp":
        return torch.lerp(*args, a["weight"])
    if op == "results":
        return args
    for place in (F, torch):
        if hasattr(place, op):
            return getattr(place, op)(*args, **a)
    raise AssertionError(f"nothing evaluates {op}")


def compare(code, task, dims, seed=0, operators=None):
    """None where the task's value is the module's at these sizes, or what differs."""
    generator = torch.Generator().manual_seed(seed)
    inputs = {entry["name"]: draw(entry, dims, generator) for entry in task["inputs"]}
    names = {"__name__": "task"}
    exec(compile(code, "task", "exec"), names)
    said = task["module"]
    module = names[said["entry"]](*[argument_of(v, dims) for v in said["arguments"]], **{k: argument_of(v, dims) for k, v in said["keywords"].items()}).double()
    state = module.state_dict()
    for entry in task["inputs"]:
        if "parameter" in entry:
            own = state[entry["parameter"]]
            if list(own.shape) != list(inputs[entry["name"]].shape):
                return f"{entry['parameter']} is {list(own.shape)} and was said to be {list(inputs[entry['name']].shape)}"
            own.copy_(inputs[entry["name"]])
    given = names["get_inputs"]()
    tensors = iter(inputs[entry["name"]].clone() for entry in task["inputs"] if "parameter" not in entry)
    with torch.no_grad():
        torch.set_default_dtype(torch.float64)
        try:
            wanted = module(*[next(tensors) if isinstance(v, torch.Tensor) else v for v in given])
        finally:
            torch.set_default_dtype(torch.float32)
        if next(tensors, None) is not None:
            return "it has more inputs than get_inputs gives"
        got = evaluate(task["value"], inputs, dims, operators)
    outputs = task["output"] if isinstance(task["output"], list) else [task["output"]]
    wanted, got = (list(v) if isinstance(v, (list, tuple)) else [v] for v in (wanted, got))
    if not len(wanted) == len(got) == len(outputs):
        return f"{len(wanted)} results, and {len(got)} are said"
    for one, other, output in zip(wanted, got, outputs):
        if list(one.shape) != list(other.shape) or list(one.shape) != sizes_of(output["shape"], dims):
            return f"shapes: {list(one.shape)}, evaluated {list(other.shape)}, said {sizes_of(output['shape'], dims)}"
        if other.dtype != DTYPES[output["dtype"]] or one.dtype != other.dtype:
            return f"dtypes: {one.dtype}, evaluated {other.dtype}, said {output['dtype']}"
        if one.is_floating_point():
            scale = max(one.abs().max().item(), 1e-30) if torch.isfinite(one).all() else 1
            if not torch.allclose(one, other, rtol=1e-7, atol=1e-9 * scale, equal_nan=True):
                return f"values differ by {(one - other).abs().max().item()} of {scale}"
        elif not torch.equal(one, other):
            return "integers differ"
    return None


def trials(task, seed=0):
    """Sizes at which a task is tried: its own where they are small, tiny, and odd ones that are all different."""
    own = dict(task["dims"])
    draws = random.Random(seed)
    odd = dict(zip(own, draws.sample(range(5, 5 + 2 * max(len(own), 8), 2), len(own))))
    larger = {name: odd[name] + 4 for name in own}
    out = [own, dict.fromkeys(own, 4), odd, larger]
    return [dims for i, dims in enumerate(out) if elements(task, dims) <= (MOST_ELEMENTS if i else 1 << 18)]


def elements(task, dims):
    return sum(math.prod(sizes_of(entry["shape"], dims)) for entry in task["inputs"])


def _shrunk_inputs(code):
    """The module's text with inputs that cost nothing: only their kinds matter here."""
    tree = ast.parse(code)
    tree.body = [n for n in tree.body if not (isinstance(n, ast.FunctionDef) and n.name == "get_inputs")]
    return ast.unparse(tree)


def main():
    root = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "verifier/kernelbench"))
    import describe
    torch.set_num_threads(1)
    operators = collections.Counter()
    for level in range(1, 5):
        counts, why, wrong, total = collections.Counter(), collections.defaultdict(list), [], 0
        for file in sorted((root / "KernelBench" / f"level{level}").glob("*.py"), key=lambda p: int(p.name.partition("_")[0])):
            total += 1
            number, code = file.name.partition("_")[0], file.read_text()
            described = describe.describe(code)
            if "untyped" in described:
                why[described["untyped"]].append(number)
                continue
            task, tried = described["typed"], 0
            counts["typed"] += 1
            started, problem = time.monotonic(), None
            kinds = [v if not isinstance(v, dict) or "value" in v else "a tensor" for v in described["inputs"]]
            made = ", ".join("torch.zeros(1)" if isinstance(v, str) or not isinstance(v, dict) else repr(v["value"]) for v in kinds)
            small = f"{_shrunk_inputs(code)}\ndef get_inputs():\n    return [{made}]\n"
            for dims in trials(task, int(number)):
                try:
                    problem = compare(small, task, dims, int(number), operators)
                except Exception as error:
                    problem = f"{type(error).__name__}: {str(error)[:300]}"
                tried += 1
                if problem:
                    wrong.append(f"{file.name} at {dims}: {problem}")
                    break
                if time.monotonic() - started > 20:
                    break
            counts["agree"] += tried > 0 and not problem
            counts["too large"] += tried == 0
            counts["trials"] += tried
        print(f"level {level}: {total} tasks, {counts['typed']} typed, {counts['agree']} agree ({counts['trials']} trials), {counts['too large']} too large to try")
        for reason, numbers in sorted(why.items(), key=lambda item: -len(item[1])):
            print(f"    {len(numbers)} ({', '.join(numbers)}): {reason}")
        for line in wrong:
            print(f"    WRONG {line}")
        sys.stdout.flush()
    print(", ".join(f"{op} {count}" for op, count in operators.most_common()))


if __name__ == "__main__":
    main()
