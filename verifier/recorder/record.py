"""Runs a candidate's wrapper on tensors without data and returns its launch plans."""

import ast
import inspect
import linecache
import sys
import types

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode
from triton.compiler.errors import CompilationError

import cuda_extension
import weight_draws
import fake_gpu
import inductor
from framework import Framework
from launch_trace import Current, LaunchTrace, NAMES
from refusal import CANDIDATE_FILE, Refused, line_of_error

MODEL = "ModelNew"


def parse(source):
    """Checks that the answer is Python that defines ModelNew somewhere."""
    try:
        tree = ast.parse(source, CANDIDATE_FILE)
        return compile(tree, CANDIDATE_FILE, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise Refused("syntax_error", error.msg, error.lineno, everywhere=True) from error
    except (ValueError, RecursionError) as error:
        raise Refused("syntax_error", str(error) or type(error).__name__, everywhere=True) from error


def make_module(source):
    """Makes a module in which torch, nn, F, triton and tl are defined, as if imported above the answer's first line."""
    linecache.cache[CANDIDATE_FILE] = (len(source), None, source.splitlines(True), CANDIDATE_FILE)
    module = types.ModuleType("candidate")
    module.__file__ = CANDIDATE_FILE
    module.__dict__.update(torch=torch, nn=nn, F=F, triton=triton, tl=tl)
    sys.modules["candidate"] = module
    return module


class CudaModel(nn.Module):
    """Passes its inputs, and then the task's parameters, to a function of a CUDA file."""

    def __init__(self, function):
        super().__init__()
        self.function, self.given = function, []

    def forward(self, *inputs):
        return self.function(*inputs, *self.given)


def cuda_module(source):
    """Makes a module whose ModelNew calls the C++ function `forward` of a CUDA file, whatever arguments the task's module takes."""
    forward = cuda_extension.entry(source)
    return types.SimpleNamespace(ModelNew=lambda *args, **more: CudaModel(forward))


def compile_refusal(error):
    """Describes a compilation error of Triton by the line in the launched kernel and the innermost reason."""
    line, inner = None, error
    source = error.src or ""
    for value in vars(sys.modules["candidate"]).values():
        while value is not None and not isinstance(value, triton.runtime.JITFunction):
            value = getattr(value, "fn", None) if not inspect.isfunction(value) else None
        if value is not None and value.src == source and hasattr(error.node, "lineno"):
            line = triton.runtime.jit.get_jit_fn_file_line(value)[1] + error.node.lineno - 1
            break
    while isinstance(inner.__cause__, CompilationError):
        inner = inner.__cause__
    text = inner.error_message or (repr(inner.__cause__) if inner.__cause__ else "the kernel does not compile")
    return Refused("compile_error", str(text), line, everywhere=True)


# Names of classes and functions in which other harnesses expect an answer, with the harness that
# does.
ELSEWHERE = {"custom_kernel": "GPU MODE's competitions", "solution": "other harnesses", "solve": "LeetGPU", "kernel_function": "KernelAgent",
             "run": "FlashInfer-Bench", "forward_fn": "robust-kbench"}


def wanted_instead():
    """For an answer without ModelNew: returns what it has instead and what it should have, for the end of a message;
    empty if it has nothing."""
    try:
        parts = ast.parse(Current.source or "").body
    except (SyntaxError, ValueError, RecursionError):
        return ""
    names = [part.name for part in parts if isinstance(part, (ast.FunctionDef, ast.ClassDef))
             and not any("jit" in ast.unparse(decorator) for decorator in part.decorator_list)]
    if not names or MODEL in names:
        return ""
    other = next((name for name in ELSEWHERE if name in names), None)
    has = f"{other}, as {ELSEWHERE[other]} want it" if other else ", ".join(names[:3])
    return f", but {has}; here `class {MODEL}(nn.Module)` is wanted, which is made and called as the task's Model"


def explain(error):
    """Turns any exception of a candidate into a refusal."""
    if isinstance(error, Refused):
        return error
    cause = error
    while cause is not None and not isinstance(cause, CompilationError):
        cause = cause.__cause__
    if cause is not None:
        return compile_refusal(cause)
    line = getattr(error, "candidate_line", None) or line_of_error(error)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return Refused("memory", "the wrapper uses more memory than it may", line)
    if isinstance(error, DataDependentOutputException):
        return Refused("data_dependent", "the wrapper asks for a tensor's contents, which it never sees", line)
    if "Found no NVIDIA driver" in str(error):
        return Refused("framework_compute", "the wrapper has PyTorch use the GPU itself; only kernels may compute", line)
    if isinstance(error, ModuleNotFoundError) and error.name:
        return Refused("exception", f"the answer imports {error.name}, which isn't installed where answers run{wanted_instead()}", line)
    if isinstance(error, BlockingIOError):
        return Refused("processes", "the wrapper starts processes or threads", line)
    if isinstance(error, PermissionError) or (isinstance(error, OSError) and error.errno in (1, 30)):
        return Refused("forbidden", f"the wrapper asks the system for what it may not have: {error}", line)
    return Refused("exception", f"{type(error).__name__}: {error}", line, everywhere=isinstance(error, NameError))


def first_line(function):
    """Returns the first line of a function, or of a class's constructor, in the candidate's text; None if it isn't
    written there."""
    code = getattr(inspect.unwrap(function.__init__ if inspect.isclass(function) else function), "__code__", None)
    return code.co_firstlineno if code is not None and code.co_filename == CANDIDATE_FILE else None


def move_to_gpu(model):
    """Moves a module's parameters and buffers to the GPU, as every evaluation harness does before it calls the module.

    Those with unknown contents, such as random ones, stay on the CPU. A kernel that takes one is refused, since no plan can hold it.
    """
    moved = {}  # the same parameter may have several names
    for module in model.modules():
        for place in (module._parameters, module._buffers):
            for name, tensor in place.items():
                if tensor is None or tensor.device.type != "cpu" or not Current.launch_trace.knows(tensor):
                    continue
                if id(tensor) not in moved:
                    on_gpu = tensor.detach().to("cuda")
                    if isinstance(tensor, nn.Parameter):
                        on_gpu = nn.Parameter(on_gpu, requires_grad=tensor.requires_grad)
                    moved[id(tensor)] = on_gpu
                place[name] = moved[id(tensor)]


def make_inputs(shape, parameters=False):
    """Returns tensors for the inputs of forward, or for the task's parameters, in order. Among the inputs of forward
    there may be numbers that the task passes to it."""
    inputs = []
    for index, entry in enumerate(shape["inputs"]):
        if ("parameter" in entry) != parameters:
            continue
        tensor = torch.empty(entry["shape"], dtype=NAMES[entry["dtype"]], device="cuda")
        # The allocation was recorded as a temporary, but this buffer is an input.
        Current.launch_trace.buffers[-1].update(role="input", input=index)
        inputs.append(tensor)
    if "forward" in shape and not parameters:
        tensors = iter(inputs)
        return [next(tensors) if value is None else plain(value["value"]) for value in shape["forward"]]
    return inputs


def owned_tensors(model):
    """The parameters and buffers of a module as {name: (where it is kept, its key there, whether it is a buffer)}, in the order of their
    construction; one with several names has the first of them."""
    found, seen = {}, set()
    for prefix, module in model.named_modules():
        for place in (module._parameters, module._buffers):
            for name, tensor in place.items():
                if tensor is not None and id(tensor) not in seen:
                    seen.add(id(tensor))
                    found[f"{prefix}.{name}" if prefix else name] = place, name, place is module._buffers
    return found


def fits(own, asked):
    """Whether a parameter holds the same numbers in the same order. Dimensions of one element may differ: [5] fits [5,
    1, 1]."""
    return [size for size in own if size != 1] == [size for size in asked if size != 1]


def names_of(owned, wanted, origins, theirs, line):
    """The answer's name for each of the task's parameters that it has, {the task's name: its own}.

    A parameter is found by its name in the state_dict of the task's module. One of another name is found by the numbers that it gets under the
    seed under which the module got the same (`theirs`: weight_draws.py), and otherwise they are taken in the order in which the module constructs
    them; their shapes must then agree one by one. An answer may do without a parameter, and keep constants of its own: its values decide.
    """
    own_shape = {name: list(place[key].shape) for name, (place, key, _) in owned.items()}
    bound = {entry["parameter"]: entry["parameter"] for entry in wanted if entry["parameter"] in owned}
    for entry in wanted:
        name = entry["parameter"]
        if name in bound and not fits(own_shape[name], entry["shape"]):
            raise Refused("wrong_parameters", f"{MODEL}'s parameter {name} has the shape {own_shape[name]}, the task's has {entry['shape']}", line)
    others = {entry["parameter"]: entry["shape"] for entry in wanted if entry["parameter"] not in bound}
    unnamed = [name for name, (_, _, buffer) in owned.items() if name not in bound and not buffer]
    found = {name: Current.own_names[name] for name in others if Current.own_names.get(name) in unnamed}
    for name in others if not found else ():
        origin = theirs.get(name)
        same = [own for own in unnamed if own not in found.values() and weight_draws.compare(origin, origins[own])]
        if same and origin[0] != "constant":
            found[name] = same[0]
    left, missing = [own for own in unnamed if own not in found.values()], [name for name in others if name not in found]
    if len(left) == len(missing):
        found.update(zip(missing, left))
    strange = [own for own in unnamed if own not in found.values() and weight_draws.number_of(origins[own]) is None]
    if (missing and strange) or not all(fits(own_shape[own], others[name]) for name, own in found.items()):
        has = ", ".join(f"{own} {own_shape[own]}" for own in unnamed)
        asks = ", ".join(f"{name} {size}" for name, size in others.items())
        raise Refused("wrong_parameters", f"{MODEL} lacks parameters of the task's module: {asks}; its own of other names: {has}."
                                          " Give them the module's names, or construct the same ones in the same order", line)
    return {**bound, **found}


def bind_parameters(instance, shape, line, made):
    """Puts the task's parameters, whose values the task gives, where the answer keeps its own. `made` has the origins of its tensors."""
    wanted = [entry for entry in shape["inputs"] if "parameter" in entry]
    if not wanted:
        return
    given = make_inputs(shape, parameters=True)
    if isinstance(instance, CudaModel):
        instance.given = given
        return
    owned = owned_tensors(instance) if isinstance(instance, nn.Module) else {}
    owned = {name: kept for name, kept in owned.items() if kept[0][kept[1]].numel() > 0}
    origins = {name: made.origin(place[key]) for name, (place, key, _) in owned.items()}
    theirs = shape.get("origins", {})
    bound = names_of(owned, wanted, origins, theirs, line)
    if theirs:
        Current.own_names = bound
        same = {name: weight_draws.compare(theirs.get(name), origins[own]) for name, own in bound.items()}
        Current.weights = {name: weight_draws.form_of(origins[bound[name]]) if equal is False else None for name, equal in same.items() if not equal}
    for entry, tensor in zip(wanted, given):
        if entry["parameter"] not in bound:
            continue
        place, key, buffer = owned[bound[entry["parameter"]]]
        old = place[key]
        tensor = tensor.view(old.shape)
        replacement = tensor if buffer else nn.Parameter(tensor, requires_grad=old.requires_grad and tensor.is_floating_point())
        for module in instance.modules():  # the same parameter may have several names
            for all_of in (module._parameters, module._buffers):
                for name, one in all_of.items():
                    if one is old:
                        all_of[name] = replacement


def plain(value):
    """A value of Python that is written as JSON, with {"tuple": […]} for tuples."""
    if isinstance(value, dict):
        return tuple(plain(one) for one in value["tuple"])
    return [plain(one) for one in value] if isinstance(value, list) else value


def arguments_of(shape):
    """The arguments with which the task constructs its module: (args, kwargs)."""
    return [plain(value) for value in shape.get("arguments", [])], {name: plain(value) for name, value in shape.get("keywords", {}).items()}


def construct(module, shape):
    model = getattr(module, MODEL, None)
    if model is None:
        raise Refused("missing_model", f"the answer defines no class {MODEL}{wanted_instead()}", everywhere=True)
    if not callable(model):
        raise Refused("missing_model", f"{MODEL} is not a class", everywhere=True)
    args, kwargs = arguments_of(shape)
    try:
        inspect.signature(model).bind(*args, **kwargs)
    except TypeError as error:
        how = "with the task's arguments" if args or kwargs else "without arguments"
        raise Refused("wrong_arguments", f"{MODEL} must be made {how}: {error}",
                      first_line(model), everywhere=True) from error
    Current.constructing, Current.draws = True, weight_draws.Draws()
    try:
        instance = model(*args, **kwargs)
    finally:
        Current.constructing, made, Current.draws = False, Current.draws, None
    bind_parameters(instance, shape, first_line(model), made)
    if isinstance(instance, nn.Module):
        move_to_gpu(instance)
    inputs = make_inputs(shape)
    forward = getattr(instance, "forward", None)
    if forward is None:
        raise Refused("missing_model", f"{MODEL} has no method forward", everywhere=True)
    try:
        inspect.signature(forward).bind(*inputs)
    except TypeError as error:
        raise Refused("wrong_arguments", f"forward does not take the task's {len(inputs)} inputs: {error}",
                      first_line(forward), everywhere=True) from error
    return instance, inputs


def outputs_of(output, wanted, line):
    """Returns the tensors that forward returned. There must be as many as the task has results."""
    if wanted == 1 and not (isinstance(output, (tuple, list)) and len(output) == 1):
        output = [output]
    if not isinstance(output, (tuple, list)) or len(output) != wanted:
        kind = "tensor" if isinstance(output, torch.Tensor) else type(output).__name__
        count = f"a {kind} of {len(output)}" if isinstance(output, (tuple, list)) else f"a {kind}"
        raise Refused("wrong_output", f"forward returns {count}, and the task has {wanted} results: return them as a tuple", line, everywhere=True)
    for one in output:
        if not isinstance(one, torch.Tensor):
            raise Refused("wrong_output", f"forward returns a {type(one).__name__}, not a tensor", line, everywhere=True)
    return list(output)


def call(instance, shape, inputs):
    """Calls the wrapper and returns its outputs as a list. Its launches are then in the current launch trace."""
    launch_trace = Current.launch_trace
    output = instance(*inputs) if isinstance(instance, nn.Module) else instance.forward(*inputs)
    if launch_trace.violation is not None:
        raise launch_trace.violation
    outputs = outputs_of(output, shape.get("outputs", 1), first_line(instance.forward))
    if launch_trace.launches == 0:
        grid, line = launch_trace.empty or (None, None)
        raise Refused("no_kernel", "forward launches no kernel" + (f": the grid is {tuple(grid)}" if grid else ""), line)
    if any(one.device.type != "cuda" for one in outputs):
        raise Refused("wrong_output", "forward returns a tensor on the CPU", first_line(instance.forward))
    return outputs


def call_again(instance, shape, first, outputs):
    """Calls a wrapper a second time, with other tensors of the same sizes, as everybody does who uses it.

    A call that fails or launches nothing gives no result. One that does without an input that the first call used, or returns
    a tensor that it leaves alone, gives an old one.
    """
    Current.launch_trace = again = first.next_call()
    Current.repeated, alternatives = True, Current.alternative_kernels
    try:
        second = call(instance, shape, make_inputs(shape))
        if [(one.shape, one.dtype) for one in second] != [(one.shape, one.dtype) for one in outputs]:
            raise Refused("wrong_output", "forward returns a tensor of another shape or type", first_line(instance.forward))
        for one, before in zip(second, outputs):
            writes = first.buffer_of(before) in first.buffers_used()
            if writes and again.buffer_of(one) not in again.buffers_used():
                raise Refused("wrong_output", "forward returns a tensor that nothing in this call writes",
                              first_line(instance.forward))
        parameters = {i for i, entry in enumerate(shape["inputs"]) if "parameter" in entry}  # the module keeps them from call to call
        if missing := sorted(first.inputs_used() - again.inputs_used() - parameters):
            raise Refused("wrong_output", f"forward does without the input {shape['inputs'][missing[0]]['name']}, as if it were"
                                          " the one before", first_line(instance.forward))
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        refused = again.violation or explain(error)
        raise Refused(refused.reason, f"at a second call with inputs of the same sizes: {refused.message}", refused.line) from error
    finally:
        Current.launch_trace, Current.repeated, Current.alternative_kernels = first, False, alternatives


def record_shape(module, shape, prelude):
    Current.launch_trace = launch_trace = prelude.copy()
    Current.stretched = shape.get("stretched", False)
    instance, inputs = construct(module, shape)
    outputs = call(instance, shape, inputs)
    views = [launch_trace.view(one) for one in outputs]
    launch_trace.require_determined(views)
    plan = {"label": shape["label"], "buffers": launch_trace.buffers, "steps": launch_trace.steps,
            "output": views[0] if len(views) == 1 else views}
    if not Current.stretched:
        call_again(instance, shape, launch_trace, outputs)
    return plan


def attempt(module, shape, prelude):
    """Returns the plan for a shape, or {"label", "error"}."""
    try:
        return record_shape(module, shape, prelude)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit too: a candidate that exits fails like any other
        refused = Current.launch_trace.violation or explain(error)
        return {"label": shape["label"], "error": refused.to_json()}


def unwanted(shape):
    """Returns a row instead of a plan, for a shape that is only tried if another shape fails."""
    return {"label": shape["label"], "error": Refused("unsupported", "recorded at longer sizes").to_json()}


def record(source, shapes, language=None, epilogue=False):
    """Returns the plans of a candidate, {"ok": true, "plans", "kernels"}, or why it has none for the first shape.

    The source is Python, or with the language "cuda" a file of CUDA C++. With `epilogue`, PyTorch may finish what kernels computed. When
    a later shape fails, an "error" takes its plan's place: that is a failed trial, not a syntax failure of the candidate.
    """
    try:
        code = parse(source) if language != "cuda" else None
        if language != "cuda" and "module" in shapes[0] and any("parameter" in entry for entry in shapes[0]["inputs"]):
            with torch.no_grad(), FakeTensorMode():
                module = shapes[0]["module"]
                shapes[0]["origins"] = weight_draws.of_module(module["code"], module["entry"], *arguments_of(shapes[0]))
        Current.launch_trace, Current.kernels, Current.made, Current.alternative_kernels = LaunchTrace(), [], [], 0
        Current.source, Current.epilogue, Current.own_names, Current.weights = source, epilogue, {}, {}
        with torch.no_grad(), FakeTensorMode(), Framework():
            if language == "cuda":
                module = cuda_module(source)
            else:
                inductor.install_for(source)
                module = make_module(source)
                exec(code, module.__dict__)
            prelude = Current.launch_trace
            if prelude.violation is not None:
                raise prelude.violation
            plans = [record_shape(module, shapes[0], prelude)]
            for shape in shapes[1:]:
                wanted = "instead_of" not in shape or "error" in plans[shape["instead_of"]]
                plans.append(attempt(module, shape, prelude) if wanted else unwanted(shape))
        weights = {"weights": Current.weights} if Current.weights else {}
        return {"ok": True, "plans": plans, "kernels": Current.kernels, **weights}
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        return (Current.launch_trace.violation or explain(error)).to_json()


# Uses what answers often use: PyTorch and Triton look up functions, signatures and shapes of
# operators at their first use, and children inherit the results.
WARM_UP = '''
import math
import torch.nn.functional as F

@triton.jit
def rows(x, y, w, n, eps, stride, BLOCK: tl.constexpr, SCALE: tl.constexpr = 1.0):
    row = tl.program_id(0)
    sums = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, tl.cdiv(n, BLOCK)):
        i = start * BLOCK + tl.arange(0, BLOCK)
        mask = (i < n) & (row >= 0)
        a = tl.load(x + row * stride + i, mask=mask, other=0.0).to(tl.float32)
        sums += tl.where(mask, tl.exp(a) * a - a / 2, 0.0)
    mean = tl.sum(sums, axis=0) / n
    top = tl.maximum(tl.max(sums, axis=0), mean)
    i = tl.arange(0, BLOCK)
    scale = 1.0 / tl.sqrt(mean * mean + eps)
    if SCALE != 1.0:
        scale *= SCALE
    out = tl.sigmoid((sums - top) * scale) * tl.load(w + i, mask=i < n, other=float("-inf"))
    tl.store(y + row * stride + i, tl.minimum(tl.abs(tl.log(out)), -top), mask=i < n)

@triton.jit
def product(x, w, y, m, n, k, xm, xk, wk, wn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        at = start + tl.arange(0, BK)
        a = tl.load(x + i[:, None] * xm + at[None, :] * xk, mask=(i[:, None] < m) & (at[None, :] < k), other=0.0)
        b = tl.load(w + at[:, None] * wk + j[None, :] * wn, mask=(at[:, None] < k) & (j[None, :] < n), other=0.0)
        sums += tl.dot(a, b, input_precision="ieee")
    tl.store(y + i[:, None] * n + j[None, :], sums, mask=(i[:, None] < m) & (j[None, :] < n))

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.weight = nn.Parameter(torch.ones(8))

    def forward(self, x):
        y = torch.zeros_like(x.contiguous().view(-1)).reshape(x.shape)
        z = torch.empty((x.shape[0], 8), device=x.device, dtype=x.dtype)
        grid = lambda meta: (triton.cdiv(x.size(0), meta["BM"]), triton.cdiv(8, meta["BN"]))
        weight = self.linear.weight.t()
        product[grid](x.t().contiguous(), weight, z, 8, 8, 8, x.stride(0), x.stride(1), weight.stride(0), weight.stride(1), BM=16, BN=16, BK=16)
        rows[(x.shape[0],)](z, y, self.weight, x.shape[-1], 1e-5, z.stride(0), BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=4)
        return y.unsqueeze(0).squeeze(0)
'''


def warm_up():
    """Runs everything once, so that it is loaded in the children that are forked later."""
    fake_gpu.install()
    inductor.install()
    cuda_extension.install()
    inputs = [{"name": name, "dtype": "f32", "shape": extents, **({"parameter": name} if name != "x" else {})}
              for name, extents in (("x", [8, 8]), ("linear.weight", [8, 8]), ("linear.bias", [8]), ("weight", [8]))]
    answer = record(WARM_UP, [{"label": "warm-up", "inputs": inputs}])
    sys.modules.pop("candidate", None)
    linecache.cache.pop(CANDIDATE_FILE, None)
    return answer
