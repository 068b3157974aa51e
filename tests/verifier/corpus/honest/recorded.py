#: operator_of_its_own | tasks relu exp | HOW custom_op triton_op
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

@torch.library.__HOW__("answer::apply", mutates_args=())
def apply(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    launch = torch.library.wrap_triton(kernel) if "__HOW__" == "triton_op" else kernel
    launch[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y

@apply.register_fake
def _(x):
    return torch.empty_like(x)

class ModelNew(nn.Module):
    def forward(self, x):
        return apply(x)
#: wrapped_outside_of_an_operator | tasks relu exp | WRAP torch.library.wrap_triton(kernel)[grid] torch._library.capture_triton(kernel)[grid] wrapped[grid] tuned[grid]
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

wrapped = torch.library.wrap_triton(kernel)
tuned = torch.library.wrap_triton(triton.autotune(configs=[triton.Config({}, num_warps=w) for w in (4, 8)], key=["n"])(kernel))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        grid = lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)
        __WRAP__(x, y, x.numel(), BLOCK=256)
        return y
#: autograd_function | tasks relu sigmoid
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class Apply(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad

class ModelNew(nn.Module):
    def forward(self, x):
        return Apply.apply(x)
#: module_moved_to_the_gpu | tasks relu abs | HOW self.scale.to(x.device) self.scale.cuda() self.to("cuda") self.scale.to(device=x.device,dtype=torch.float32) pass
class Scale(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.norm = nn.LayerNorm(n)
        self.register_buffer("shift", torch.zeros(n))
        self.register_buffer("pair", torch.tensor([1.0, 0.0]))

@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, s_ptr, pair_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N)
    x = x * tl.load(w_ptr + c, mask=c < N) + tl.load(b_ptr + c, mask=c < N) + tl.load(s_ptr + c, mask=c < N)
    x = x * tl.load(pair_ptr) + tl.load(pair_ptr + 1)
    tl.store(y_ptr + row * N + c, __EXPR__, mask=c < N)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(8192)

    def forward(self, x):
        __HOW__
        y = torch.empty_like(x)
        N = x.shape[1]
        kernel[(x.shape[0],)](x, self.scale.weight, self.scale.norm.bias, self.scale.shift, self.scale.pair, y, N,
                              BLOCK=triton.next_power_of_2(N))
        return y
#: parameters_made_on_the_gpu | tasks relu
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N) * tl.load(w_ptr + c % 8)
    tl.store(y_ptr + row * N + c, __EXPR__, mask=c < N)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(8, device="cuda"))
        nn.init.zeros_(self.weight)
        nn.init.constant_(self.weight, 1.0)

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, self.weight, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: small_tensors_of_known_numbers | tasks relu | HOW torch.as_tensor([1.0,0.0],device=x.device) torch.asarray([1.0,0.0],device="cuda") x.new_tensor([1.0,0.0]) torch.tensor([1,0],dtype=x.dtype).to(x.device) torch.from_numpy(__import__("numpy").array([1,0],dtype="float32")).to(x.device) torch.arange(1,-1,-1,device=x.device,dtype=x.dtype) torch.arange(1.0,-1.0,-1.0).to(x.device) torch.linspace(1,0,2,device=x.device) torch.eye(2,device=x.device)[0] torch.stack([torch.scalar_tensor(1.0,device=x.device),torch.zeros((),device=x.device)])
@triton.jit
def kernel(x_ptr, pair_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n) * tl.load(pair_ptr) + tl.load(pair_ptr + 1)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        pair = __HOW__
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, pair, y, x.numel(), BLOCK=256)
        return y
#: filled_by_index | tasks relu
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n) * tl.load(w_ptr + i % 4) + tl.load(w_ptr + 4)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        w = torch.empty(5, device=x.device)
        w[:2] = 1.0
        w[2:4] = torch.ones(2, device=x.device)
        w[4] = 0
        y = torch.empty(x.shape).to(x.device)
        kernel[(triton.cdiv(x.numel(), 256),)](x, w, y, x.numel(), BLOCK=256)
        return y
#: shapes_changed_in_place | tasks transpose
@triton.jit
def kernel(x_ptr, y_ptr, M, N, sm, sn, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * sm + c * sn, mask=c < N)
    tl.store(y_ptr + row * N + c, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        z = x.detach()
        z.unsqueeze_(0).squeeze_(0)
        z.t_()
        y = torch.empty(z.shape, device=x.device, dtype=x.dtype)
        kernel[(z.shape[0],)](z, y, *z.shape, *z.stride(), BLOCK=triton.next_power_of_2(z.shape[1]))
        return y
#: on_the_stream_that_there_is | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        gpu = torch.cuda.get_device_properties(x.device)
        threads = min(gpu.max_threads_per_block, gpu.max_threads_per_multi_processor) // gpu.warp_size
        y = torch.empty_like(x)
        stream = torch.cuda.current_stream(x.device)
        with torch.cuda.device(x.device), torch.cuda.stream(stream), torch.profiler.record_function("relu"):
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256, num_warps=min(4, threads))
        y.record_stream(stream)
        torch.cuda.synchronize()
        return y
#: bytes_seen_as_another_type | tasks relu neg
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.int32, device=x.device)
        kernel[(triton.cdiv(x.numel(), 256),)](triton.reinterpret(x, tl.float32), triton.reinterpret(y, tl.float32), x.numel(), BLOCK=256)
        return y.view(x.dtype)
