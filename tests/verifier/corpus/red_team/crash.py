# Kernels whose text the child wrote itself, so that whoever executes it ends: a crash costs the candidate, and nobody else.
import record
from launch_trace import Current
record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

def forged(x, body):
    y = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    for one in Current.kernels:
        one["ttir"] = ("module {\n  tt.func public @kernel(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n" + body
                       + "\n    tt.return\n  }\n}\n")
    return y
#: combination_ends_in_a_bare_branch | tasks relu | protocol training | neighbour | FORM reduce scan maximum
FORMS = {"reduce": ("tt.reduce", "arith.addf", "f32"), "scan": ("tt.scan", "arith.addf", "tensor<16xf32>"),
         "maximum": ("tt.reduce", "arith.maxnumf", "f32")}

class ModelNew(nn.Module):
    def forward(self, x):
        name, combine, result = FORMS["__FORM__"]
        more = ", reverse = false" if name == "tt.scan" else ""
        return forged(x, f"""
    %c = arith.constant dense<1.0> : tensor<16xf32>
    %r = "{name}"(%c) <{{axis = 0 : i32{more}}}> ({{
    ^bb0(%a: f32, %b: f32):
      %s = {combine} %a, %b : f32
      cf.br ^bb1
    ^bb1:
      {name}.return %s : f32
    }}) : (tensor<16xf32>) -> {result}""")
#: constant_by_another_name_in_a_block_that_never_runs | tasks relu | protocol training | neighbour | FORM splat reshape broadcast
FORMS = {"splat": ("arith.constant 1.0 : f32", "tt.splat %c : f32 -> tensor<16xf32>", "tensor<16xf32>"),
         "reshape": ("arith.constant dense<1.0> : tensor<4x4xf32>", "tt.reshape %c : tensor<4x4xf32> -> tensor<16xf32>",
                     "tensor<16xf32>"),
         "broadcast": ("arith.constant dense<1.0> : tensor<1x16xf32>", "tt.broadcast %c : tensor<1x16xf32> -> tensor<16x16xf32>",
                       "tensor<16x16xf32>")}

class ModelNew(nn.Module):
    def forward(self, x):
        constant, other, kind = FORMS["__FORM__"]
        return forged(x, f"""
    cf.br ^bb2
  ^bb1:
    %c = {constant}
    %s = {other}
    cf.br ^bb2
  ^bb2:
    %t = arith.addf %s, %s : {kind}""")
#: condition_of_a_block_that_never_runs | tasks relu | protocol training | neighbour | FORM if while branch
FORMS = {"if": "scf.if %s {\n}", "while": "scf.while : () -> () {\n scf.condition(%s)\n} do {\n scf.yield\n}",
         "branch": "cf.cond_br %s, ^bb3, ^bb4\n^bb3:\n cf.br ^bb4\n^bb4:"}

class ModelNew(nn.Module):
    def forward(self, x):
        return forged(x, """
    cf.br ^bb2
  ^bb1:
    %c = arith.constant dense<true> : tensor<1xi1>
    %s = tt.unsplat %c : tensor<1xi1>
    cf.br ^bb2
  ^bb2:
    """ + FORMS["__FORM__"])
#: block_of_the_outside_in_a_combination_of_many | tasks relu | protocol training | neighbour | FORM reduce scan map
# A region runs on all pairs at once; a block from outside it has fewer elements than there are pairs.
BODY = """
      %w = arith.select %a, %u, %u : tensor<2xf64>
      %z = arith.addf %k, %w : tensor<2xf64>
"""
FORMS = {"reduce": ('"tt.reduce"(%m) <{axis = 0 : i32}> ({\n^bb0(%a: i1, %b: i1):' + BODY
                    + '%v = arith.ori %a, %b : i1\ntt.reduce.return %v : i1\n}) : (tensor<2x524288xi1>) -> tensor<524288xi1>'),
         "scan": ('"tt.scan"(%m) <{axis = 0 : i32, reverse = false}> ({\n^bb0(%a: i1, %b: i1):' + BODY
                  + '%v = arith.ori %a, %b : i1\ntt.scan.return %v : i1\n}) : (tensor<2x524288xi1>) -> tensor<2x524288xi1>'),
         "map": ('"tt.map_elementwise"(%m) <{pack = 1 : i32}> ({\n^bb0(%a: i1):' + BODY
                 + 'tt.map_elementwise.return %a : i1\n}) : (tensor<2x524288xi1>) -> tensor<2x524288xi1>')}

