"""Reads a PyTorch module's source without running it: an interpreter of the part of Python that such files are written in, over values
that are known (numbers, texts, lists), tensors of which shape, dtype and origin may be known, and values that are not.

Nothing of the file is executed or imported: what isn't a file's own class or function stands for its name, `torch.nn.Linear`. Both ways
of a branch on an unknown value are read, and a loop over one is read once; `notes` then say so. Steps, depth and sizes are bounded, so
that any text ends soon.
"""

import ast
import math
import operator

import torch_names

MOST_STEPS = 60_000  # nodes of the syntax tree that are read for one file, loops unrolled
MOST_DEPTH = 120  # calls and expressions within each other
MOST_ITEMS = 100_000  # of a list, a text or a range
MOST_OPERATORS = 4_000  # of a module's sequence; more are left out, and a note says so


class Unread(Exception):
    """Raised for a file, or one of its functions, that can't be read at all; the message says why."""


class _Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


class _Loop(Exception):
    """`break` or `continue`."""

    def __init__(self, ends):
        super().__init__()
        self.ends = ends


class Unknown:
    """A value that isn't known. `why` is the reason."""

    def __init__(self, why):
        self.why = why


class Tensor:
    """A tensor: its shape (a tuple, or None), its dtype (a name of torch, or None), and how it was made: `rand`, `mul(rand, 2)`."""

    __slots__ = ("shape", "dtype", "made", "traced")

    def __init__(self, shape=None, dtype=None, made=None, traced=False):
        self.shape, self.dtype, self.made, self.traced = shape, dtype, made, traced


class External:
    """An object of a package that isn't read, represented by its name."""

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name


class Layer:
    """A layer of torch.nn with its arguments. Containers have children, by name."""

    def __init__(self, kind, args, kwargs, children=None):
        self.kind, self.args, self.kwargs, self.children = kind, args, kwargs, children


class Class:
    def __init__(self, node, names, bases):
        self.node, self.names, self.bases = node, names, bases
        self.members = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}

    def find(self, name):
        """Returns the function of this name and the class that defines it; None if there is none."""
        if name in self.members:
            return self.members[name], self
        for base in self.bases:
            if isinstance(base, Class) and (found := base.find(name)):
                return found
        return None

    def is_module(self):
        return any(base.is_module() if isinstance(base, Class) else
                   isinstance(base, External) and base.name.startswith("torch.nn") for base in self.bases)


class Object:
    def __init__(self, cls):
        self.cls, self.attributes, self.buffers = cls, {}, set()


class Function:
    """A function of the file. `of` is the class that defines it, `self` the object to which it is bound."""

    __slots__ = ("node", "names", "of", "self")

    def __init__(self, node, names, of=None, self_=None):
        self.node, self.names, self.of, self.self = node, names, of, self_


class Method:
    """A method of a known value or of a tensor."""

    __slots__ = ("value", "name")

    def __init__(self, value, name):
        self.value, self.name = value, name


class Super:
    __slots__ = ("of", "self")

    def __init__(self, of, self_):
        self.of, self.self = of, self_


KNOWN = (bool, int, float, str, type(None), tuple, list, dict, slice, range, set, complex)

_binary = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "FloorDiv": operator.floordiv,
           "Mod": operator.mod, "Pow": operator.pow, "BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor,
           "LShift": operator.lshift, "RShift": operator.rshift}
_unary = {"USub": operator.neg, "UAdd": operator.pos, "Not": operator.not_, "Invert": operator.invert}
_compare = {"Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge,
            "In": lambda a, b: a in b, "NotIn": lambda a, b: a not in b, "Is": lambda a, b: a is b or (a == b and _plain(a) and _plain(b)),
            "IsNot": lambda a, b: not (a is b or (a == b and _plain(a) and _plain(b)))}
_of_python = {"len": len, "int": int, "float": float, "str": str, "bool": bool, "list": list, "tuple": tuple, "sum": sum, "min": min,
              "max": max, "abs": abs, "round": round, "sorted": sorted, "dict": dict, "set": set, "reversed": lambda x: list(x)[::-1],
              "enumerate": lambda x, start=0: list(enumerate(x, start)), "zip": lambda *x: list(zip(*x)), "any": any, "all": all,
              "divmod": divmod, "pow": pow, "slice": slice}
_of_math = {name: getattr(math, name) for name in ("sqrt", "ceil", "floor", "log", "log2", "log10", "exp", "prod", "gcd", "pow", "fabs",
                                                    "sin", "cos", "tan", "tanh", "trunc", "isclose")}
_of_math.update({"numpy." + name: _of_math[name] for name in ("sqrt", "ceil", "floor", "log", "log2", "log10", "exp", "prod")})
_constants = {"math.pi": math.pi, "math.e": math.e, "math.inf": math.inf, "numpy.inf": math.inf, "numpy.pi": math.pi,
              "torch.inf": math.inf, "torch.pi": math.pi}
DTYPES = {"float32": "f32", "float": "f32", "float16": "f16", "half": "f16", "bfloat16": "bf16", "float64": "f64", "double": "f64",
           "int64": "i64", "long": "i64", "int32": "i32", "int": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "bool": "bool",
           "complex64": "c64", "short": "i16"}
_casts = {"float": "f32", "half": "f16", "bfloat16": "bf16", "double": "f64", "long": "i64", "int": "i32", "bool": "bool"}
_draws = {"rand": "f32", "randn": "f32", "randint": "i64", "zeros": "f32", "ones": "f32", "empty": "f32", "full": None, "randperm": "i64",
          "arange": None, "linspace": "f32", "eye": "f32", "normal": "f32", "Tensor": "f32"}


def _plain(value):
    return isinstance(value, (bool, int, str, type(None)))


def _number(value):
    return isinstance(value, (bool, int, float))


