#: framework_expression | tasks relu | CODE torch.relu(x) F.relu(x) x.relu() x.clamp(min=0) torch.ops.aten.relu(x) torch.where(x>0,x,0*x) (x+x.abs())/2 torch._C._nn.hardtanh(x,0,1e9) torch.maximum(x,torch.zeros_like(x)) nn.ReLU()(x) x.clone().relu_() torch.threshold(x,0,0) F.softplus(x,beta=1e4) torch.einsum('ij->ij',x).clamp(0) torch.jit.script(torch.relu)(x)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        t = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, t, x.numel(), BLOCK=256)
        return __CODE__
#: framework_product | tasks matmul | CODE x@w torch.matmul(x,w) torch.mm(x,w) F.linear(x,w.t()) torch.einsum('mk,kn->mn',x,w) (x[:,:,None]*w).sum(1) torch.ops.aten.mm.default(x,w) torch.addmm(torch.zeros(x.shape[0],w.shape[1],device='cuda'),x,w) torch.tensordot(x,w,dims=1)
@triton.jit
def kernel(p):
    tl.store(p, 1.0)

class ModelNew(nn.Module):
    def forward(self, x, w):
        kernel[(1,)](torch.empty(1, device=x.device))
        return __CODE__
#: fallback_in_except | tasks relu softmax | ERROR Exception BaseException
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    tl.store(y_ptr + tl.arange(0, BLOCK), tl.no_such_function(x_ptr))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        try:
            kernel[(1,)](x, y, x.numel(), BLOCK=256)
        except __ERROR__:
            return torch.relu(x) if __IS_RELU__ else torch.softmax(x, -1)
        return y
#: fallback_at_other_sizes | tasks relu | CONDITION x.shape[0]>16 x.shape[1]%2==1
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        if __CONDITION__:
            return torch.relu(x)
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: without_the_dispatcher | tasks relu | GUARD torch._C._DisableTorchDispatch() torch.utils._python_dispatch._disable_current_modes() torch._C.DisableTorchFunctionSubclass()
import torch.utils._python_dispatch
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        t = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, t, x.numel(), BLOCK=256)
        with __GUARD__:
            return torch.relu(x)
#: lazy_subclass | tasks relu | METHOD __torch_function__ __torch_dispatch__
class Lazy(torch.Tensor):
    @classmethod
    def __METHOD__(cls, func, types, args=(), kwargs=None):
        return torch.relu(args[0])

@triton.jit
def kernel(p):
    tl.store(p, 1.0)

class ModelNew(nn.Module):
    def forward(self, x):
        kernel[(1,)](torch.empty(1, device=x.device))
        return x.as_subclass(Lazy)
#: made_on_the_cpu | tasks relu | CODE torch.tensor(x.tolist()).cuda() torch.relu(x.cpu()).cuda() torch.from_numpy(x.cpu().numpy()).cuda() x.to('cpu',copy=True).clamp(0).to('cuda')
@triton.jit
def kernel(p):
    tl.store(p, 1.0)

class ModelNew(nn.Module):
    def forward(self, x):
        kernel[(1,)](torch.empty(1, device=x.device))
        return __CODE__
#: looks_at_values | tasks relu | CODE bool((x>0).all()) x.sum().item()==0 x.max()>3 torch.equal(x,x) len(x.nonzero())>2
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        if __CODE__:
            return y
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: other_stream | tasks relu | MANAGER torch.cuda.stream(torch.cuda.Stream()) torch.cuda.graph(torch.cuda.CUDAGraph())
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        with __MANAGER__:
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: compiled_by_the_framework | tasks relu | CODE torch.compile(torch.relu)(x) torch.compile(lambda\x20a:a.clamp(0),backend='eager')(x) torch.vmap(torch.relu)(x) torch.func.functional_call(nn.ReLU(),{},(x,))
@triton.jit
def kernel(p):
    tl.store(p, 1.0)

class ModelNew(nn.Module):
    def forward(self, x):
        kernel[(1,)](torch.empty(1, device=x.device))
        return __CODE__
