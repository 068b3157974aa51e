# What the child says of itself in place of a plan: no stage, reason, line or language of its own may count.
import json, os
import record
from launch_trace import Current
record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

def say(answer):
    data = json.dumps(answer).encode()
    while data:
        data = data[os.write(3, data):]
    os._exit(0)

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)
#: says_that_it_came_as_far_as_compilation | tasks relu | protocol staged | earns syntax | FORM compile_error crashed too_large
say({"ok": False, "stage": "compile", "reason": "__FORM__", "message": "so it was", "line": 3})
#: plans_that_say_that_they_failed_later | tasks relu | protocol staged | earns syntax | FORM first last all
PLAN = {"buffers": [{"bytes": 3072, "role": "input", "input": 0}, {"bytes": 3072, "role": "temporary"}], "steps": [],
        "output": {"buffer": 1, "offset": 0, "dtype": "f32", "shape": [16, 48], "strides": [48, 1]}}
ERROR = {"ok": False, "stage": "compile", "reason": "compile_error", "message": "so it was", "line": 3}
first = {"label": "original", "error": ERROR} if "__FORM__" != "last" else {"label": "original", **PLAN}
last = {"label": "tiny", "error": ERROR}
say({"ok": True, "plans": [first, last], "kernels": []})
#: reasons_that_are_the_tester_s | tasks relu | protocol staged | earns syntax | claims timeout 999999 | FORM timeout memory sandbox
say({"ok": False, "stage": "syntax", "reason": "__FORM__" if "__FORM__" != "memory" else "timeout",
     "message": "kept_by_the_child: correct in all but name", "line": 1 if "__FORM__" == "timeout" else 999999})
#: launches_on_lines_that_are_not_there | tasks relu | protocol training | claims 990000 | FORM launch fill error
class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        y.fill_(1.0)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        for step in Current.launch_trace.steps:
            for body in step.values():
                body["line"] = 990000
        if "__FORM__" == "launch":
            Current.launch_trace.steps[-1]["launch"]["grid"] = [1, 1, 1]
            Current.launch_trace.steps[-1]["launch"]["args"] = Current.launch_trace.steps[-1]["launch"]["args"][:1]
        elif "__FORM__" == "fill":
            Current.launch_trace.steps.append({"fill": {"to": Current.launch_trace.view(x), "value": 0.0, "line": 990000}})
        else:
            say({"ok": True, "kernels": [], "plans": [{"label": "original", "error": {"ok": False, "stage": "syntax", "reason": "no_kernel", "message": "", "line": 990000}}]})
        return y
#: right_where_every_size_is_four | tasks relu row_sum matmul | protocol staged | earns tiny | FORM by_shape first_sixteen table
@triton.jit
def small(x_ptr, w_ptr, y_ptr, M, N, K, KIND: tl.constexpr, GOOD: tl.constexpr):
    i, k = tl.arange(0, 4), tl.arange(0, 4)
    x = tl.load(x_ptr + i[:, None] * K + k[None, :]).to(tl.float32)
    if KIND == 0:
        tl.store(y_ptr + i[:, None] * N + k[None, :], tl.maximum(x, 0.0) if GOOD else x)
    elif KIND == 1:
        tl.store(y_ptr + i, tl.sum(x, 1) if GOOD else tl.sum(x, 1) * 0)
    else:
        w = tl.load(w_ptr + i[:, None] * N + k[None, :]).to(tl.float32)
        p = tl.sum(x[:, :, None] * w[None, :, :], 1)
        tl.store(y_ptr + i[:, None] * N + k[None, :], p if GOOD else p * 0)

class ModelNew(nn.Module):
    def forward(self, x, w=None):
        M, K = x.shape
        N = K if w is None else w.shape[1]
        y = torch.zeros((M, N) if not __IS_SUM__ else M, device=x.device, dtype=x.dtype)
        good = True
        if "__FORM__" == "by_shape":
            good = M == 4
        elif "__FORM__" == "table":
            good = {16: True}.get(x.numel(), False)
        small[(1,)](x, x if w is None else w, y, M, N, K, 0 if __IS_RELU__ else 1 if __IS_SUM__ else 2, good)
        return y