class Reader:
    """Reads a file: its names and their values."""

    def __init__(self, source, tree=None):
        """`tree` is the source's syntax tree, if it has been parsed already."""
        try:
            tree = ast.parse(source) if tree is None else tree
        except SyntaxError as error:
            raise Unread(f"line {error.lineno}: it is no Python: {error.msg}") from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise Unread(f"it is no Python that can be read: {type(error).__name__}: {error}") from None
        self.steps = self.depth = 0
        self.notes = []
        self.operators = None  # a list while forward is read
        self.missed = None  # why an operator that forward applies isn't known
        self.names = {"__name__": "task"}
        self.packages = set()
        self.sizes = {}
        self.tree = tree
        for statement in tree.body:
            try:
                self.execute(statement, self.names)
            except Unread as error:
                if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                    for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                        self.assign(target, Unknown(str(error)), self.names)
                else:
                    self.note(str(error))
            except (_Return, _Loop):
                pass

    # Names and notes.

    def note(self, text):
        if len(self.notes) < 20 and text not in self.notes:
            self.notes.append(text)

    def step(self, node):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unread(f"line {getattr(node, 'lineno', 0)}: reading it takes more than {MOST_STEPS} steps")

    def constants(self):
        """The module-level constants: names of numbers, texts, and lists of them."""
        return {name: plain(value) for name, value in self.names.items()
                if not name.startswith("__") and isinstance(value, (bool, int, float, str, tuple, list)) and is_plain(value)}

    # Statements.

    def block(self, body, names):
        for statement in body:
            self.execute(statement, names)

    def execute(self, node, names):
        self.step(node)
        method = self.statements.get(type(node))
        if method is None:
            raise Unread(f"line {node.lineno}: {type(node).__name__} isn't read")
        method(self, node, names)

    def do_import(self, node, names):
        for alias in node.names:
            self.packages.add(alias.name.split(".")[0])
            if alias.asname:
                names[alias.asname] = External(alias.name)
            else:
                names[alias.name.split(".")[0]] = External(alias.name.split(".")[0])

    def do_import_from(self, node, names):
        self.packages.add((node.module or ".").split(".")[0])
        for alias in node.names:
            names[alias.asname or alias.name] = External(f"{node.module or ''}.{alias.name}")

    def do_function(self, node, names):
        names[node.name] = Function(node, names)

    def do_class(self, node, names):
        names[node.name] = cls = Class(node, names, [self.value(base, names) for base in node.bases])
        inside = _Scope(names)
        for statement in node.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                self.execute(statement, inside)
        cls.values = dict(inside)

    def do_assign(self, node, names):
        value = self.value(node.value, names)
        for target in node.targets:
            self.assign(target, value, names)

    def do_annotated(self, node, names):
        if node.value is not None:
            self.assign(node.target, self.value(node.value, names), names)

    def do_augmented(self, node, names):
        load = ast.copy_location(_loaded(node.target), node)
        before = self.value(load, names)
        value = self.value(node.value, names)
        if isinstance(before, list) and isinstance(node.op, ast.Add) and isinstance(value, (list, tuple)):
            self.bounded(len(before) + len(value), node)
            before.extend(value)
            return
        self.assign(node.target, self.binary(type(node.op).__name__, before, value, node), names)

    def do_expression(self, node, names):
        if not isinstance(node.value, ast.Constant):
            self.value(node.value, names)

    def do_return(self, node, names):
        raise _Return(None if node.value is None else self.value(node.value, names))

    def do_if(self, node, names):
        test = self.truth(self.value(node.test, names))
        if test is not None:
            self.block(node.body if test else node.orelse, names)
            return
        if not self.raises(node.body):
            self.note(f"line {node.lineno}: which way is taken isn't known, so both are read")
        # A `return` in the first branch doesn't end the reading: the second branch, or the text after
        # the `if`, is read, too. A `return` in the second branch ends it.
        for body in (node.body, node.orelse):
            try:
                self.block(body, names)
            except (_Return, _Loop):
                if body is node.body and node.orelse:
                    continue
                if body is node.orelse:
                    raise
            except _Raised:
                pass

    @staticmethod
    def raises(body):
        return len(body) == 1 and isinstance(body[0], ast.Raise)

    def do_for(self, node, names):
        items = self.items(self.value(node.iter, names))
        if items is None:
            self.note(f"line {node.lineno}: how often the loop turns isn't known, so it is read once")
            items = [Tensor()]
        for item in items:
            self.step(node)
            self.assign(node.target, item, names)
            try:
                self.block(node.body, names)
            except _Loop as loop:
                if loop.ends:
                    return
        self.block(node.orelse, names)

    def do_while(self, node, names):
        while True:
            self.step(node)
            test = self.truth(self.value(node.test, names))
            if test is False:
                return
            if test is None:
                self.note(f"line {node.lineno}: how often the loop turns isn't known, so it is read once")
            try:
                self.block(node.body, names)
            except _Loop as loop:
                if loop.ends:
                    return
            if test is None:
                return

    def do_break(self, node, names):
        raise _Loop(True)

    def do_continue(self, node, names):
        raise _Loop(False)

    def do_with(self, node, names):
        for item in node.items:
            value = self.value(item.context_expr, names)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, names)
        self.block(node.body, names)

    def do_try(self, node, names):
        try:
            self.block(node.body, names)
        except _Raised:
            for handler in node.handlers[:1]:
                self.block(handler.body, names)
        self.block(node.orelse, names)
        self.block(node.finalbody, names)

    def do_raise(self, node, names):
        raise _Raised(f"line {node.lineno}: it raises {ast.unparse(node.exc)[:80] if node.exc else 'again'}")

    def do_nothing(self, node, names):
        pass

    def assign(self, target, value, names):
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = self.items(value)
            starred = [i for i, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
            if items is None or (len(items) != len(target.elts) and not starred):
                items = [Tensor(traced=_is_traced(value)) if isinstance(value, Tensor) else value if isinstance(value, Unknown) else
                         Unknown("it isn't known how many values there are") for _ in target.elts]
                starred = []
            if starred:
                at, rest = starred[0], len(items) - len(target.elts) + 1
                items = items[:at] + [items[at:at + max(rest, 0)]] + items[at + max(rest, 0):]
            for one, item in zip(target.elts, items):
                self.assign(one.value if isinstance(one, ast.Starred) else one, item, names)
        elif isinstance(target, ast.Attribute):
            owner = self.value(target.value, names)
            if isinstance(owner, Object):
                owner.attributes[target.attr] = value
        elif isinstance(target, ast.Subscript):
            owner, index = self.value(target.value, names), self.value(target.slice, names)
            if isinstance(owner, (list, dict)) and _plain(index):
                try:
                    owner[index] = value
                except (IndexError, TypeError):
                    pass
            elif isinstance(owner, Layer) and owner.children is not None and _plain(index):
                owner.children[str(index)] = value

    # Values.

    def value(self, node, names):
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.step(node)
        kind = node.__class__
        if kind is ast.Constant:
            return node.value
        method = self.expressions.get(kind)
        if kind is ast.Name:
            return method(self, node, names)
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.depth -= 1
            raise Unread(f"line {getattr(node, 'lineno', 0)}: it is nested more than {MOST_DEPTH} deep")
        try:
            return method(self, node, names) if method else Unknown(f"{type(node).__name__} isn't read")
        finally:
            self.depth -= 1

    def see_constant(self, node, names):
        return node.value

    def see_name(self, node, names):
        scope = names
        while scope is not None:
            if node.id in scope:
                return scope[node.id]
            scope = getattr(scope, "outer", None)
        if node.id in _of_python or node.id in ("super", "range", "isinstance", "getattr", "hasattr", "print", "map", "type", "id", "filter"):
            return External("builtins." + node.id)
        if node.id in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[node.id]
        return Unknown(f"line {node.lineno}: `{node.id}` isn't defined in the file")

    def see_attribute(self, node, names):
        return self.attribute(self.value(node.value, names), node.attr, node)

    def attribute(self, owner, name, node):
        if isinstance(owner, External):
            whole = owner.name + "." + name
            whole = "math." + name if owner.name == "math" else whole
            if whole in _constants:
                return _constants[whole]
            return External(whole)
        if isinstance(owner, Object):
            if name in owner.attributes:
                return owner.attributes[name]
            if found := owner.cls.find(name):
                return Function(found[0], found[1].names, found[1], owner)
            for cls in _line(owner.cls):
                if name in getattr(cls, "values", {}):
                    return cls.values[name]
            if name == "training":
                return True
            return Method(owner, name)
        if isinstance(owner, Class):
            if name in getattr(owner, "values", {}):
                return owner.values[name]
            found = owner.find(name)
            return Function(found[0], found[1].names, found[1]) if found else Unknown(f"class {owner.node.name} has no `{name}`")
        if isinstance(owner, Super):
            for base in owner.of.bases:
                if isinstance(base, Class) and (found := base.find(name)):
                    return Function(found[0], found[1].names, found[1], owner.self)
            return Method(owner, name)
        if isinstance(owner, Tensor):
            if name in ("shape",):
                return list(owner.shape) if owner.shape is not None else Unknown("a tensor's shape isn't known")
            if name in ("T", "mT"):
                return self.moved("transpose", owner, [], {})
            if name in ("device", "dtype", "data", "grad", "is_cuda", "requires_grad", "layout"):
                return owner if name == "data" else External("torch." + owner.dtype) if name == "dtype" and owner.dtype else Unknown(name)
            if name in ("values", "indices", "logits", "real", "imag"):
                return Tensor(traced=owner.traced)
            if name == "ndim":
                return len(owner.shape) if owner.shape is not None else Unknown("a tensor's rank isn't known")
            return Method(owner, name)
        if isinstance(owner, Layer):
            if name in ("weight", "bias", "running_mean", "running_var"):
                return Tensor(traced=True)
            if owner.children is not None and name in owner.children:
                return owner.children[name]
            where = {"in_features": ("in_features", 0), "out_features": ("out_features", 1), "in_channels": ("in_channels", 0),
                     "out_channels": ("out_channels", 1), "embedding_dim": ("embedding_dim", 1), "hidden_size": ("hidden_size", 1)}
            if name in where:
                label, at = where[name]
                return owner.kwargs.get(label, owner.args[at] if at < len(owner.args) else Unknown(f"{owner.kind}.{name}"))
            return Method(owner, name)
        if isinstance(owner, KNOWN):
            return Method(owner, name)
        if isinstance(owner, Function) and name == "apply":
            return owner
        return owner if isinstance(owner, Unknown) else Unknown(f"line {node.lineno}: `.{name}` isn't known")

    def see_call(self, node, names):
        callee = self.value(node.func, names)
        args, kwargs = [], {}
        for one in node.args:
            if isinstance(one, ast.Starred):
                items = self.items(self.value(one.value, names))
                if items is None:
                    args.append(Unknown(f"line {node.lineno}: `*` of a value that isn't known"))
                else:
                    args.extend(items)
            else:
                args.append(self.value(one, names))
        for one in node.keywords:
            value = self.value(one.value, names)
            if one.arg is None:
                if isinstance(value, dict):
                    kwargs.update({str(k): v for k, v in value.items()})
            else:
                kwargs[one.arg] = value
        return self.call(callee, args, kwargs, node, names)

    def see_binary(self, node, names):
        return self.binary(type(node.op).__name__, self.value(node.left, names), self.value(node.right, names), node)

    def see_unary(self, node, names):
        name, value = type(node.op).__name__, self.value(node.operand, names)
        if isinstance(value, Tensor):
            return self.compute(torch_names.SIGNS.get(name, "neg"), [value], {})
        if isinstance(value, KNOWN):
            try:
                return _unary[name](value)
            except TypeError:
                return Unknown(f"line {node.lineno}: {name} of this value")
        if name == "Not" and (known := self.truth(value)) is not None:
            return not known
        return value if isinstance(value, Unknown) else Unknown(f"line {node.lineno}: {name}")

    def see_boolean(self, node, names):
        wanted = isinstance(node.op, ast.Or)
        value = Unknown("a condition")
        for one in node.values:
            value = self.value(one, names)
            known = self.truth(value)
            if known is None:
                return value if isinstance(value, Unknown) else Unknown("a condition on a value that isn't known")
            if known == wanted:
                return value
        return value

    def see_comparison(self, node, names):
        left = self.value(node.left, names)
        for sign, right in zip(node.ops, node.comparators):
            name, right = type(sign).__name__, self.value(right, names)
            if name in ("Is", "IsNot") and (left is None or right is None) and not isinstance(left, Unknown) and not isinstance(right, Unknown):
                holds = (left is right) == (name == "Is")
            elif isinstance(left, Tensor) or isinstance(right, Tensor):
                return self.compute(torch_names.SIGNS.get(name, "eq"), [left, right], {})
            elif is_plain(left) and is_plain(right):
                try:
                    holds = _compare[name](left, right)
                except TypeError:
                    return Unknown(f"line {node.lineno}: a comparison")
            elif isinstance(left, External) and isinstance(right, External) and name in ("Eq", "NotEq", "Is", "IsNot"):
                holds = (left.name == right.name) == (name in ("Eq", "Is"))
            else:
                return Unknown(f"line {node.lineno}: a comparison of values that aren't known")
            if not holds:
                return False
            left = right
        return True

    def see_conditional(self, node, names):
        test = self.truth(self.value(node.test, names))
        if test is not None:
            return self.value(node.body if test else node.orelse, names)
        self.note(f"line {node.lineno}: which value is taken isn't known, so both are read")
        first, second = self.value(node.body, names), self.value(node.orelse, names)
        return first if isinstance(first, (Tensor, Layer, Object)) else second

    def see_list(self, node, names):
        out = []
        for one in node.elts:
            if isinstance(one, ast.Starred):
                out.extend(self.items(self.value(one.value, names)) or [])
            else:
                out.append(self.value(one, names))
        self.bounded(len(out), node)
        return tuple(out) if isinstance(node, ast.Tuple) else out

    def see_dict(self, node, names):
        out = {}
        for key, one in zip(node.keys, node.values):
            value = self.value(one, names)
            if key is None:
                if isinstance(value, dict):
                    out.update(value)
                continue
            name = self.value(key, names)
            if _plain(name) or isinstance(name, float):
                out[name] = value
        return out

    def see_subscript(self, node, names):
        owner, index = self.value(node.value, names), self.value(node.slice, names)
        if isinstance(owner, Tensor):
            return Tensor(self.indexed(owner.shape, index), owner.dtype, owner.made and f"index({owner.made})", owner.traced)
        if isinstance(owner, Layer) and owner.children is not None:
            children = list(owner.children.values())
            try:
                if isinstance(index, str):
                    return owner.children[index]
                return Layer("Sequential", [], {}, {str(i): c for i, c in enumerate(children[index])}) if isinstance(index, slice) else children[index]
            except (IndexError, KeyError, TypeError):
                return Unknown(f"line {node.lineno}: a layer that isn't there")
        if isinstance(owner, (list, tuple, dict, str, range)) and not isinstance(index, (Unknown, Tensor)):
            try:
                return owner[index]
            except (IndexError, KeyError, TypeError):
                return Unknown(f"line {node.lineno}: an entry that isn't there")
        if isinstance(owner, External):
            return owner  # a type: Optional[int]
        return owner if isinstance(owner, Unknown) else Unknown(f"line {node.lineno}: an entry of a value that isn't known")

    @staticmethod
    def indexed(shape, index):
        if shape is None:
            return None
        parts = list(index) if isinstance(index, tuple) else [index]
        out, axis = [], 0
        for at, part in enumerate(parts):
            if part is Ellipsis:
                skip = len(shape) - axis - sum(p is not None for p in parts[at + 1:])
                out.extend(shape[axis:axis + max(skip, 0)])
                axis += max(skip, 0)
            elif part is None:
                out.append(1)
            elif axis >= len(shape):
                return None
            elif isinstance(part, slice):
                if not all(p is None or isinstance(p, int) for p in (part.start, part.stop, part.step)) or part.step == 0:
                    return None
                out.append(len(range(*part.indices(shape[axis]))) if isinstance(shape[axis], int) else None)
                axis += 1
            elif isinstance(part, int):
                axis += 1
            else:
                return None
        return tuple(out) + tuple(shape[axis:])

    def see_slice(self, node, names):
        ends = [None if one is None else self.value(one, names) for one in (node.lower, node.upper, node.step)]
        ends = [one if one is None or isinstance(one, int) else Unknown("") for one in ends]
        return Unknown("a slice to a place that isn't known") if any(isinstance(one, Unknown) for one in ends) else slice(*ends)

    def see_lambda(self, node, names):
        return Function(node, names)

    def see_text(self, node, names):
        parts = []
        for one in node.values:
            value = self.value(one.value if isinstance(one, ast.FormattedValue) else one, names)
            if not _plain(value) and not isinstance(value, float):
                return Unknown("a text with values that aren't known")
            parts.append(str(value))
        text = "".join(parts)
        self.bounded(len(text), node)
        return text

    def see_comprehension(self, node, names):
        out = []
        inside = _Scope(names)

        def turn(level):
            if level == len(node.generators):
                if isinstance(node, ast.DictComp):
                    out.append((self.value(node.key, inside), self.value(node.value, inside)))
                else:
                    out.append(self.value(node.elt, inside))
                self.bounded(len(out), node)
                return
            part = node.generators[level]
            items = self.items(self.value(part.iter, inside))
            if items is None:
                self.note(f"line {node.lineno}: how many values there are isn't known, so one is read")
                items = [Tensor()]
            for item in items:
                self.assign(part.target, item, inside)
                if all(self.truth(self.value(test, inside)) is not False for test in part.ifs):
                    turn(level + 1)

        turn(0)
        if isinstance(node, ast.DictComp):
            return {key: value for key, value in out if _plain(key)}
        return out

    def see_starred(self, node, names):
        return self.value(node.value, names)

    def see_walrus(self, node, names):
        value = self.value(node.value, names)
        self.assign(node.target, value, names)
        return value

    # The meaning of values.

    @staticmethod
    def truth(value):
        """Returns the truth of a value, True or False; None if it isn't known."""
        if isinstance(value, KNOWN):
            return bool(value)
        if isinstance(value, (Layer, Object, Function, Class, External)):
            return True
        return None

    @staticmethod
    def items(value):
        """Returns the values over which a loop runs; None if they aren't known, or if a sequence has more than
        MOST_ITEMS."""
        if isinstance(value, (list, tuple, str, range)):
            return list(value) if len(value) <= MOST_ITEMS else None
        if isinstance(value, (dict, set)):
            return list(value)
        if isinstance(value, Layer) and value.children is not None:
            return list(value.children) if value.kind == "ModuleDict" else list(value.children.values())
        return None

    def bounded(self, count, node):
        if count > MOST_ITEMS:
            raise Unread(f"line {getattr(node, 'lineno', 0)}: it makes more than {MOST_ITEMS} values")

    def binary(self, name, left, right, node):
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            return self.compute(torch_names.SIGNS.get(name, "add"), [left, right], {})
        if not isinstance(left, KNOWN) or not isinstance(right, KNOWN):
            return left if isinstance(left, Unknown) else right if isinstance(right, Unknown) else Unknown(f"line {node.lineno}: arithmetic")
        if not _number(left) or not _number(right):
            sizes = [len(v) if isinstance(v, (list, tuple, str)) else v if isinstance(v, int) else 1 for v in (left, right)]
            self.bounded(sizes[0] * sizes[1] if name == "Mult" else sum(sizes), node)
        elif name in ("Pow", "LShift") and isinstance(right, int) and (abs(right) > 256 or (isinstance(left, int) and abs(left) > 2**64)):
            raise Unread(f"line {node.lineno}: a number that is too large")
        try:
            out = _binary[name](left, right)
        except (TypeError, ValueError, ZeroDivisionError, OverflowError, KeyError):
            return Unknown(f"line {node.lineno}: {name} of these values")
        if isinstance(out, int) and out.bit_length() > 256:
            raise Unread(f"line {node.lineno}: a number that is too large")
        return out

    def call(self, callee, args, kwargs, node, names=None):
        self.step(node)
        self.depth += 1
        try:
            if self.depth > MOST_DEPTH:
                raise Unread(f"line {getattr(node, 'lineno', 0)}: calls are nested more than {MOST_DEPTH} deep")
            if isinstance(callee, Function):
                return self.call_function(callee, args, kwargs, node)
            if isinstance(callee, Class):
                return self.make(callee, args, kwargs, node)
            if isinstance(callee, Object):
                return self.call_object(callee, args, kwargs, node)
            if isinstance(callee, Layer):
                return self.call_layer(callee, args, kwargs, node)
            if isinstance(callee, Method):
                return self.call_method(callee.value, callee.name, args, kwargs, node)
            if isinstance(callee, External):
                return self.call_external(callee.name, args, kwargs, node, names)
        finally:
            self.depth -= 1
        why = callee.why if isinstance(callee, Unknown) else f"line {getattr(node, 'lineno', 0)}: a call of a value that isn't known"
        if self.operators is not None and _traces([*args, *kwargs.values()]):
            self.missed = self.missed or why
            return Tensor(traced=True)
        return callee if isinstance(callee, Unknown) else Unknown(why)

    def call_function(self, function, args, kwargs, node):
        declared = function.node
        names = _Scope(function.names)
        names.of, names.self = function.of, function.self
        is_static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in getattr(declared, "decorator_list", []))
        if function.self is not None and not is_static:
            args = [function.self, *args]
        wanted = declared.args
        parameters = [a.arg for a in wanted.posonlyargs + wanted.args]
        first = len(parameters) - len(wanted.defaults)
        for i, name in enumerate(parameters):
            if i < len(args):
                names[name] = args[i]
            elif name in kwargs:
                names[name] = kwargs[name]
            elif i >= first:
                names[name] = self.value(wanted.defaults[i - first], function.names)
            else:
                names[name] = Unknown(f"line {getattr(node, 'lineno', 0)}: the argument `{name}` isn't given")
        for one, default in zip(wanted.kwonlyargs, wanted.kw_defaults):
            names[one.arg] = kwargs[one.arg] if one.arg in kwargs else None if default is None else self.value(default, function.names)
        if wanted.vararg:
            names[wanted.vararg.arg] = tuple(args[len(parameters):])
        if wanted.kwarg:
            known = set(parameters) | {a.arg for a in wanted.kwonlyargs}
            names[wanted.kwarg.arg] = {k: v for k, v in kwargs.items() if k not in known}
        if isinstance(declared, ast.Lambda):
            return self.value(declared.body, names)
        try:
            self.block(declared.body, names)
        except _Return as out:
            return out.value
        return None

    def make(self, cls, args, kwargs, node):
        made = Object(cls)
        if found := cls.find("__init__"):
            self.call_function(Function(found[0], found[1].names, found[1], made), args, kwargs, node)
        return made

    def call_object(self, target, args, kwargs, node):
        for name in ("forward", "__call__"):
            if found := target.cls.find(name):
                return self.call_function(Function(found[0], found[1].names, found[1], target), args, kwargs, node)
        return Unknown(f"line {getattr(node, 'lineno', 0)}: {target.cls.node.name} has no forward")

    def call_layer(self, layer, args, kwargs, node):
        if layer.kind == "Sequential":
            value = args[0] if args else Unknown("nothing is given")
            for child in layer.children.values():
                value = self.call(child, [value], {}, node)
            return value
        if layer.children is not None:
            return Unknown(f"line {getattr(node, 'lineno', 0)}: a call of {layer.kind}")
        said = {**{str(i): v for i, v in enumerate(layer.args)}, **layer.kwargs}
        name = torch_names.of_layer(layer.kind)
        # Widths are sizes, which the key of a task leaves out.
        widths = {"Linear": 2, "Bilinear": 3, "Embedding": 2, "LSTM": 2, "GRU": 2, "RNN": 2, "LayerNorm": 1, "RMSNorm": 1}
        skip = 2 if "Conv" in layer.kind else 1 if "Norm" in layer.kind else widths.get(layer.kind, 0)
        known = {"in_channels", "out_channels", "in_features", "out_features", "num_features", "num_channels", "normalized_shape",
                 "input_size", "hidden_size", "num_embeddings", "embedding_dim"}
        options = {k: v for k, v in said.items() if k not in known and not (k.isdigit() and int(k) < skip)}
        out = self.compute(name, args, kwargs, options)
        if name in ("lstm", "gru", "rnn", "multi_head_attention"):
            return (out, (Tensor(traced=True), Tensor(traced=True)) if name == "lstm" else Tensor(traced=True))
        shape = args[0].shape if args and isinstance(args[0], Tensor) else None
        if shape is not None and name == "linear" and shape:
            out.shape = (*shape[:-1], self.attribute(layer, "out_features", node))
            out.shape = out.shape if isinstance(out.shape[-1], int) else None
        return out

    def call_method(self, owner, name, args, kwargs, node):
        if isinstance(owner, Tensor):
            return self.call_tensor(owner, name, args, kwargs)
        if isinstance(owner, Super):
            return self.call_method(owner.self, name, args, kwargs, node) if name != "__init__" else None
        if isinstance(owner, Object):
            if name == "register_buffer" and len(args) > 1 and isinstance(args[0], str):
                owner.attributes[args[0]] = args[1]
                owner.buffers.add(args[0])
                return None
            if name in ("register_parameter", "add_module", "register_module") and len(args) > 1 and isinstance(args[0], str):
                owner.attributes[args[0]] = args[1]
                return None
            if name in ("modules", "children"):
                return [one for one in owner.attributes.values() if isinstance(one, (Layer, Object))]
            if name in ("parameters", "named_parameters", "apply", "to", "eval", "train", "cuda", "half", "float", "double"):
                return owner
            return Unknown(f"line {getattr(node, 'lineno', 0)}: {owner.cls.node.name} has no `{name}`")
        if isinstance(owner, Layer):
            return self.call_container(owner, name, args, kwargs, node)
        if isinstance(owner, list) and name in ("append", "extend", "insert", "pop", "reverse"):
            if name == "extend":
                items = self.items(args[0]) if args else None
                args = [items or []]
            self.bounded(len(owner) + (len(args[0]) if name == "extend" else 1), node)
            try:
                return getattr(owner, name)(*args)
            except (IndexError, TypeError):
                return Unknown(f"line {node.lineno}: .{name}")
        if isinstance(owner, dict) and name in ("get", "items", "keys", "values", "update", "pop", "setdefault"):
            try:
                out = getattr(owner, name)(*args, **kwargs)
            except (KeyError, TypeError, ValueError):
                return Unknown(f"line {node.lineno}: .{name}")
            return list(out) if name in ("items", "keys", "values") else out
        if isinstance(owner, (str, list, tuple)) and name in ("index", "count", "lower", "upper", "startswith", "endswith", "split", "copy"):
            try:
                return getattr(owner, name)(*args) if all(is_plain(a) for a in args) else Unknown(f".{name}")
            except (TypeError, ValueError, AttributeError):
                return Unknown(f".{name}")
        if isinstance(owner, list) and name == "numel":
            return math.prod(owner) if all(isinstance(v, int) for v in owner) else Unknown("a size")
        return Unknown(f"line {getattr(node, 'lineno', 0)}: `.{name}` isn't read")

    def call_container(self, layer, name, args, kwargs, node):
        children = layer.children
        if children is None:
            if name == "forward":
                return self.call_layer(layer, args, kwargs, node)
            return layer
        if name == "append" and args:
            children[str(len(children))] = args[0]
            return layer
        if name == "extend" and args:
            for child in self.items(args[0]) or []:
                children[str(len(children))] = child
            return layer
        if name == "insert" and len(args) > 1 and isinstance(args[0], int):
            order = list(children.values())
            order.insert(args[0], args[1])
            children.clear()
            children.update({str(i): child for i, child in enumerate(order)})
            return None
        if name == "add_module" and len(args) > 1:
            children[str(args[0])] = args[1]
            return None
        if name in ("items", "values", "keys", "children", "modules", "named_children"):
            pairs = {"items": list(children.items()), "named_children": list(children.items()), "keys": list(children)}
            return pairs.get(name, list(children.values()))
        if name == "forward":
            return self.call_layer(layer, args, kwargs, node)
        return layer

    def call_external(self, name, args, kwargs, node, names):
        first, _, last = name.rpartition(".")
        if first == "builtins":
            return self.call_builtin(last, args, kwargs, node, names)
        if first in ("math", "numpy"):
            function = _of_math.get(name if first == "numpy" else last)
            if function and all(is_plain(a) for a in args):
                try:
                    out = function(*args)
                    return int(out) if last in ("ceil", "floor") and first == "math" else out
                except (TypeError, ValueError, OverflowError, ZeroDivisionError):
                    pass
            return self.compute(torch_names.of_function(last), args, kwargs) if _traces(args) else Unknown(f"{name} of values that aren't known")
        if name in ("itertools.repeat",) and len(args) == 2 and isinstance(args[1], int):
            self.bounded(args[1], node)
            return [args[0]] * args[1]
        if name in ("collections.OrderedDict",):
            return dict(args[0]) if args and isinstance(args[0], (list, dict)) and self.pairs(args[0]) else {}
        if name in ("copy.deepcopy", "copy.copy"):
            return args[0] if args else Unknown(name)
        if name.startswith("torch.nn.init") or name.startswith("torch.cuda") or name.startswith("torch.backends"):
            return args[0] if args else None
        if name == "torch.nn.Parameter" or name == "torch.nn.parameter.Parameter":
            source = args[0] if args and isinstance(args[0], Tensor) else Tensor()
            return _Parameter(source.shape, source.dtype or "f32", source.made, True)
        if name.startswith("torch.nn.") and last[:1].isupper() and not first.startswith("torch.nn.functional"):
            return self.make_layer(last, args, kwargs, node)
        if name.startswith("torch.utils.checkpoint") and args:
            return self.call(args[0], args[1:], {}, node)
        if name.startswith("torch.") or name.startswith("einops."):
            return self.call_torch(name, args, kwargs)
        if _traces(args):
            self.missed = self.missed or f"{name} isn't read"
            return Tensor(traced=True)
        return Unknown(f"{name} isn't read")

    @staticmethod
    def pairs(value):
        return isinstance(value, dict) or all(isinstance(p, (list, tuple)) and len(p) == 2 and _plain(p[0]) for p in value)

    def make_layer(self, kind, args, kwargs, node):
        if kind == "Sequential":
            if len(args) == 1 and isinstance(args[0], dict):
                return Layer(kind, [], {}, {str(k): v for k, v in args[0].items()})
            return Layer(kind, [], {}, {str(i): child for i, child in enumerate(args)})
        if kind in ("ModuleList", "ParameterList"):
            items = self.items(args[0]) if args else []
            return Layer(kind, [], {}, {str(i): child for i, child in enumerate(items or [])})
        if kind in ("ModuleDict", "ParameterDict"):
            entries = args[0] if args and isinstance(args[0], dict) else {}
            return Layer(kind, [], {}, {str(k): v for k, v in entries.items()})
        if kind in ("TransformerEncoder", "TransformerDecoder") and args and isinstance(args[0], Layer):
            count = kwargs.get("num_layers", args[1] if len(args) > 1 else None)
            if isinstance(count, int) and count <= 1000:
                one = args[0]
                return Layer("Sequential", [], {}, {f"layers.{i}": Layer(one.kind, one.args, one.kwargs) for i in range(count)})
        if kind == "Module":
            return Object(Class(ast.ClassDef(name="Module", body=[], bases=[]), self.names, [External("torch.nn.Module")]))
        return Layer(kind, args, kwargs)

    def call_builtin(self, name, args, kwargs, node, names):
        if name == "super":
            scope = names
            while scope is not None and getattr(scope, "self", None) is None:
                scope = getattr(scope, "outer", None)
            if scope is None:
                return Unknown("super()")
            of = args[0] if args and isinstance(args[0], Class) else scope.of
            return Super(of, scope.self)
        if name == "print":
            return None
        if name == "range" and args and all(isinstance(a, int) for a in args):
            try:
                out = range(*args)
            except (TypeError, ValueError):
                return Unknown("range")
            self.bounded(len(out), node)
            return out
        if name == "isinstance" and len(args) == 2:
            return self.is_instance(args[0], args[1])
        if name == "hasattr" and len(args) == 2 and isinstance(args[0], Object) and isinstance(args[1], str):
            return args[1] in args[0].attributes or args[0].cls.find(args[1]) is not None
        if name == "getattr" and len(args) >= 2 and isinstance(args[1], str):
            found = self.attribute(args[0], args[1], node)
            return args[2] if len(args) > 2 and isinstance(found, (Unknown, Method)) else found
        if name in ("map", "filter") and len(args) == 2:
            items = self.items(args[1])
            if items is None:
                return Unknown(name)
            values = [self.call(args[0], [item], {}, node) for item in items]
            return values if name == "map" else [i for i, v in zip(items, values) if self.truth(v) is not False]
        function = _of_python.get(name)
        if function is None:
            return Unknown(name)
        if name in ("len",) and args and isinstance(args[0], Layer) and args[0].children is not None:
            return len(args[0].children)
        if name in ("enumerate", "zip", "list", "tuple", "reversed"):
            args = [a if _plain(a) else self.items(a) for a in args]
            if any(a is None for a in args):
                return Unknown(f"{name} of a value that isn't known")
        elif name == "dict":
            args = [dict(a) for a in args if self.pairs(a)] if all(isinstance(a, (dict, list)) for a in args) else []
        elif name == "sum" and args and isinstance(args[0], (list, tuple)) and any(isinstance(v, Tensor) for v in args[0]):
            value = args[0][0]
            for one in args[0][1:]:
                value = self.binary("Add", value, one, node)
            return value
        elif any(isinstance(a, Tensor) for a in args):
            return self.compute(name, args, kwargs) if name in ("min", "max", "sum", "abs", "round", "pow") else Unknown(name)
        elif not all(is_plain(a) for a in args):
            return Unknown(f"{name} of a value that isn't known")
        elif name == "pow":
            return self.binary("Pow", args[0], args[1], node) if len(args) == 2 else Unknown(name)
        elif name in ("int", "float", "str") and args and isinstance(args[0], str) and len(args[0]) > 100:
            return Unknown(name)
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, OverflowError, AttributeError, KeyError, ZeroDivisionError):
            return Unknown(f"line {node.lineno}: {name} of these values")

    @staticmethod
    def is_instance(value, wanted):
        kinds = wanted if isinstance(wanted, (tuple, list)) else [wanted]
        known = {"builtins.int": int, "builtins.float": float, "builtins.str": str, "builtins.list": list, "builtins.tuple": tuple,
                 "builtins.dict": dict, "builtins.bool": bool, "collections.abc.Iterable": (list, tuple, dict, str, range)}
        for kind in kinds:
            if isinstance(kind, Class):
                if isinstance(value, Object) and kind in _line(value.cls):
                    return True
            elif isinstance(kind, External):
                if kind.name in known and isinstance(value, known[kind.name]):
                    return True
                if isinstance(value, Layer) and kind.name.rpartition(".")[2] in (value.kind, "Module"):
                    return True
                if isinstance(value, Tensor) and kind.name.rpartition(".")[2] == "Tensor":
                    return True
            else:
                return Unknown("isinstance")
        return Unknown("isinstance") if isinstance(value, Unknown) else False

    # Tensors.

    def compute(self, name, args, kwargs, options=None):
        """Returns the value of an operator. While forward is read, an operator that computes from the module's inputs
        or parameters is appended to the sequence of operators."""
        flat = [v for one in args for v in (one if isinstance(one, (list, tuple)) else [one])]
        tensors = [v for v in [*flat, *kwargs.values()] if isinstance(v, Tensor)]
        traced = any(t.traced for t in tensors)
        if self.operators is not None and traced and name not in torch_names.MOVES and name not in torch_names.MAKES:
            if len(self.operators) < MOST_OPERATORS:
                said = options if options is not None else {**{str(i): v for i, v in enumerate(args)}, **kwargs}
                self.operators.append((name, _options(said)))
            else:
                self.note(f"it has more than {MOST_OPERATORS} operators; those behind are left out")
        shape = tensors[0].shape if tensors and name in torch_names.SAME_SHAPE else None
        made = None
        if name in torch_names.SIGNS.values() and len(args) == 2:
            shape = self.broadcast(args)
            if name == "matmul":
                shape = None
        if all(isinstance(t.made, str) for t in tensors) and tensors:
            rest = [v.made if isinstance(v, Tensor) else _written(v) for v in args] + [f"{k}={_written(v)}" for k, v in kwargs.items()]
            made = f"{name}({', '.join(rest)})"[:400]
        dtype = "bool" if name in ("eq", "ne", "lt", "le", "gt", "ge", "bitwise_not") else tensors[0].dtype if tensors else None
        return Tensor(shape, dtype, made, traced)

    @staticmethod
    def broadcast(args):
        shapes = [v.shape for v in args if isinstance(v, Tensor)]
        if any(s is None for s in shapes) or not all(isinstance(v, Tensor) or _number(v) for v in args):
            return None
        out = []
        for i in range(1, max((len(s) for s in shapes), default=0) + 1):
            sizes = {s[-i] for s in shapes if len(s) >= i} - {1}
            if len(sizes) > 1:
                return None
            out.append(sizes.pop() if sizes else 1)
        return tuple(reversed(out))

    def call_tensor(self, tensor, name, args, kwargs):
        if name in ("size",):
            if tensor.shape is None:
                return Unknown("a tensor's shape isn't known")
            return self.entry(tensor.shape, args[0]) if args else list(tensor.shape)
        if name in ("dim", "ndimension"):
            return len(tensor.shape) if tensor.shape is not None else Unknown("a tensor's rank isn't known")
        if name == "numel":
            known = tensor.shape is not None and all(isinstance(v, int) for v in tensor.shape)
            return math.prod(tensor.shape) if known else Unknown("a tensor's size isn't known")
        if name in ("item", "tolist"):
            return Unknown("a tensor's values")
        if name in _casts:
            return Tensor(tensor.shape, _casts[name], tensor.made and f"{name}({tensor.made})", tensor.traced)
        if name in ("to", "type"):
            wanted = [DTYPES.get(a.name.rpartition(".")[2]) for a in [*args, *kwargs.values()] if isinstance(a, External)]
            dtype = next((d for d in wanted if d), tensor.dtype)
            made = tensor.made if dtype == tensor.dtype else tensor.made and f"to({tensor.made}, {dtype})"
            return Tensor(tensor.shape, dtype, made, tensor.traced)
        if name in torch_names.MOVES:
            return self.moved(name, tensor, args, kwargs)
        if name == "unfold":
            return Tensor(dtype=tensor.dtype, traced=tensor.traced)
        return self.compute(torch_names.of_function(name), [tensor, *args], kwargs)

    @staticmethod
    def entry(shape, at):
        try:
            return shape[at] if shape[at] is not None else Unknown("a size")
        except (IndexError, TypeError):
            return Unknown("a size that isn't there")

    def moved(self, name, tensor, args, kwargs):
        """Returns the result of an operator that only moves data: a tensor with the same data, and with its new shape
        if that is known. An operator that splits a tensor gives a list if the number of parts is known."""
        if name in ("chunk", "split", "tensor_split", "unbind"):
            count = args[0] if args and isinstance(args[0], int) and name == "chunk" else None
            if name == "split" and args and isinstance(args[0], int) and tensor.shape:
                axis = kwargs.get("dim", args[1] if len(args) > 1 else 0)
                whole = self.entry(tensor.shape, axis) if isinstance(axis, int) else None
                count = -(-whole // args[0]) if isinstance(whole, int) and args[0] > 0 else None
                if count is not None and count <= 1000 and whole % args[0] == 0:
                    shape = list(tensor.shape)
                    shape[axis] = args[0]
                    return [Tensor(tuple(shape), tensor.dtype, None, tensor.traced) for _ in range(count)]
            if name == "split" and args and isinstance(args[0], (list, tuple)):
                count = len(args[0])
            return [Tensor(None, tensor.dtype, None, tensor.traced) for _ in range(count)] if count and count <= 1000 else \
                Tensor(None, tensor.dtype, None, tensor.traced)
        shape, old = None, tensor.shape
        sizes = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
        if old is not None and all(isinstance(v, int) for v in sizes):
            try:
                shape = _moved_shape(name, old, sizes, kwargs)
            except (IndexError, ValueError, TypeError, ZeroDivisionError):
                shape = None
        same = name in ("contiguous", "clone", "detach", "requires_grad", "cpu", "cuda", "identity")
        made = tensor.made if same else tensor.made and f"{name}({', '.join([tensor.made, *map(_written, sizes)])})"
        return Tensor(old if same else shape, tensor.dtype, made, tensor.traced)

    def call_torch(self, name, args, kwargs):
        first, _, last = name.rpartition(".")
        operator_name = torch_names.of_function(last)
        if last in ("is_tensor",):
            return isinstance(args[0], Tensor) if args else Unknown(name)
        if name.startswith("torch.") and last in _draws:
            return self.drawn(last, args, kwargs)
        if last.endswith("_like") and args and isinstance(args[0], Tensor):
            return Tensor(args[0].shape, self.dtype(kwargs) or args[0].dtype, last[:-5])
        if last in ("tensor", "as_tensor", "from_numpy", "FloatTensor", "LongTensor"):
            value = args[0] if args else None
            if isinstance(value, Tensor):
                return value
            dtype = self.dtype(kwargs) or _kind_of(value)
            return Tensor(_shape_of(value), dtype, f"tensor({_written(value)})"[:400] if is_plain(value) else None)
        if last in ("Size",):
            return args[0] if args else Unknown(name)
        if last == "meshgrid":
            return [Tensor(made=None) for one in args for _ in (one if isinstance(one, (list, tuple)) else [one])]
        if operator_name in torch_names.MAKES:
            return External(name)
        if operator_name in torch_names.MOVES and args and isinstance(args[0], Tensor):
            return self.moved(operator_name, args[0], args[1:], kwargs)
        return self.compute(operator_name, args, kwargs)

    def dtype(self, kwargs):
        said = kwargs.get("dtype")
        return DTYPES.get(said.name.rpartition(".")[2]) if isinstance(said, External) else None

    def drawn(self, name, args, kwargs):
        said = kwargs.get("size", kwargs.get("shape"))
        limits = []
        if name == "randint":
            numbers = [a for a in args if isinstance(a, int) and not isinstance(a, bool)]
            limits = [kwargs[k] for k in ("low", "high") if k in kwargs] or numbers
            given = next((a for a in args if isinstance(a, (list, tuple))), said)
        elif name == "full":
            given, limits = (args[0] if args else said), [args[1] if len(args) > 1 else kwargs.get("fill_value")]
        elif name == "normal":
            limits, given = list(args[:2]), args[2] if len(args) > 2 else said
        elif name in ("arange", "linspace"):
            limits = list(args)
            given = None
            if name == "arange" and args and all(isinstance(a, int) for a in args):
                try:
                    given = [len(range(*args))]
                except (TypeError, ValueError, OverflowError):
                    given = None
            elif name == "linspace" and len(args) > 2 and isinstance(args[2], int):
                given = [args[2]]
        else:
            given = args[0] if args and isinstance(args[0], (list, tuple)) else list(args) if args else said if said is not None else []
        if name == "eye" and isinstance(given, list) and len(given) == 1:
            given = given * 2
        shape = tuple(given) if isinstance(given, (list, tuple)) and all(isinstance(v, int) for v in given) else None
        dtype = self.dtype(kwargs) or _draws[name] or (_kind_of(limits[0]) if limits else None)
        if name == "arange" and dtype is None and limits:
            dtype = _kind_of(limits[0])
        unknown = [v for v in [*(given if isinstance(given, (list, tuple)) else []), *limits] if not _number(v)]
        if unknown and isinstance(unknown[0], Unknown):
            self.note(unknown[0].why)
        made = name if not limits else f"{name}({', '.join(_written(v) for v in limits)})"
        return Tensor(shape, dtype, made)

    # Results of the file's functions.

    def result_of(self, name, args=()):
        """Returns the result of calling a function of the file. Raises Unread if there is no such function or it can't
        be read."""
        function = self.names.get(name)
        if not isinstance(function, Function):
            raise Unread(f"there is no function `{name}`")
        try:
            return self.call(function, list(args), {}, function.node)
        except (_Loop, _Return):
            raise Unread(f"`{name}` can't be read") from None


class _Raised(Unread):
    """An exception that the file itself raises."""


class _Parameter(Tensor):
    __slots__ = ()


class _Scope(dict):
    """The names in a function, and the scope in which other names are looked up."""

    def __init__(self, outer):
        super().__init__()
        self.outer, self.of, self.self = outer, None, None


def _line(cls):
    out, left = [], [cls]
    while left and len(out) < 100:
        one = left.pop(0)
        if isinstance(one, Class):
            out.append(one)
            left += one.bases
    return out


def _loaded(node):
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    if isinstance(node, ast.Attribute):
        return ast.Attribute(node.value, node.attr, ast.Load())
    return ast.Subscript(node.value, node.slice, ast.Load())


def _traces(args):
    return any(isinstance(a, Tensor) or (isinstance(a, (list, tuple)) and _traces(a)) for a in args)


def _is_traced(value):
    return isinstance(value, Tensor) and value.traced


def is_plain(value):
    """Whether a value is known completely."""
    if isinstance(value, (list, tuple, set)):
        return all(is_plain(v) for v in value)
    if isinstance(value, dict):
        return all(is_plain(v) for v in value.values())
    return isinstance(value, KNOWN)


def plain(value):
    """Returns a known value in the form of JSON."""
    if isinstance(value, (list, tuple, range, set)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def _written(value):
    if isinstance(value, Tensor):
        return value.made or "tensor"
    if isinstance(value, External):
        return value.name
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_written(v) for v in value[:32]) + "]"
    return repr(value) if isinstance(value, (bool, int, float, str, type(None))) else "?"


def _options(said):
    """Returns the options of an operator: its arguments except tensors. Numbers that only scale values are left out, as
    in tasks of the language."""
    free = {"eps", "momentum", "alpha", "beta", "negative_slope", "min_val", "max_val", "min", "max", "value", "p", "lambd", "margin",
            "threshold", "inplace", "device", "dtype", "track_running_stats"}
    parts = []
    for name, value in said.items():
        if isinstance(value, Tensor) or name in free or isinstance(value, (Unknown, External)):
            continue
        if isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) for v in value):
            continue
        if isinstance(value, float):
            continue
        parts.append((name + "=" if not name.isdigit() else "") + _written(value))
    return ",".join(parts)[:200]


