# What costs the tester more than the candidate. `costs` says what may be spent on it, in seconds.
import json, os, time
import record
from launch_trace import Current
record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

def write(data):
    data = memoryview(data)
    while data:
        data = data[os.write(3, data):]

def forged(x, body):
    y = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    for one in Current.kernels:
        one["ttir"] = ("module {\n  tt.func public @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n" + body
                       + "\n    tt.return\n  }\n}\n")
    return y
#: slow_to_compile | tasks relu | protocol exam | slow | neighbour | FORM unrolled sorted many
@triton.jit
def slow(x_ptr, y_ptr, n, FORM: tl.constexpr, COUNT: tl.constexpr, SALT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if FORM == "sorted":
        for k in tl.static_range(COUNT):
            x = tl.sort(x + k * SALT)
    else:
        for k in tl.static_range(COUNT):
            x = tl.sin(x * (1.0 + k * SALT)) + tl.cos(x / (2.0 + k)) * tl.exp(x)
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        if "__FORM__" == "sorted":
            slow[(1,)](x, y, x.numel(), "sorted", 8, 1, BLOCK=4096)
        elif "__FORM__" == "unrolled":
            slow[(1,)](x, y, x.numel(), "unrolled", 400, 1, BLOCK=2048)
        else:
            for salt in range(12):
                slow[(1,)](x, y, x.numel(), "many", 60, salt, BLOCK=512)
        return y
#: silent | tasks relu | protocol training | slow | neighbour | FORM sleeps closes dribbles
if "__FORM__" == "closes":
    os.close(3)
while True:
    time.sleep(0.05)
    if "__FORM__" == "dribbles":
        write(b"@1\n")
#: more_than_anybody_reads | tasks relu | protocol training | neighbour | FORM nested small_objects notes
if "__FORM__" == "nested":
    write(b'{"ok": true, "plans": [' + b"[{}]," * 5_000_000 + b"0], " + b'"kernels": []}')
elif "__FORM__" == "small_objects":
    write(b'{"ok": true, "kernels": [], "plans": [' + b",".join(b'{"a%d":{"b":[1,2]}}' % i for i in range(1_200_000)) + b"]}")
else:
    for _ in range(300):
        write(b"@1\n" * 30_000)
os._exit(0)
#: numbers_that_end_a_reader | tasks relu | protocol training | neighbour | FORM 1e999 Infinity 400_digits
NUMBER = {"1e999": "1e999", "Infinity": "-Infinity", "400_digits": "9" * 400}["__FORM__"]
write(b'{"ok": true, "kernels": [], "plans": [{"label": "original", "n": ' + NUMBER.encode() + b"}]}")
os._exit(0)
#: texts_that_end_a_reader | tasks relu | protocol training | neighbour | FORM half_a_pair long_note wide
if "__FORM__" == "half_a_pair":
    write(b'{"ok": false, "stage": "syntax", "reason": "exception", "message": "\\ud800 and on", "line": 1}')
elif "__FORM__" == "long_note":
    write(b"@" + b"7" * 5000 + b"\n")
    import ctypes
    ctypes.string_at(0)
else:
    write(b'{"ok": false, "stage": "syntax", "reason": "exception", "line": 1, "message": "' + "\u00e9".encode() * 16_000_000 + b'"}')
os._exit(0)
#: keys_that_are_the_protocol_s | tasks relu | protocol training | neighbour | FORM compile compile_answers ready
if "__FORM__" == "ready":
    write(b'{"ok": true, "ready": true, "event": "done", "id": 7, "compile": null, "kernels": [], "plans": []}')
elif "__FORM__" == "compile":
    write(b'{"ok": true, "compile": {"source": "", "functions": []}, "kernels": [], "plans": []}')
else:
    write(b'{"ok": true, "compile": {"source": "__global__ void f() {}\\nvoid forward() {}", "functions": ["forward"]}, "kernels": [], "plans": []}')
os._exit(0)
#: questions_without_end | tasks relu | protocol training | slow | neighbour | FORM slow_templates one_by_one unread
SLOW = """#include <torch/extension.h>
template <int N> struct S { static constexpr int v = S<N - 1>::v + S<N - 2>::v; };
template <> struct S<0> { static constexpr int v = 0; };
template <> struct S<1> { static constexpr int v = 1; };
template <int A, int B> struct P { static constexpr int v = P<A - 1, B>::v ^ P<A, B - 1>::v; };
template <int B> struct P<0, B> { static constexpr int v = B; };
template <int A> struct P<A, 0> { static constexpr int v = A; };
template <> struct P<0, 0> { static constexpr int v = 1; };
torch::Tensor forward(torch::Tensor x) { static_assert(P<300 + SALT, 300>::v != 123456789, ""); return x; }
"""
for salt in range(16):
    source = SLOW.replace("SALT", str(salt)) if "__FORM__" != "one_by_one" else "int f();" * 100_000 + str(salt)
    write(b"?" + json.dumps({"source": source, "functions": ["forward"]}).encode() + b"\n")
    if "__FORM__" != "unread":
        os.read(4, 1 << 22)
os._exit(0)
#: slow_to_execute | tasks relu | protocol training | slow | neighbour | FORM remainder products scattered
# A few operations as they are counted, and many as they are carried out.
FORMS = {"remainder": """
    %a = arith.constant dense<1.79769313486231571E+308> : tensor<65536xf64>
    %b = arith.constant dense<2.2250738585072E-308> : tensor<65536xf64>
    %one = arith.constant 1 : i32
    %most = arith.constant 1900 : i32
    %zero = arith.constant 0 : i32
    %i = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32>
    %f = arith.sitofp %i : tensor<65536xi32> to tensor<65536xf64>
    %d = arith.addf %f, %b : tensor<65536xf64>
    %e = arith.subf %a, %f : tensor<65536xf64>
    scf.for %k = %zero to %most step %one : i32 {
      %r = arith.remf %e, %d : tensor<65536xf64>
    }""", "products": """
    %z = arith.constant dense<0.0> : tensor<512x512xf32>
    %i = tt.make_range {end = 262144 : i32, start = 0 : i32} : tensor<262144xi32>
    %f = arith.sitofp %i : tensor<262144xi32> to tensor<262144xf32>
    %a = tt.reshape %f : tensor<262144xf32> -> tensor<512x512xf32>
    %one = arith.constant 1 : i32
    %most = arith.constant 55 : i32
    %zero = arith.constant 0 : i32
    scf.for %k = %zero to %most step %one : i32 {
      %d = tt.dot %a, %a, %z, inputPrecision = bf16x6 : tensor<512x512xf32> * tensor<512x512xf32> -> tensor<512x512xf32>
    }""", "scattered": """
    %i = tt.make_range {end = 1048576 : i32, start = 0 : i32} : tensor<1048576xi32>
    %s = arith.constant dense<640007> : tensor<1048576xi32>
    %m = arith.constant dense<767> : tensor<1048576xi32>
    %one = arith.constant 1 : i32
    %most = arith.constant 40 : i32
    %zero = arith.constant 0 : i32
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<1048576x!tt.ptr<f32>>
    %u = arith.muli %i, %s : tensor<1048576xi32>
    %v = arith.remui %u, %m : tensor<1048576xi32>
    %q = tt.addptr %p, %v : tensor<1048576x!tt.ptr<f32>>, tensor<1048576xi32>
    scf.for %k = %zero to %most step %one : i32 {
      %d = tt.load %q : tensor<1048576x!tt.ptr<f32>>
    }"""}

class ModelNew(nn.Module):
    def forward(self, x):
        return forged(x, FORMS["__FORM__"])
#: memory_of_the_tester | tasks relu | protocol training | neighbour | FORM marks_of_bytes wide_reduction parsed
@triton.jit
def bytes_of(p_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(p_ptr + i, tl.full((BLOCK,), 1, tl.int8), mask=i < n)
    tl.atomic_add(p_ptr.to(tl.pointer_type(tl.int32)) + tl.program_id(0) * 0, 0)
    v = tl.load(p_ptr + i, mask=i < n)
    tl.store(p_ptr + i, v, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        if "__FORM__" == "marks_of_bytes":
            p = torch.empty(120 << 20, device=x.device, dtype=torch.int8)
            y = torch.empty_like(x)
            bytes_of[(triton.cdiv(120 << 20, 1 << 20),)](p, 120 << 20, BLOCK=1 << 20)
            kernel[(3,)](x, y, x.numel(), BLOCK=256)
            return y
        if "__FORM__" == "wide_reduction":
            names = ", ".join(["%c"] * 30)
            arguments = ", ".join(f"%a{i}: f64" for i in range(60))
            results = ", ".join(f"%a{i}" for i in range(30))
            kinds = ", ".join(["tensor<1048576xf64>"] * 30)
            return forged(x, "%c = arith.constant dense<1.0> : tensor<1048576xf64>\n%r:30 = \"tt.reduce\"(" + names
                          + ") <{axis = 0 : i32}> ({\n^bb0(" + arguments + "):\n tt.reduce.return " + results + " : "
                          + ", ".join(["f64"] * 30) + "\n}) : (" + kinds + ") -> (" + ", ".join(["f64"] * 30) + ")")
        y = forged(x, "\n".join(f"%c{i} = arith.constant dense<[{', '.join(['1'] * 16)}]> : tensor<16xi64>" for i in range(9000)))
        steps = Current.launch_trace.steps
        for k in range(30):
            Current.kernels.append({**Current.kernels[0], "ttir": Current.kernels[0]["ttir"] + "\n" * (k + 1)})
            steps.append({"launch": {**steps[0]["launch"], "kernel": len(Current.kernels) - 1}})
        return y
