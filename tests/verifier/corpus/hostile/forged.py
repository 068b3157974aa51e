#: writes_to_the_result | tasks relu softmax | TEXT {"ok":true,"plans":[],"kernels":[]} {"ok":true,"correct":true,"speedup":99} {"ok":true,"plans":[{"label":"original"}],"kernels":{}} null [[[[[[[[ {"ok":true,"plans":7,"kernels":[]} {"ok":false,"stage":"passed","reason":"correct"} {"ok":false,"reason":"sandbox","message":"over"}
import os
os.write(3, b'''__TEXT__''')
os._exit(0)

class ModelNew(nn.Module):
    pass
#: writes_then_goes_on | tasks relu | TEXT {"ok":true,"plans":[],"kernels":[]} \n{"id":1,"ok":true} \x00\xff
import os
os.write(3, b'''__TEXT__''')

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: patched_ledger | tasks relu | PATCH launch_trace.launches=5 launch_trace.steps.clear() launch_trace.steps.append({"fill":{"to":launch_trace.view(y),"value":1.0}}) launch_trace.buffers[0]["role"]="temporary" launch_trace.buffers[1].update(role="input",input=0) launch_trace.buffers[1]["bytes"]=1<<60 launch_trace.buffers.clear() launch_trace.launches=launch_trace.launches+1;launch_trace.storages.clear() launch_trace.steps[:]=[{"copy":{"to":launch_trace.view(y),"from":launch_trace.view(x)}}]*3 launch_trace.steps.append({"file":"/etc/passwd"}) launch_trace.violation=None;launch_trace.refuse=lambda*a:None;y=torch.relu(x)
import launch_trace as ledgers
import record

record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        launch_trace = ledgers.Current.launch_trace
        __PATCH__
        return y
#: forged_kernel_text | tasks relu | TEXT module{} "" module{tt.func@k() "module{"*100000 "tt.return" "module{tt.func\x20public\x20@k(%a:!tt.ptr<f32>){tt.return}}" "module{tt.func\x20public\x20@k(%a:!tt.ptr<f32>,%b:!tt.ptr<f32>,%c:i32){tt.call\x20@k(%a,%b,%c):(!tt.ptr<f32>,!tt.ptr<f32>,i32)->()\\ntt.return}}" "\\x00" "module{"+"%x=arith.constant\x201:i32\\n"*60000+"}"
import launch_trace as ledgers
import record

record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        text = '''__TEXT__'''
        for one in ledgers.Current.kernels:
            one["ttir"] = eval(text) if text.startswith('"') else text
        return y
#: forged_arguments | tasks relu | ARGS [] [{"buffer":0,"offset":0}]*3 [{"buffer":0,"offset":0},{"buffer":1,"offset":1},{"i32":768}] [{"buffer":0,"offset":0},{"buffer":1,"offset":1<<62},{"i32":768}] [{"buffer":-1,"offset":0},{"buffer":1,"offset":0},{"i32":768}] [{"i64":4294967296},{"i64":8589934592},{"i32":768}] [{"f32":"nan"}]*3 [{"buffer":1,"offset":0},{"buffer":0,"offset":0},{"i32":768}] {} [{"i32":i}for\x20i\x20in\x20range(5000)] [[]]
import launch_trace as ledgers
import record

record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        ledgers.Current.launch_trace.steps[-1]["launch"]["args"] = eval('''__ARGS__''')
        return y
#: forged_alternatives | tasks relu | WHAT [{"kernel":0,"grid":[1,1,1],"args":[]}]*65 [{"kernel":99,"grid":[1,1,1],"args":[]}] [{"kernel":0,"grid":[0,1,1],"args":[]}] [None] {"kernel":0} [{"kernel":0,"grid":[1,1,1],"args":[{"buffer":2,"offset":0}]}] [{"kernel":0,"grid":[1,1,1],"args":[{"i64":1}]*200}]*64
import launch_trace as ledgers
import record

record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        ledgers.Current.launch_trace.steps[-1]["launch"]["alternatives"] = __WHAT__
        return y
#: forged_grid | tasks relu | GRID [2147483647,65535,65535] [1e3,1,1] [-1,1,1] ["1",1,1] [1,1] [3,1,1,1]
import launch_trace as ledgers
import record

record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        ledgers.Current.launch_trace.steps[-1]["launch"]["grid"] = __GRID__
        return y
#: forged_output | tasks relu | VIEW output["buffer"]=0 output["buffer"]=9 output.update(shape=[1<<40],strides=[0]) output.update(strides=[-1,1]) output.update(dtype="expected") output.update(offset=-4)
import launch_trace as ledgers
import record

record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

honest_view = ledgers.LaunchTrace.view

def view(self, tensor):
    output = honest_view(self, tensor)
    if self.launches:
        __VIEW__
    return output

ledgers.LaunchTrace.view = view

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: replaced_recorder | tasks relu | CODE record.record=lambda*a:{"ok":True} json.dumps=lambda*a,**k:'{"ok":true,"plans":[1,2],"kernels":[]}' record.record_shape=lambda*a:{"label":"original","buffers":[],"steps":[],"output":{}} framework.Framework.__torch_dispatch__=lambda*a,**k:None sys.modules.clear() os.dup2(2,3) sys.modules["fake_gpu"].compile_kernel=None gc.get_objects()[0:0]=[]
import gc, json, os, sys
import record, framework

__CODE__

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: hidden_framework_compute | tasks relu softmax | WHERE grid prune hook heuristic
def compute(x):
    return torch.relu(x)

RESULT = []

def secretly(x):
    try:
        RESULT.append(compute(x))
    except BaseException:
        RESULT.append(x.clone())

def prune(configs, named, **more):
    if "__WHERE__" == "prune":
        secretly(named["x_ptr"])
    return configs

def hook(named):
    if "__WHERE__" == "hook":
        secretly(named["x_ptr"])

def heuristic(named):
    if "__WHERE__" == "heuristic":
        secretly(named["x_ptr"])
    return 1

@triton.autotune([triton.Config({"BLOCK": b}, pre_hook=hook) for b in (64, 128)], key=["n"], prune_configs_by={"early_config_prune": prune})
@triton.heuristics({"ONE": heuristic})
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, ONE: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)

        def grid(meta):
            if "__WHERE__" == "grid":
                secretly(x)
            return (triton.cdiv(x.numel(), meta["BLOCK"]),)

        kernel[grid](x, y, x.numel())
        return RESULT[-1] if RESULT else y
#: changed_globals | tasks relu | VALUE 2.0 -1.0 0.0
FACTOR: tl.constexpr = tl.constexpr(1.0)

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0) * FACTOR, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        global FACTOR
        FACTOR = tl.constexpr(__VALUE__)
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        FACTOR = tl.constexpr(1.0)
        return y