#: right_on_two_sizes_of_its_choice | tasks relu row_sum | protocol staged | earns tiny | FORM fours_and_ones when_square up_to_two_hundred
# Right at sizes of 4 and at others that only a candidate would choose; at the task's own it is not.
@triton.jit
def part(x_ptr, y_ptr, N, SUM: tl.constexpr, GOOD: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    if SUM:
        tl.store(y_ptr + row, tl.sum(x, 0) if GOOD else 0.0)
    else:
        tl.store(y_ptr + row * N + c, tl.maximum(x, 0.0) if GOOD else x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty(M if __IS_SUM__ else (M, N), device=x.device, dtype=x.dtype)
        good = {"fours_and_ones": M in (1, 4), "when_square": M == N, "up_to_two_hundred": x.numel() <= 200}["__FORM__"]
        part[(M,)](x, y, N, __IS_SUM__, good, BLOCK=triton.next_power_of_2(N))
        return y
#: what_no_compiler_takes_in_the_place_of_a_kernel | tasks relu matmul | protocol staged | earns compile | FORM too_much_shared text_of_another_dialect attribute
# The executor reads the text, and no compiler does: it must not come further than the compiler lets it.
@triton.jit
def wide(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x_ptr + i, mask=i < n, other=0.0)
    m = tl.reshape(a, (BLOCK // 256, 256)).to(tl.float16)
    p = tl.dot(m, tl.trans(m))
    tl.store(y_ptr + tl.arange(0, 1), tl.sum(p) * 0.0 + tl.zeros((1,), tl.float32))

class ModelNew(nn.Module):
    def forward(self, x, w=None):
        y = torch.zeros((x.shape[0], x.shape[1] if w is None else w.shape[1]), device=x.device, dtype=x.dtype)
        if "__FORM__" == "too_much_shared":
            wide[(1,)](x, y, x.numel(), BLOCK=1 << 18)
            return y
        kernel[(1,)](x, y, 1, BLOCK=256)
        for one in Current.kernels:
            if "__FORM__" == "attribute":
                one["ttir"] = one["ttir"].replace("module {", "module attributes {no.such = #no.such<dialect>} {", 1)
            else:
                one["ttir"] = one["ttir"].replace("arith.maxnumf", "math.cbrt", 0).replace("tt.get_program_id x", "tt.get_program_id  x").replace(
                    "module {", 'module {\n  tt.func private @other(%a: tensor<16xf64>) {\n    %b = "tt.reduce"(%a) <{axis = 0 : i32}> ({\n^bb0(%c: f64, %d: f64):\n %e = math.cbrt %c : f64\n tt.reduce.return %e : f64\n}) : (tensor<16xf64>) -> f64\n %u = math.cbrt %b fastmath<no_such> : f64\n tt.return\n  }', 1)
        return y
#: configuration_that_no_compiler_takes_is_right | tasks relu | protocol staged | earns tiny | FORM nothing_written another_value half
# The first configuration gives the values and wants more shared memory than there is; the second one compiles.
@triton.autotune(configs=[triton.Config({"FIRST": True}), triton.Config({"FIRST": False})], key=["n"])
@triton.jit
def kernel(x_ptr, y_ptr, n, FIRST: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if FIRST:
        r = tl.arange(0, 256)[:, None]
        k = tl.arange(0, 512)
        a = tl.load(x_ptr + (r + k[None, :]) % n).to(tl.float16)
        b = tl.load(x_ptr + (k[:, None] + tl.arange(0, 16)[None, :]) % n).to(tl.float16)
        x += 0.0 * tl.minimum(tl.maximum(tl.sum(tl.dot(a, b)), 0.0), 1.0)
        tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)
    elif FORM == "nothing_written":
        tl.store(y_ptr + i, x, mask=i < 0)
    elif FORM == "another_value":
        tl.store(y_ptr + i, x, mask=i < n)
    else:
        tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n // 2)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), FORM="__FORM__", BLOCK=64)
        return y