#: outputs_of_many_types | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, a, b, c, d, e, f, g, h, mask_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(a + i, x.to(a.dtype.element_ty), mask=m)
    tl.store(b + i, x.to(b.dtype.element_ty), mask=m)
    tl.store(c + i, tl.abs(x).to(c.dtype.element_ty), mask=m)
    tl.store(d + i, x.to(d.dtype.element_ty), mask=m)
    tl.store(e + i, x.to(e.dtype.element_ty), mask=m)
    tl.store(f + i, x.to(f.dtype.element_ty), mask=m)
    tl.store(g + i, x.to(g.dtype.element_ty), mask=m)
    tl.store(h + i, tl.abs(x).to(h.dtype.element_ty), mask=m)
    tl.store(mask_ptr + i, x > 0, mask=m)
    positive = tl.load(mask_ptr + i, mask=m)
    tl.store(y_ptr + i, tl.where(positive, tl.load(g + i, mask=m).to(tl.float32), 0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        types = (torch.float8_e4m3fn, torch.float8_e5m2, torch.uint8, torch.int16, torch.int64, torch.bfloat16, torch.float64, torch.uint32)
        others = [torch.empty(x.shape, dtype=dtype, device=x.device) for dtype in types]
        mask = torch.empty(x.shape, dtype=torch.bool, device=x.device)
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, *others, mask, x.numel(), BLOCK=256)
        return y
#: arguments_of_many_kinds | tasks relu
@triton.jit
def activation(x, KIND: tl.constexpr):
    return tl.maximum(x, 0.0) if KIND == "relu" else x

@triton.jit
def kernel(ptrs, sizes, bias_ptr, scale, infinite, large: tl.int64, flag, one, F: tl.constexpr, KIND: tl.constexpr, T: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < sizes[0] * sizes[1]
    x = tl.load(ptrs[0] + i, mask=mask)
    if bias_ptr is not None:
        x += tl.load(bias_ptr + i, mask=mask)
    if flag and large > 2147483648:
        x = tl.minimum(x * scale * one, infinite)
    tl.store(ptrs[1] + i, F(x, KIND).to(T), mask=mask)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)]((x, y), x.shape, None, 1.0, float("inf"), 2**40, True, 1, activation, "relu", tl.float32, BLOCK=256)
        return y
#: nothing_to_do_first | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        nothing = x[:0]
        kernel[(0,)](nothing, y, 0, BLOCK=256)
        kernel[(1,)](nothing, nothing, 0, BLOCK=256)
        shifted, target = x.view(-1)[1:], y.view(-1)[1:]
        kernel[(triton.cdiv(shifted.numel(), 256),)](shifted, target, shifted.numel(), BLOCK=256)
        kernel[(1,)](x, y, 1, BLOCK=16)
        return y
#: mapped_and_returning_early | tasks leaky_relu
@triton.jit
def one(x, SLOPE: tl.constexpr):
    if x > 0:
        return x
    return SLOPE * x

@triton.jit
def slope(x):
    return one(x, 0.01)

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.map_elementwise(slope, x), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: asks_before_it_launches | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        assert x.is_cuda and x.get_device() == 0 and x.is_contiguous() and x.data_ptr() % 16 == 0 and not x.is_pinned()
        assert x.is_set_to(x) and x.is_same_size(x) and x.untyped_storage().nbytes() == x.numel() * x.element_size()
        assert torch.cuda.is_available() and torch.cuda.get_device_capability(x.device) >= (8, 0) and torch.cuda.is_bf16_supported()
        assert torch.cuda.current_stream() == torch.cuda.default_stream() and torch.cuda.current_stream().query()
        assert torch.cuda.memory.mem_get_info()[0] > 0 and torch.cuda.memory_summary() is not None
        assert torch.accelerator.is_available() and torch.get_device_module("cuda").current_device() == 0
        assert isinstance(torch.cuda.device(0), torch.cuda.device) and torch.cuda.get_sync_debug_mode() == 0
        gpu = torch.cuda.get_device_properties("cuda")
        print(gpu.name, gpu.uuid, gpu.clock_rate, gpu.total_memory, gpu.L2_cache_size, torch.backends.cudnn.version())
        active = triton.runtime.driver.active
        assert active.is_active() and active.get_current_target().backend == "cuda"
        programs = active.utils.get_device_properties(active.get_current_device())["multiprocessor_count"]
        assert programs == gpu.multi_processor_count and not torch.compiler.is_compiling() and not torch.is_grad_enabled()
        y = torch.empty_like(x)
        with torch.cuda.device(x.device), torch.inference_mode(), torch.autocast("cuda", enabled=False):
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: constants_computed_on_the_host | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, frequency_ptr, cu_seqlens, BLOCK: tl.constexpr):
    bos, eos = tl.load(cu_seqlens + tl.program_id(0)), tl.load(cu_seqlens + tl.program_id(0) + 1)
    i = bos + tl.arange(0, BLOCK)
    frequency = tl.load(frequency_ptr + i % 8)
    x = tl.load(x_ptr + i, mask=i < eos)
    tl.store(y_ptr + i, tl.where(frequency > 0.0, tl.maximum(x, 0.0), x), mask=i < eos)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        inv_freq = 1.0 / (10000 ** (torch.arange(0, 16, 2).float() / 16))
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    def forward(self, x):
        y = torch.empty_like(x)
        lens = torch.full((x.shape[0],), x.shape[1])
        cu_seqlens = F.pad(torch.cumsum(lens, 0), (1, 0)).to(torch.int32).to(x.device)
        kernel[(x.shape[0],)](x, y, self.inv_freq, cu_seqlens, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: pointers_looked_at_as_numbers | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    aligned = (x_ptr.to(tl.int64) % 16) == 0
    x_ptr = (x_ptr.to(tl.uint64) + 0).to(tl.pointer_type(tl.float32))
    x = tl.load(x_ptr + i, mask=(i < n) & aligned)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