class ModelNew(nn.Module):
    def forward(self, x):
        return forged(x, """
    %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
    %u = arith.constant dense<1.0> : tensor<2xf64>
    %i = tt.make_range {end = 1048576 : i32, start = 0 : i32} : tensor<1048576xi32>
    %j = tt.reshape %i : tensor<1048576xi32> -> tensor<2x524288xi32>
    %m = arith.trunci %j : tensor<2x524288xi32> to tensor<2x524288xi1>
    %r = """ + FORMS["__FORM__"])
#: function_that_returns_what_it_never_made | tasks relu | protocol training | neighbour | FORM splat pointer loop
# The same a call further: what a function's early branch left out is what its caller uses.
FORMS = {"splat": ("tensor<16xf32>", "%c = arith.constant 1.0 : f32\n %s = tt.splat %c : f32 -> tensor<16xf32>",
                   "%t = arith.addf %r, %r : tensor<16xf32>"),
         "pointer": ("tensor<16x!tt.ptr<f32>>", "%s = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>",
                     "%t = tt.load %r : tensor<16x!tt.ptr<f32>>"),
         "loop": ("tensor<1xi32>", "%c = arith.constant dense<7> : tensor<1xi32>\n %s = tt.reshape %c : tensor<1xi32> -> tensor<1xi32>",
                  "%e = tt.unsplat %r : tensor<1xi32>\n scf.for %i = %e to %n step %e : i32 {\n }")}

class ModelNew(nn.Module):
    def forward(self, x):
        kind, made, used = FORMS["__FORM__"]
        y = forged(x, f"""
    %r = tt.call @inner(%x) : (!tt.ptr<f32>) -> {kind}
    {used}""")
        for one in Current.kernels:
            one["ttir"] = one["ttir"].rstrip()[:-1] + f"""  tt.func private @inner(%p: !tt.ptr<f32>) -> {kind} {{
    cf.br ^bb2
  ^bb1:
    {made}
    cf.br ^bb2
  ^bb2:
    tt.return %s : {kind}
  }}
}}
"""
        return y
#: graph_within_a_loop | tasks relu | protocol training | neighbour | FORM use_before operands results
# Names of one block, used in another that comes first when it runs; results that no path gives.
FORMS = {"use_before": """
    %f = arith.constant false
    cf.br ^bb2
  ^bb1:
    %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %e = tt.expand_dims %c {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    cf.br ^bb3
  ^bb2:
    cf.br ^bb3
  ^bb3:
    %t = tt.trans %e {order = array<i32: 1, 0>} : tensor<1x4xi32> -> tensor<4x1xi32>
    %h = tt.histogram %c : tensor<4xi32> -> tensor<8xi32>""",
         "operands": """
    cf.br ^bb2
  ^bb1:
    %c = arith.constant 2.0 : f32
    %s = tt.splat %c : f32 -> tensor<16x16xf32>
    cf.br ^bb2
  ^bb2:
    %d = tt.dot %s, %s, %s, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>""",
         "results": """
    cf.br ^bb2
  ^bb1:
    %c = arith.constant dense<3> : tensor<16xi32>
    %s = tt.reshape %c : tensor<16xi32> -> tensor<4x4xi32>
    cf.br ^bb2
  ^bb2:
    %g = tt.gather %s[%s] {axis = 0 : i32} : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %a, %b = tt.split %p : tensor<4x2xi32> -> tensor<4xi32>"""}

class ModelNew(nn.Module):
    def forward(self, x):
        text = FORMS["__FORM__"]
        if "__FORM__" == "results":
            text = text.replace("    %a, %b = tt.split %p : tensor<4x2xi32> -> tensor<4xi32>", "    %p = tt.reshape %s : tensor<4x4xi32> -> tensor<8x2xi32>\n    %a, %b = tt.split %p : tensor<8x2xi32> -> tensor<8xi32>")
        return forged(x, text)
