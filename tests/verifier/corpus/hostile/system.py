#: before_an_honest_answer | tasks relu | CODE import\x20ctypes;ctypes.string_at(0) import\x20os;os.kill(os.getpid(),11) import\x20os;os.kill(0,9);os._exit(1) import\x20os;os.kill(-1,9);os._exit(1) import\x20os;os.kill(os.getppid(),9);os._exit(1) import\x20sys;sys.exit(0) import\x20sys;sys.setrecursionlimit(10**9);f=lambda:f();f() raise\x20KeyboardInterrupt raise\x20GeneratorExit import\x20threading;threading.Thread(target=print).start() import\x20multiprocessing;multiprocessing.Process(target=print).start() import\x20subprocess;subprocess.run(["/bin/sh","-c","id"],check=True) import\x20os;os.system("id")==0\x20or\x20exit(1) import\x20socket;socket.create_connection(("1.1.1.1",53),timeout=1) import\x20urllib.request;urllib.request.urlopen("http://example.org") open("/etc/passwd").read() open(torch.__file__,"a") open(triton.__file__,"w") import\x20os;os.remove(torch.__file__) open("/proc/1/mem","rb").read(1) open("/proc/self/mem","r+b").write(b"x") import\x20os;os.execv("/bin/true",["true"]) a=bytearray(1<<40) f=open("full","wb");[f.write(b"x"*(1<<20))for\x20_\x20in\x20range(10**6)] import\x20ctypes;ctypes.CDLL(None).ptrace(16,1,0,0)and\x20exit(1)
exec('''__CODE__''')

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: endless | tasks relu | CODE while\x20True:pass import\x20signal;[signal.signal(s,signal.SIG_IGN)for\x20s\x20in(1,2,15)];exec("while\x20True:pass") a=[];exec("while\x20True:a.append(bytearray(1<<24))")
exec('''__CODE__''')

class ModelNew(nn.Module):
    pass
#: fork_bomb | tasks relu
import os
while True:
    os.fork()
#: endless_kernel | tasks relu | CONDITION n>0 k>=0 tl.load(x_ptr)==tl.load(x_ptr)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = 0
    while __CONDITION__:
        k = (k + 1) % 1000
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + k, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1 << 15,)](x, y, x.numel(), BLOCK=256)
        return y
#: waits_for_a_program_that_never_comes | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    while tl.atomic_add(flag_ptr, 0) == 0:
        pass
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        flag = torch.zeros(1, dtype=torch.int32, device=x.device)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, flag, x.numel(), BLOCK=256)
        return y
#: too_much_of_everything | tasks relu | CODE torch.empty(1<<40,device='cuda') [torch.empty(1,device='cuda')for\x20_\x20in\x20range(1000)] [y.zero_()for\x20_\x20in\x20range(5000)] torch.empty((1<<30,1<<30),device='cuda').zero_() torch.zeros(1,device='cuda').expand(1<<31).contiguous() [kernel[(1<<20,65535,1)](x,y,1,BLOCK=64)for\x20_\x20in\x20range(3)]
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        __CODE__
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: huge_kernel | tasks relu | BODY i=tl.arange(0,1<<20) i=tl.arange(0,1<<21) x=tl.zeros((1024,1024),tl.float32);y=tl.dot(x,x);i=tl.arange(0,1) x=tl.zeros((1<<10,1<<10,1),tl.float32)+tl.zeros((1,1,1<<10),tl.float32);i=tl.arange(0,1)
@triton.jit
def kernel(x_ptr, y_ptr, n):
    __BODY__
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, x.numel())
        return y
#: patched_clock | tasks relu | CODE time.perf_counter=lambda:0.0 time.time=lambda:0 torch.cuda.Event=object torch.cuda.synchronize=lambda*a:None triton.testing.do_bench=lambda*a,**k:0.0
import time
import triton.testing
exec("__CODE__")

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: reads_the_task | tasks relu | FILE task.json expected.json ../secret /proc/self/environ tests/verifier/corpus/tasks.json
import os
TEXT = open(os.path.join(os.environ.get("TRL_HOME", "/"), "__FILE__") if not "__FILE__".startswith("/") else "__FILE__").read()

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: another_shape_of_answer | tasks relu | CODE None 7 "y" [y,y] (y,None) {"y":y} y.t() y.double() y.half() y[:1] y.unsqueeze(0) y.cpu() y.is_cuda iter([y]) torch.nested.nested_tensor([y]) y.to_sparse() torch.empty_like(x,device='meta')
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return __CODE__