def _shape_of(value):
    shape = []
    while isinstance(value, (list, tuple)):
        shape.append(len(value))
        value = value[0] if value else None
        if len(shape) > 16:
            return None
    return tuple(shape) if _number(value) else None


def _kind_of(value):
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return "bool" if isinstance(value, bool) else "i64" if isinstance(value, int) else "f32" if isinstance(value, float) else None


def _moved_shape(name, old, sizes, kwargs):
    if name in ("view", "reshape", "view_as", "reshape_as"):
        if sizes.count(-1) == 1 and all(isinstance(v, int) for v in old):
            rest = math.prod(v for v in sizes if v != -1)
            return tuple(math.prod(old) // rest if v == -1 else v for v in sizes)
        return tuple(sizes) if sizes and -1 not in sizes else None
    if name in ("transpose", "swapaxes", "swapdims", "t"):
        out = list(old)
        one, other = (sizes[0], sizes[1]) if len(sizes) >= 2 else (kwargs.get("dim0", -2), kwargs.get("dim1", -1))
        out[one], out[other] = out[other], out[one]
        return tuple(out)
    if name == "permute":
        return tuple(old[i] for i in sizes) if len(sizes) == len(old) else None
    if name == "unsqueeze":
        axis = sizes[0] if sizes else kwargs["dim"]
        out = list(old)
        out.insert(axis if axis >= 0 else len(old) + 1 + axis, 1)
        return tuple(out)
    if name == "squeeze":
        if not sizes and "dim" not in kwargs:
            return tuple(v for v in old if v != 1)
        axis = (sizes[0] if sizes else kwargs["dim"]) % len(old)
        return old if old[axis] != 1 else old[:axis] + old[axis + 1:]
    if name == "flatten":
        first = sizes[0] if sizes else kwargs.get("start_dim", 0)
        last = sizes[1] if len(sizes) > 1 else kwargs.get("end_dim", -1)
        first, last = first % len(old), last % len(old)
        return old[:first] + (math.prod(old[first:last + 1]),) + old[last + 1:]
    if name in ("expand", "broadcast_to"):
        padded = (1,) * (len(sizes) - len(old)) + tuple(old)
        return tuple(p if s == -1 else s for s, p in zip(sizes, padded))
    return None


_statements = {
    ast.Import: Reader.do_import, ast.ImportFrom: Reader.do_import_from, ast.FunctionDef: Reader.do_function, ast.ClassDef: Reader.do_class,
    ast.Assign: Reader.do_assign, ast.AnnAssign: Reader.do_annotated, ast.AugAssign: Reader.do_augmented, ast.Expr: Reader.do_expression,
    ast.Return: Reader.do_return, ast.If: Reader.do_if, ast.For: Reader.do_for, ast.While: Reader.do_while, ast.Break: Reader.do_break,
    ast.Continue: Reader.do_continue, ast.With: Reader.do_with, ast.Try: Reader.do_try, ast.Raise: Reader.do_raise,
    ast.Pass: Reader.do_nothing, ast.Assert: Reader.do_nothing, ast.Delete: Reader.do_nothing, ast.Global: Reader.do_nothing,
    ast.Nonlocal: Reader.do_nothing,
}
_expressions = {
    ast.Constant: Reader.see_constant, ast.Name: Reader.see_name, ast.Attribute: Reader.see_attribute, ast.Call: Reader.see_call,
    ast.BinOp: Reader.see_binary, ast.UnaryOp: Reader.see_unary, ast.BoolOp: Reader.see_boolean, ast.Compare: Reader.see_comparison,
    ast.IfExp: Reader.see_conditional, ast.List: Reader.see_list, ast.Tuple: Reader.see_list, ast.Set: Reader.see_list,
    ast.Dict: Reader.see_dict, ast.Subscript: Reader.see_subscript, ast.Slice: Reader.see_slice, ast.Lambda: Reader.see_lambda,
    ast.JoinedStr: Reader.see_text, ast.ListComp: Reader.see_comprehension, ast.GeneratorExp: Reader.see_comprehension,
    ast.SetComp: Reader.see_comprehension, ast.DictComp: Reader.see_comprehension, ast.Starred: Reader.see_starred,
    ast.NamedExpr: Reader.see_walrus,
}
Reader.statements, Reader.expressions = _statements, _expressions


def tables_of(cls):
    """Returns the tables of a reader's class: which method reads which kind of statement or expression. Methods that
    the class overrides are its own."""
    return [{node: getattr(cls, method.__name__) for node, method in table.items()} for table in (_statements, _expressions)]
