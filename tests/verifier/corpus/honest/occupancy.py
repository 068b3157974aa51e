#: warmed_up_then_launched | tasks softmax
properties = triton.runtime.driver.active.utils.get_device_properties(torch.cuda.current_device())
NUM_SM = properties["multiprocessor_count"]
NUM_REGS = properties["max_num_regs"]
SIZE_SMEM = properties["max_shared_mem"]
WARP_SIZE = properties["warpSize"]
target = triton.runtime.driver.active.get_current_target()

@triton.jit
def softmax_kernel(output_ptr, input_ptr, input_row_stride, output_row_stride, n_rows, n_cols, BLOCK_SIZE: tl.constexpr,
                   num_stages: tl.constexpr):
    row_start = tl.program_id(0)
    row_step = tl.num_programs(0)
    for row_idx in tl.range(row_start, n_rows, row_step, num_stages=num_stages):
        row_start_ptr = input_ptr + row_idx * input_row_stride
        col_offsets = tl.arange(0, BLOCK_SIZE)
        input_ptrs = row_start_ptr + col_offsets
        mask = col_offsets < n_cols
        row = tl.load(input_ptrs, mask=mask, other=-float('inf'))
        row_minus_max = row - tl.max(row, axis=0)
        numerator = tl.exp(row_minus_max)
        denominator = tl.sum(numerator, axis=0)
        softmax_output = numerator / denominator
        output_row_start_ptr = output_ptr + row_idx * output_row_stride
        tl.store(output_row_start_ptr + col_offsets, softmax_output, mask=mask)

def softmax(x):
    n_rows, n_cols = x.shape
    BLOCK_SIZE = triton.next_power_of_2(n_cols)
    num_warps = 8
    num_stages = 4 if SIZE_SMEM > 200000 else 2
    y = torch.empty_like(x)
    kernel = softmax_kernel.warmup(y, x, x.stride(0), y.stride(0), n_rows, n_cols, BLOCK_SIZE=BLOCK_SIZE,
                                   num_stages=num_stages, num_warps=num_warps, grid=(1, ))
    kernel._init_handles()
    n_regs = kernel.n_regs
    size_smem = kernel.metadata.shared
    occupancy = NUM_REGS // (n_regs * WARP_SIZE * num_warps)
    if size_smem:
        occupancy = min(occupancy, SIZE_SMEM // size_smem)
    num_programs = min(NUM_SM * occupancy, n_rows)
    kernel[(num_programs, 1, 1)](y, x, x.stride(0), y.stride(0), n_rows, n_cols, BLOCK_SIZE, num_stages)
    return y

class ModelNew(nn.Module):
    def forward(self, x):
        return softmax(x)
#: descriptors_made_on_the_host | tasks add
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def kernel(x_desc, y_desc, z_desc, B: tl.constexpr):
    r, c = tl.program_id(0) * B, tl.program_id(1) * B
    z_desc.store([r, c], x_desc.load([r, c]) + y_desc.load([r, c]))

class ModelNew(nn.Module):
    def forward(self, x, y):
        M, N = x.shape
        P = triton.cdiv(N, 4) * 4  # rows of 16 bytes
        padded = [torch.zeros((M, P), device=x.device, dtype=x.dtype) for _ in range(3)]
        padded[0][:, :N] = x
        padded[1][:, :N] = y
        descriptors = [TensorDescriptor.from_tensor(t, [16, 16]) for t in padded]
        kernel[(triton.cdiv(M, 16), triton.cdiv(P, 16))](*descriptors, B=16)
        return padded[2][:, :N]
#: descriptors_made_in_the_kernel | tasks matmul | dtypes f32 f16
def allocate(size: int, alignment: int, stream):
    return torch.empty(size, device="cuda", dtype=torch.int8)

triton.set_allocator(allocate)

@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, KP, NP, B: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, shape=[M, K], strides=[KP, 1], block_shape=[B, B])
    w = tl.make_tensor_descriptor(w_ptr, shape=[K, N], strides=[NP, 1], block_shape=[B, B])
    y = tl.make_tensor_descriptor(y_ptr, shape=[M, N], strides=[NP, 1], block_shape=[B, B])
    m, n = tl.program_id(0) * B, tl.program_id(1) * B
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, K, B):
        acc = tl.dot(x.load([m, k]), w.load([k, n]), acc, input_precision="ieee")
    y.store([m, n], acc.to(y_ptr.dtype.element_ty))

def padded(t, width):
    out = torch.zeros((t.shape[0], width), device=t.device, dtype=t.dtype)
    out[:, :t.shape[1]].copy_(t)
    return out

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        KP, NP = triton.cdiv(K, 8) * 8, triton.cdiv(N, 8) * 8
        y = torch.empty((M, NP), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](padded(x, KP), padded(w, NP), y, M, N, K, KP, NP, B=16)
        return y[:, :N]
#: compiled_once_and_launched_with_its_constants | tasks relu exp
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = {}

    def forward(self, x):
        y, n = torch.empty_like(x), x.numel()
        key = (x.dtype, n)
        if key not in self.compiled:
            self.compiled[key] = kernel.warmup(x, y, n, BLOCK=256, grid=(1,))
        self.compiled[key][(triton.cdiv(n, 256), 1, 1)](x, y, n, 256)
        return y
