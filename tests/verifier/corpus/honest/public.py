#: custom_op_of_a_fragment | tasks rms_norm | KEY CUDA CompositeExplicitAutograd
from torch.library import Library, infer_schema

lib = Library("answers", "FRAGMENT")

def direct_register(op_name, op_func, mutates_args, fake_impl, target_lib=None):
    schema = infer_schema(op_func, mutates_args=mutates_args)
    my_lib = target_lib or lib
    my_lib.define(op_name + schema)
    my_lib.impl(op_name, op_func, dispatch_key="__KEY__")
    my_lib._register_fake(op_name, fake_impl)

@triton.jit
def _rms_norm_kernel(input_ptr, weight_ptr, output_ptr, input_row_stride: tl.int64, output_row_stride: tl.int64, n_cols, eps, BLOCK_SIZE: tl.constexpr):
    row_idx = tl.program_id(0).to(tl.int64)
    row_start_ptr = input_ptr + row_idx * input_row_stride
    sum_sq = tl.zeros([1], dtype=tl.float32)
    for col_offset in range(0, n_cols, BLOCK_SIZE):
        col_idx = col_offset + tl.arange(0, BLOCK_SIZE)
        vals = tl.load(row_start_ptr + col_idx, mask=col_idx < n_cols, other=0.0).to(tl.float32)
        sum_sq += tl.sum(tl.where(col_idx < n_cols, vals * vals, 0.0))
    inv_rms = 1.0 / tl.sqrt(sum_sq / n_cols + eps)
    for col_offset in range(0, n_cols, BLOCK_SIZE):
        col_idx = col_offset + tl.arange(0, BLOCK_SIZE)
        mask = col_idx < n_cols
        vals = tl.load(row_start_ptr + col_idx, mask=mask, other=0.0)
        weight = tl.load(weight_ptr + col_idx, mask=mask, other=1.0)
        tl.store(output_ptr + row_idx * output_row_stride + col_idx, (vals.to(tl.float32) * inv_rms * weight.to(tl.float32)).to(vals.dtype), mask=mask)

def rms_norm(input: torch.Tensor, weight: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    assert weight.dim() == 1, "Weight must be 1-dimensional"
    assert input.shape[-1] == weight.shape[0], f"{input.shape} {weight.shape}"
    original_shape = input.shape
    input_2d = input.reshape(-1, input.shape[-1]).contiguous()
    weight = weight.contiguous()
    n_rows, n_cols = input_2d.shape
    output = torch.empty_like(input_2d)
    _rms_norm_kernel[(n_rows,)](input_2d, weight, output, input_2d.stride(0), output.stride(0), n_cols, eps, BLOCK_SIZE=1024)
    return output.reshape(original_shape)

direct_register("rms_norm_batch_invariant", rms_norm, [], lambda input, weight, eps=1e-5: torch.empty_like(input))

class ModelNew(nn.Module):
    def forward(self, x, w):
        return torch.ops.answers.rms_norm_batch_invariant(x, w)
#: experts_sorted_by_token | tasks embedding
@triton.jit
def write_rows(w_ptr, out_ptr, token_ptr, num_valid, D, stride_we, stride_wd, stride_om, stride_od, BLOCK_M: tl.constexpr, BLOCK_D: tl.constexpr, compute_type: tl.constexpr):
    pid = tl.program_id(axis=0)
    num_d = tl.cdiv(D, BLOCK_D)
    pid_m, pid_d = pid // num_d, pid % num_d
    offs_token_id = pid_m * BLOCK_M + tl.arange(0, BLOCK_M).to(tl.int64)
    token_mask = offs_token_id < num_valid
    expert = tl.load(token_ptr + offs_token_id, mask=token_mask, other=-1)
    offs_d = (pid_d * BLOCK_D + tl.arange(0, BLOCK_D)) % D
    rows = tl.load(w_ptr + expert[:, None] * stride_we + offs_d[None, :] * stride_wd, mask=token_mask[:, None] & (expert[:, None] >= 0), other=0)
    offs = pid_d * BLOCK_D + tl.arange(0, BLOCK_D)
    tl.store(out_ptr + stride_om * offs_token_id[:, None] + stride_od * offs[None, :], rows.to(compute_type), mask=token_mask[:, None] & (offs[None, :] < D))

def get_default_config(M, E, D):
    return {"BLOCK_M": 16 if M <= E else 64, "BLOCK_D": 32, "num_warps": 4, "num_stages": 2}

class ModelNew(nn.Module):
    def forward(self, t, w):
        config = get_default_config(t.shape[0], *w.shape)
        out = torch.empty((t.shape[0], w.shape[1]), device=w.device, dtype=w.dtype)
        compute_type = {torch.float32: tl.float32, torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}[w.dtype]
        grid = lambda META: (triton.cdiv(t.shape[0], META["BLOCK_M"]) * triton.cdiv(w.shape[1], META["BLOCK_D"]),)
        write_rows[grid](w, out, t, t.numel(), w.shape[1], w.stride(0), w.stride(1), out.stride(0), out.stride(1), compute_type=compute_type, **config)
        return out
#: decoding_attention_in_splits | tasks attention | dtypes f32 f16 | SPLITS 2 4
@triton.jit
def stage1(Q, K, V, Mid_O, L, sm_scale, stride_h, stride_l, D: tl.constexpr, DP: tl.constexpr, BLOCK_N: tl.constexpr, NUM_KV_SPLITS: tl.constexpr):
    cur = tl.program_id(0)
    head = tl.program_id(1)
    split = tl.program_id(2)
    offs_d = tl.arange(0, DP)
    mask_d = offs_d < D
    q = tl.load(Q + head * stride_h + cur * stride_l + offs_d, mask=mask_d, other=0.0).to(tl.float32)
    per_split = tl.cdiv(L, NUM_KV_SPLITS)
    start, end = per_split * split, tl.minimum(per_split * split + per_split, L)
    e_max = -float("inf")
    e_sum = 0.0
    acc = tl.zeros([DP], dtype=tl.float32)
    if end > start:
        for start_n in range(start, end, BLOCK_N):
            offs_n = start_n + tl.arange(0, BLOCK_N)
            k = tl.load(K + head * stride_h + offs_n[:, None] * stride_l + offs_d[None, :], mask=(offs_n[:, None] < end) & mask_d[None, :], other=0.0)
            qk = tl.sum(q[None, :] * k, 1) * sm_scale
            qk = tl.where(offs_n < end, qk, float("-inf"))
            v = tl.load(V + head * stride_h + offs_n[:, None] * stride_l + offs_d[None, :], mask=(offs_n[:, None] < end) & mask_d[None, :], other=0.0)
            n_e_max = tl.maximum(tl.max(qk, 0), e_max)
            re_scale = tl.exp(e_max - n_e_max)
            p = tl.exp(qk - n_e_max)
            acc = acc * re_scale + tl.sum(p[:, None] * v, 0)
            e_sum = e_sum * re_scale + tl.sum(p, 0)
            e_max = n_e_max
        base = Mid_O + ((head * L + cur) * NUM_KV_SPLITS + split) * (DP + 1)
        tl.store(base + offs_d, acc / e_sum, mask=mask_d)
        tl.store(base + DP, e_max + tl.log(e_sum))

@triton.jit
def stage2(Mid_O, O, L, stride_h, stride_l, D: tl.constexpr, DP: tl.constexpr, NUM_KV_SPLITS: tl.constexpr):
    cur, head = tl.program_id(0), tl.program_id(1)
    offs_d = tl.arange(0, DP)
    e_sum, e_max = 0.0, -float("inf")
    acc = tl.zeros([DP], dtype=tl.float32)
    per_split = tl.cdiv(L, NUM_KV_SPLITS)
    for split in range(0, NUM_KV_SPLITS):
        if tl.minimum(per_split * split + per_split, L) > per_split * split:
            base = Mid_O + ((head * L + cur) * NUM_KV_SPLITS + split) * (DP + 1)
            tv = tl.load(base + offs_d, mask=offs_d < D, other=0.0)
            tlogic = tl.load(base + DP)
            n_e_max = tl.maximum(tlogic, e_max)
            old_scale = tl.exp(e_max - n_e_max)
            exp_logic = tl.exp(tlogic - n_e_max)
            acc = acc * old_scale + exp_logic * tv
            e_sum = e_sum * old_scale + exp_logic
            e_max = n_e_max
    tl.store(O + head * stride_h + cur * stride_l + offs_d, acc / e_sum, mask=offs_d < D)

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        H, L, D = q.shape
        DP = triton.next_power_of_2(D)
        o = torch.empty_like(q)
        mid = torch.empty((H, L, __SPLITS__, DP + 1), dtype=torch.float32, device="cuda")
        stage1[(L, H, __SPLITS__)](q, k, v, mid, L, 1.0 / (D ** 0.5), q.stride(0), q.stride(1), D=D, DP=DP, BLOCK_N=16, NUM_KV_SPLITS=__SPLITS__, num_warps=4, num_stages=2)
        stage2[(L, H)](mid, o, L, o.stride(0), o.stride(1), D=D, DP=DP, NUM_KV_SPLITS=__SPLITS__)
        return o
#: kernel_written_by_a_program | tasks add sub maximum
import linecache
import textwrap

SOURCE = textwrap.dedent("""
    @triton.jit
    def generated({pointers}, out, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        m = i < n
        x = tl.load(p0 + i, mask=m)
        y = tl.load(p1 + i, mask=m)
        tl.store(out + i, __EXPR__, mask=m)
""")

def unrolled(count):
    text = SOURCE.replace("{pointers}", ", ".join(f"p{k}" for k in range(count)))
    name = f"<unrolled {count}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"triton": triton, "tl": tl}
    exec(compile(text, name, "exec"), scope)
    return scope["generated"]

kernel = unrolled(2)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel(), BLOCK=128)
        return out
#: configurations_pruned_by_a_model | tasks matmul | dtypes f32 f16
def early_config_prune(configs, named_args, **kwargs):
    assert "BLOCK_M" not in named_args
    return [c for c in configs if c.kwargs["BLOCK_M"] <= max(16, triton.next_power_of_2(named_args["M"]))] or configs[:1]

def estimate(num_warps, num_stages, M, N, K, BLOCK_M, BLOCK_N, BLOCK_K, **kwargs):
    return M * N * K / (BLOCK_M * BLOCK_N * num_warps) + num_stages

def init_to_zero(name):
    return lambda nargs: nargs[name].zero_()

@triton.autotune(
    configs=[triton.Config({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": 32, "SPLIT_K": s}, num_stages=st, num_warps=w, pre_hook=init_to_zero("C"))
             for m, n, s, st, w in ((32, 32, 1, 2, 2), (16, 32, 2, 3, 4), (128, 32, 1, 4, 8))],
    key=["M", "N", "K"],
    prune_configs_by={"early_config_prune": early_config_prune, "perf_model": estimate, "top_k": 2},
)
@triton.heuristics({"EVEN_K": lambda args: args["K"] % (args["BLOCK_K"] * args["SPLIT_K"]) == 0})
@triton.jit
def _kernel(A, B, C, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, dot_out_dtype: tl.constexpr,
            BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, SPLIT_K: tl.constexpr, EVEN_K: tl.constexpr):
    pid = tl.program_id(0)
    pid_z = tl.program_id(1)
    grid_n = tl.cdiv(N, BLOCK_N)
    rm = (pid // grid_n) * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = (pid % grid_n) * BLOCK_N + tl.arange(0, BLOCK_N)
    ram = tl.max_contiguous(tl.multiple_of(rm % M, BLOCK_M), BLOCK_M)
    rbn = tl.max_contiguous(tl.multiple_of(rn % N, BLOCK_N), BLOCK_N)
    rk = pid_z * BLOCK_K + tl.arange(0, BLOCK_K)
    A = A + (ram[:, None] * stride_am + rk[None, :] * stride_ak)
    B = B + (rk[:, None] * stride_bk + rbn[None, :] * stride_bn)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=dot_out_dtype)
    for k in range(0, tl.cdiv(K, BLOCK_K * SPLIT_K)):
        if EVEN_K:
            a = tl.load(A)
            b = tl.load(B)
        else:
            k_remaining = K - k * (BLOCK_K * SPLIT_K)
            _0 = tl.zeros((1, 1), dtype=C.dtype.element_ty)
            a = tl.load(A, mask=rk[None, :] < k_remaining, other=_0)
            b = tl.load(B, mask=rk[:, None] < k_remaining, other=_0)
        acc += tl.dot(a, b, out_dtype=dot_out_dtype, allow_tf32=False)
        A += BLOCK_K * SPLIT_K * stride_ak
        B += BLOCK_K * SPLIT_K * stride_bk
    acc = acc.to(C.dtype.element_ty)
    C = C + (rm[:, None] * stride_cm + rn[None, :] * stride_cn)
    mask = (rm < M)[:, None] & (rn < N)[None, :]
    if SPLIT_K == 1:
        tl.store(C, acc, mask=mask)
    else:
        tl.atomic_add(C, acc, mask=mask)

class _matmul(torch.autograd.Function):
    kernel = _kernel

    @staticmethod
    def forward(ctx, a, b):
        device = a.device
        if a.stride(0) > 1 and a.stride(1) > 1:
            a = a.contiguous()
        M, K = a.shape
        _, N = b.shape
        c = torch.empty((M, N), device=device, dtype=torch.promote_types(a.dtype, b.dtype))
        grid = lambda META: (triton.cdiv(M, META["BLOCK_M"]) * triton.cdiv(N, META["BLOCK_N"]), META["SPLIT_K"])
        _kernel[grid](a, b, c, M, N, K, a.stride(0), a.stride(1), b.stride(0), b.stride(1), c.stride(0), c.stride(1), dot_out_dtype=tl.float32)
        return c

class ModelNew(nn.Module):
    def forward(self, x, w):
        return _matmul.apply(x, w)
#: guarded_inputs_and_heuristics | tasks cumsum
import contextlib
import functools

def input_guard(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        contiguous_args = (i if not isinstance(i, torch.Tensor) else i.contiguous() for i in args)
        tensor = next((arg for arg in args if isinstance(arg, torch.Tensor)), None)
        ctx = torch.cuda.device(tensor.device.index) if tensor is not None else contextlib.nullcontext()
        with ctx:
            return fn(*contiguous_args, **kwargs)
    return wrapper

@triton.heuristics({"HAS_SCALE": lambda args: args["scale"] is not None, "IS_VARLEN": lambda args: args["cu_seqlens"] is not None})
@triton.autotune(configs=[triton.Config({"BS": BS}, num_warps=num_warps) for BS in [16, 32] for num_warps in [2, 4]], key=["B", "S", "BT", "REVERSE"])
@triton.jit(do_not_specialize=["T"])
def chunk_global_cumsum_kernel(s, o, scale, cu_seqlens, T, B: tl.constexpr, S: tl.constexpr, BT: tl.constexpr, BS: tl.constexpr,
                               HAS_SCALE: tl.constexpr, IS_VARLEN: tl.constexpr, REVERSE: tl.constexpr):
    i_n = tl.program_id(0)
    b_z = tl.zeros([1], dtype=tl.float32)
    NT = tl.cdiv(T, BT)
    for i_c in range(NT):
        i_t = NT - 1 - i_c if REVERSE else i_c
        p_s = tl.make_block_ptr(s + i_n * T, (T,), (1,), (i_t * BT,), (BT,), (0,))
        p_o = tl.make_block_ptr(o + i_n * T, (T,), (1,), (i_t * BT,), (BT,), (0,))
        b_s = tl.load(p_s, boundary_check=(0,)).to(tl.float32)
        b_c = tl.cumsum(b_s, axis=0)
        b_ss = tl.sum(b_s, 0)
        if REVERSE:
            b_c = b_ss - b_c + b_s
        b_c += b_z
        if HAS_SCALE:
            b_c *= scale
        b_z += b_ss
        tl.store(p_o, b_c.to(p_o.dtype.element_ty), boundary_check=(0,))

class ModelNew(nn.Module):
    @input_guard
    def forward(self, x):
        o = torch.empty_like(x, dtype=torch.float)
        chunk_global_cumsum_kernel[(x.shape[0],)](x, o, None, None, T=x.shape[1], B=x.shape[0], S=1, BT=32, REVERSE=False)
        return o
#: recurrence_by_an_associative_scan | tasks cumsum
@triton.jit
def first_order(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    gate = tl.full((BLOCK,), 1.0, tl.float32)
    _, h = tl.associative_scan((gate, x), axis=0, combine_fn=first_order)
    tl.store(y_ptr + row * N + c, h, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.size(0),)](x, y, x.size(1), BLOCK=triton.next_power_of_2(x.size(1)), num_warps=1)
        return y
#: reduction_with_an_index | tasks argmax
@triton.jit
def _argmax_combine(value1, index1, value2, index2):
    gt = (value1 > value2) | ((value1 == value2) & (index1 < index2)) | (value1 != value1)
    return tl.where(gt, value1, value2), tl.where(gt, index1, index2)

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((1,), float("-inf"), tl.float32)
    where = tl.full((1,), 0, tl.int64)
    for start in tl.range(0, N, BLOCK, num_stages=2):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"), eviction_policy="evict_first")
        value, index = tl.reduce((x, c.to(tl.int64)), 0, _argmax_combine)
        better = value > best
        best = tl.where(better, value, best)
        where = tl.where(better, index, where)
    tl.store(y_ptr + row + tl.arange(0, 1), where)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[:-1], dtype=torch.long, device=x.device)
        kernel[x.shape[:-1]](x, y, x.shape[-1], BLOCK=32)
        return y
#: welford_in_a_reduction | tasks layer_norm var
@triton.jit
def welford(mean1, m21, n1, mean2, m22, n2):
    delta = mean2 - mean1
    n = n1 + n2
    share = tl.where(n == 0.0, 0.0, n2 / n)
    return mean1 + delta * share, m21 + m22 + delta * delta * n1 * share, n

@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, eps, NORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0)
    mean, m2, n = tl.reduce((x, tl.zeros_like(x), tl.where(m, 1.0, 0.0)), 0, welford)
    if NORM:
        y = (x - mean) * tl.rsqrt(m2 / n + eps) * tl.load(w_ptr + c, mask=m) + tl.load(b_ptr + c, mask=m)
        tl.store(y_ptr + row * N + c, y, mask=m)
    else:
        tl.store(y_ptr + row, m2 / (n - 1))

class ModelNew(nn.Module):
    def forward(self, x, w=None, b=None):
        y = torch.empty_like(x) if w is not None else x.new_empty(x.shape[0])
        kernel[(x.shape[0],)](x, w, b, y, x.shape[1], 1e-5, NORM=w is not None, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: maximum_by_atomics_on_bits | tasks row_max
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    tl.atomic_max(y_ptr + row, tl.max(x, 0), sem="relaxed", scope="gpu")

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.full((x.shape[0],), float("-inf"), device=x.device)
        kernel[(x.shape[0], triton.cdiv(x.shape[1], 16))](x, y, x.shape[1], BLOCK=16)
        return y
#: sorted_in_the_kernel | tasks largest_four | HOW sort topk
@triton.jit
def kernel(x_ptr, y_ptr, N, HOW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    if HOW == "topk":
        tl.store(y_ptr + row * 4 + tl.arange(0, 4), tl.topk(x, 4))
    else:
        tl.store(y_ptr + row * 4 + c, tl.sort(x, descending=True), mask=c < 4)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], 4, device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], HOW="__HOW__", BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: persistent_with_descriptors | tasks matmul | FROM host device
from triton.tools.tensor_descriptor import TensorDescriptor
from typing import Optional

def alloc_fn(size: int, alignment: int, stream: Optional[int]):
    return torch.empty(size, device="cuda", dtype=torch.int8)

@triton.jit
def _compute_pid(tile_id, num_pid_in_group, num_pid_m, GROUP_SIZE_M, NUM_SMS):
    group_id = tile_id // num_pid_in_group
    first_pid_m = group_id * GROUP_SIZE_M
    group_size_m = min(num_pid_m - first_pid_m, GROUP_SIZE_M)
    return first_pid_m + (tile_id % group_size_m), (tile_id % num_pid_in_group) // group_size_m

@triton.jit
def kernel(a, b, c, M, N, K, HOST: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP_SIZE_M: tl.constexpr, NUM_SMS: tl.constexpr):
    if HOST:
        a_desc, b_desc, c_desc = a, b, c
    else:
        a_desc = tl.make_tensor_descriptor(a, shape=[M, K], strides=[tl.cdiv(K, 4) * 4, 1], block_shape=[BM, BK])
        b_desc = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
        c_desc = tl.make_tensor_descriptor(c, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    start_pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BM)
    num_tiles = num_pid_m * tl.cdiv(N, BN)
    for tile_id in tl.range(start_pid, num_tiles, NUM_SMS, flatten=True):
        pid_m, pid_n = tile_id // tl.cdiv(N, BN), tile_id % tl.cdiv(N, BN)
        accumulator = tl.zeros((BM, BN), dtype=tl.float32)
        for ki in range(tl.cdiv(K, BK)):
            x = a_desc.load([pid_m * BM, ki * BK])
            y = b_desc.load([ki * BK, pid_n * BN])
            accumulator = tl.dot(x, y, accumulator, input_precision="ieee")
        c_desc.store([pid_m * BM, pid_n * BN], accumulator)

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        pad = lambda t: torch.nn.functional.pad(t, (0, -t.shape[1] % 4))
        x, w = pad(x), pad(w)
        y = torch.empty(M, w.shape[1], device=x.device, dtype=x.dtype)
        NUM_SMS = torch.cuda.get_device_properties("cuda").multi_processor_count
        triton.set_allocator(alloc_fn)
        host = "__FROM__" == "host"
        a, b, c = (TensorDescriptor.from_tensor(t, shape) for t, shape in ((x, [16, 16]), (w, [16, 16]), (y, [16, 16]))) if host else (x, w, y)
        grid = lambda META: (min(NUM_SMS, triton.cdiv(M, META["BM"]) * triton.cdiv(N, META["BN"])),)
        kernel[grid](a, b, c, M, w.shape[1], w.shape[0], HOST=host, BM=16, BN=16, BK=16, GROUP_SIZE_M=8, NUM_SMS=NUM_SMS)
        return y[:, :N].contiguous()
#: runner_of_inductor | tasks softmax rms_norm
from torch._inductor.runtime import triton_helpers, triton_heuristics
from torch._inductor.runtime.triton_helpers import libdevice, math as tl_math
from torch._inductor.runtime.hints import AutotuneHint, ReductionHint, TileHint, DeviceProperties
from torch._C._dynamo.guards import assert_size_stride
from torch._C import _cuda_getCurrentRawStream as get_raw_stream
from ctypes import c_void_p, c_long, c_int
import math, random, os, tempfile

aten = torch.ops.aten
inductor_ops = torch.ops.inductor
empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor

@triton.jit
def triton_red_fused_0(in_ptr0, in_ptr1, out_ptr1, xnumel, r0_numel, XBLOCK : tl.constexpr, R0_BLOCK : tl.constexpr):
    rnumel = r0_numel
    RBLOCK: tl.constexpr = R0_BLOCK
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    r0_base = tl.arange(0, R0_BLOCK)[None, :]
    rbase = r0_base
    x0 = xindex
    if in_ptr1 is None:
        _tmp2_max = tl.full([XBLOCK, R0_BLOCK], float('-inf'), tl.float32)
        _tmp2_sum = tl.zeros([XBLOCK, R0_BLOCK], tl.float32)
        for r0_offset in tl.range(0, r0_numel, R0_BLOCK):
            r0_index = r0_offset + r0_base
            r0_mask = r0_index < r0_numel
            tmp0 = tl.load(in_ptr0 + (r0_index + r0_numel*x0), r0_mask & xmask, eviction_policy='evict_last', other=0.0)
            tmp1 = tl.broadcast_to(tmp0, [XBLOCK, R0_BLOCK])
            _tmp2_max_next, _tmp2_sum_next = triton_helpers.online_softmax_combine(_tmp2_max, _tmp2_sum, tmp1, False)
            _tmp2_max = tl.where(r0_mask & xmask, _tmp2_max_next, _tmp2_max)
            _tmp2_sum = tl.where(r0_mask & xmask, _tmp2_sum_next, _tmp2_sum)
        tmp2, tmp3 = triton_helpers.online_softmax_reduce(_tmp2_max, _tmp2_sum, 1, False)
        tmp2 = tmp2[:, None]
        tmp3 = tmp3[:, None]
    else:
        _tmp3 = tl.full([XBLOCK, R0_BLOCK], 0, tl.float32)
        for r0_offset in tl.range(0, r0_numel, R0_BLOCK):
            r0_index = r0_offset + r0_base
            r0_mask = r0_index < r0_numel
            tmp0 = tl.load(in_ptr0 + (r0_index + r0_numel*x0), r0_mask & xmask, eviction_policy='evict_last', other=0.0)
            tmp2 = tl.broadcast_to(tmp0 * tmp0, [XBLOCK, R0_BLOCK])
            tmp4 = _tmp3 + tmp2
            _tmp3 = tl.where(r0_mask & xmask, tmp4, _tmp3)
        tmp3 = tl.sum(_tmp3, 1)[:, None]
    for r0_offset in tl.range(0, r0_numel, R0_BLOCK):
        r0_index = r0_offset + r0_base
        r0_mask = r0_index < r0_numel
        tmp4 = tl.load(in_ptr0 + (r0_index + r0_numel*x0), r0_mask & xmask, eviction_policy='evict_first', other=0.0)
        if in_ptr1 is None:
            tmp7 = libdevice.exp(tmp4 - tmp2) / tmp3
        else:
            tmp5 = tl.load(in_ptr1 + (r0_index), r0_mask, eviction_policy='evict_last', other=0.0)
            tmp6 = libdevice.rsqrt(tmp3 / r0_numel.to(tl.float32) + 1e-05)
            tmp7 = tmp4 * tmp6 * tmp5
        tl.store(out_ptr1 + (r0_index + r0_numel*x0), tmp7, r0_mask & xmask)

class Runner:
    def __init__(self, partitions):
        self.partitions = partitions

    def call(self, args):
        arg0_1, arg1_1 = args
        args.clear()
        s0, s1 = arg0_1.shape
        assert_size_stride(arg0_1, (s0, s1), (s1, 1))
        with torch.cuda._DeviceGuard(0):
            torch.cuda.set_device(0)
            buf1 = empty_strided_cuda((s0, s1), (s1, 1), torch.float32)
            stream0 = get_raw_stream(0)
            triton_red_fused_0[(triton.cdiv(s0, 4),)](arg0_1, arg1_1, buf1, s0, s1, XBLOCK=4, R0_BLOCK=32)
            del arg0_1
        return (buf1, )

runner = Runner(partitions=[])
call = runner.call

class ModelNew(nn.Module):
    def forward(self, input_0, input_1=None):
        output = call([input_0, input_1])
        return output[0]
#: named_tuples_and_constexpr_functions | tasks swiglu
from typing import NamedTuple

class Operand(NamedTuple):
    pointer: torch.Tensor
    rows: int
    columns: int
    stride: int

@triton.constexpr_function
def elements(rows, columns):
    return rows * columns

@triton.jit
def load(operand, r, c):
    mask = (r[:, None] < operand.rows) & (c[None, :] < operand.columns)
    return tl.load(operand.pointer + r[:, None] * operand.stride + c[None, :], mask=mask, other=0.0), mask

@triton.jit
def kernel(x, gate, y, R: tl.constexpr, C: tl.constexpr):
    tl.static_assert(elements(R, C) <= 4096, "a small tile")
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.program_id(1) * C + tl.arange(0, C)
    a, _ = load(x, r, c)
    b, mask = load(gate, r, c)
    tl.store(y.pointer + r[:, None] * y.stride + c[None, :], a * tl.sigmoid(a) * b, mask=mask)

class ModelNew(nn.Module):
    def forward(self, x, y):
        z = torch.empty_like(x)
        operands = [Operand(t, t.shape[0], t.shape[1], t.stride(0)) for t in (x, y, z)]
        kernel[(triton.cdiv(x.shape[0], 8), triton.cdiv(x.shape[1], 32))](*operands, R=8, C=32)
        return z
#: four_bit_weights_interleaved | tasks relu
@triton.jit
def pack(x_ptr, sign_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bit = tl.arange(0, 8)
    at = i[:, None] * 8 + bit[None, :]
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    byte = tl.sum((x > 0).to(tl.int32) << bit[None, :], 1)
    tl.store(sign_ptr + i, byte.to(tl.uint8), mask=i * 8 < n)

@triton.jit
def unpack(x_ptr, sign_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    byte = tl.load(sign_ptr + i, mask=i * 8 < n, other=0)
    shifts = tl.interleave(tl.interleave(byte, byte), tl.interleave(byte, byte))
    twice = tl.interleave(shifts, shifts)
    at = tl.program_id(0) * BLOCK * 8 + tl.arange(0, 8 * BLOCK)
    positive = ((twice >> (at % 8).to(tl.uint8)) & 0x1) != 0
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    tl.store(y_ptr + at, tl.where(positive, x, 0.0), mask=at < n)

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        signs = torch.empty(triton.cdiv(n, 8), dtype=torch.uint8, device=x.device)
        y = torch.empty_like(x)
        grid = (triton.cdiv(n, 8 * 16),)
        pack[grid](x, signs, n, BLOCK=16)
        unpack[grid](x, signs, y, n, BLOCK=16)
        return y
#: convolution_as_an_implicit_product | tasks conv_2d
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, C, H, W, K, P, Q, KH: tl.constexpr, KW: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    n, p, q = rm // (P * Q), rm % (P * Q) // Q, rm % Q
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, C * KH * KW, BK):
        rk = start + tl.arange(0, BK)
        c, r, s = rk // (KH * KW), rk % (KH * KW) // KW, rk % KW
        h, v = p[:, None] + r[None, :] - 1, q[:, None] + s[None, :] - 1
        inside = (h >= 0) & (h < H) & (v >= 0) & (v < W) & (n[:, None] < N) & (rk[None, :] < C * KH * KW)
        x = tl.load(x_ptr + ((n[:, None] * C + c[None, :]) * H + h) * W + v, mask=inside, other=0.0)
        w = tl.load(w_ptr + rn[None, :] * (C * KH * KW) + rk[:, None], mask=(rn[None, :] < K) & (rk[:, None] < C * KH * KW), other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    acc += tl.load(b_ptr + rn, mask=rn < K, other=0.0)[None, :]
    tl.store(y_ptr + ((n[:, None] * K + rn[None, :]) * P + p[:, None]) * Q + q[:, None], acc, mask=(rm[:, None] < N * P * Q) & (rn[None, :] < K))

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        N, C, H, W = x.size()
        K, _, KH, KW = w.size()
        y = torch.empty((N, K, H, W), device=x.device, dtype=x.dtype)
        grid = lambda META: (triton.cdiv(N * H * W, META["BM"]), triton.cdiv(K, META["BN"]))
        kernel[grid](x, w, b, y, N, C, H, W, K, H, W, KH=KH, KW=KW, BM=32, BN=16, BK=16)
        return y
#: loss_with_its_gradient_and_a_last_program | tasks cross_entropy
@triton.jit
def kernel(x_ptr, t_ptr, loss_ptr, grad_ptr, count_ptr, y_ptr, B, C, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    target = tl.load(t_ptr + row)
    m, d = float("-inf"), 0.0
    for start in range(0, C, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * C + c, mask=c < C, other=float("-inf")).cast(tl.float32)
        new = tl.maximum(m, tl.max(x))
        d = d * tl.exp(m - new) + tl.sum(tl.exp(x - new))
        m = new
    lse = m + tl.log(d)
    for start in range(0, C, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * C + c, mask=c < C, other=float("-inf"))
        tl.store(grad_ptr + row * C + c, (tl.exp(x - m) / d - (c == target)) / B, mask=c < C)
    tl.store(loss_ptr + row, lse - tl.load(x_ptr + row * C + target))
    tl.debug_barrier()
    if tl.atomic_add(count_ptr, 1, sem="acq_rel") == B - 1:
        total = tl.zeros((ROWS,), tl.float32)
        for start in range(0, B, ROWS):
            r = start + tl.arange(0, ROWS)
            total += tl.load(loss_ptr + r, mask=r < B, other=0.0)
        tl.store(y_ptr, tl.sum(total) / B)

class LossFunction(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda")
    def forward(ctx, x, t):
        B, C = x.shape
        loss, grad = torch.empty(B, device=x.device), torch.empty_like(x)
        count, y = torch.zeros(1, dtype=torch.int32, device=x.device), torch.empty((), device=x.device)
        kernel[(B,)](x, t, loss, grad, count, y, B, C, BLOCK=min(64, triton.next_power_of_2(C)), ROWS=64, num_warps=4)
        ctx.save_for_backward(grad.detach())
        return y

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, grad_output):
        return ctx.saved_tensors[0], None

class ModelNew(nn.Module):
    def forward(self, x, t):
        return LossFunction.apply(x, t)
#: state_space_by_chunks | tasks cumsum
@triton.autotune(configs=[triton.Config({"BLOCK_SIZE_H": 2}), triton.Config({"BLOCK_SIZE_H": 4})], key=["chunk_size", "nheads"])
@triton.jit
def chunk_cumsum(dt_ptr, out_ptr, states_ptr, nheads, seqlen, chunk_size, stride_h, BLOCK_SIZE_H: tl.constexpr, BLOCK_SIZE_CHUNK: tl.constexpr):
    pid_c, pid_h = tl.program_id(axis=0).to(tl.int64), tl.program_id(axis=1)
    offs_h = pid_h * BLOCK_SIZE_H + tl.arange(0, BLOCK_SIZE_H)
    offs_c = tl.arange(0, BLOCK_SIZE_CHUNK)
    at = pid_c * chunk_size + offs_c
    mask = (offs_h[:, None] < nheads) & (at[None, :] < seqlen) & (offs_c[None, :] < chunk_size)
    dt = tl.load(dt_ptr + offs_h[:, None] * stride_h + at[None, :], mask=mask, other=0.0).to(tl.float32)
    tl.store(out_ptr + offs_h[:, None] * stride_h + at[None, :], tl.cumsum(dt, axis=1), mask=mask)
    tl.store(states_ptr + pid_c * nheads + offs_h, tl.sum(dt, axis=1), mask=offs_h < nheads)

@triton.jit
def state_passing(states_ptr, nheads, chunks, BLOCK: tl.constexpr):
    h = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    state = tl.zeros((BLOCK,), tl.float32)
    for c in range(chunks):
        own = tl.load(states_ptr + c * nheads + h, mask=h < nheads, other=0.0)
        tl.store(states_ptr + c * nheads + h, state, mask=h < nheads)
        state += own

@triton.jit
def add_states(out_ptr, states_ptr, nheads, seqlen, chunk_size, BLOCK: tl.constexpr):
    h, c = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = c < seqlen
    state = tl.load(states_ptr + c // chunk_size * nheads + h, mask=mask, other=0.0)
    tl.store(out_ptr + h * seqlen + c, tl.load(out_ptr + h * seqlen + c, mask=mask, other=0.0) + state, mask=mask)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.chunk_size = 20

    def forward(self, x):
        nheads, seqlen = x.shape
        nchunks = math.ceil(seqlen / self.chunk_size)
        out = torch.empty_like(x)
        states = torch.empty((nchunks, nheads), device=x.device, dtype=torch.float32)
        with torch.cuda.device(x.device.index):
            chunk_cumsum[lambda META: (nchunks, triton.cdiv(nheads, META["BLOCK_SIZE_H"]))](x, out, states, nheads, seqlen, self.chunk_size, x.stride(0), BLOCK_SIZE_CHUNK=triton.next_power_of_2(self.chunk_size))
            state_passing[(triton.cdiv(nheads, 32),)](states, nheads, nchunks, BLOCK=32)
            add_states[(nheads, triton.cdiv(seqlen, 32))](out, states, nheads, seqlen, self.chunk_size, BLOCK=32)
        return out

import math
#: asks_where_its_cache_lies | tasks silu
import os
import pathlib
import json
import logging
import warnings
from dataclasses import dataclass, field
from enum import Enum

logger = logging.getLogger(__name__)

class Mode(Enum):
    FAST = "fast"
    EXACT = "exact"

@dataclass(frozen=True)
class TuneSettings:
    block: int = 256
    warps: int = 4
    mode: Mode = Mode.EXACT
    extra: dict = field(default_factory=dict)

def load_settings(name):
    path = pathlib.Path(os.environ.get("TRITON_CACHE_DIR", str(pathlib.Path.home() / ".triton"))) / f"{name}.json"
    try:
        if path.exists():
            return TuneSettings(**json.loads(path.read_text()))
    except OSError as error:
        logger.warning("no settings: %s", error)
    warnings.warn(f"Config file {path} not found; using defaults")
    return TuneSettings()

@triton.jit
def kernel(x_ptr, y_ptr, n, FAST: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    y = x / (1.0 + tl.exp(-x))
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        settings = load_settings(torch.cuda.get_device_name().replace(" ", "_"))
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), settings.block),)](x, y, x.numel(), FAST=settings.mode is Mode.FAST, BLOCK=settings.block, num_warps=settings.warps)
        return y
#: pooled_with_padding_by_where | tasks max_pool_2d
@triton.jit
def triton_poi_fused_max_pool2d_with_indices_0(in_ptr0, out_ptr0, ks0, ks1, ks2, ks3, xnumel, XBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    x0 = xindex % ks0
    x1 = (xindex // ks0) % ks1
    x2 = xindex // (ks0 * ks1)
    tmp10 = tl.full([XBLOCK], float("-inf"), tl.float32)
    for r in tl.static_range(9):
        row = 2 * x1 - 1 + r // 3
        column = 2 * x0 - 1 + r % 3
        tmp5 = (row >= 0) & (row < ks2) & (column >= 0) & (column < ks3)
        tmp6 = tl.load(in_ptr0 + (column + ks3 * row + ks2 * ks3 * x2), tmp5 & xmask, eviction_policy="evict_last", other=float("-inf"))
        tmp10 = tl.where((tmp6 > tmp10) | (tmp6 != tmp6), tmp6, tmp10)
    tl.store(out_ptr0 + xindex, tmp10, xmask)

class ModelNew(nn.Module):
    def forward(self, x):
        N, C, H, W = x.shape
        P, Q = (H - 1) // 2 + 1, (W - 1) // 2 + 1
        y = torch.empty_strided((N, C, P, Q), (C * P * Q, P * Q, Q, 1), device="cuda", dtype=torch.float32)
        triton_poi_fused_max_pool2d_with_indices_0[(triton.cdiv(y.numel(), 64),)](x, y, Q, P, H, W, y.numel(), XBLOCK=64)
        return y
#: group_norm_in_two_passes | tasks group_norm
@triton.jit
def stats(x_ptr, mean_ptr, rstd_ptr, group_size, eps, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    square = tl.zeros((BLOCK,), tl.float32)
    for start in tl.range(0, group_size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + pid * group_size + i, mask=i < group_size, other=0.0)
        total += x
    mean = tl.sum(total, 0) / group_size
    for start in tl.range(0, group_size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + pid * group_size + i, mask=i < group_size, other=0.0)
        d = tl.where(i < group_size, x - mean, 0.0)
        square += d * d
    tl.store(mean_ptr + pid, mean)
    tl.store(rstd_ptr + pid, tl.math.rsqrt(tl.sum(square, 0) / group_size + eps))

@triton.jit
def apply(x_ptr, w_ptr, b_ptr, mean_ptr, rstd_ptr, y_ptr, HW, C: tl.constexpr, G: tl.constexpr, BLOCK: tl.constexpr):
    nc = tl.program_id(0)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    c = nc % C
    g = nc // C * G + c // (C // G)
    x = tl.load(x_ptr + nc * HW + i, mask=i < HW)
    y = tl.fma((x - tl.load(mean_ptr + g)) * tl.load(rstd_ptr + g), tl.load(w_ptr + c), tl.load(b_ptr + c))
    tl.store(y_ptr + nc * HW + i, y, mask=i < HW)

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        N, C, H, W = x.shape
        G = 4
        y = torch.empty_like(x, memory_format=torch.contiguous_format)
        mean, rstd = torch.empty((2, N * G), device=x.device).unbind(0)
        stats[(N * G,)](x, mean, rstd, C // G * H * W, 1e-5, BLOCK=128)
        apply[(N * C, triton.cdiv(H * W, 64))](x, w, b, mean, rstd, y, H * W, C=C, G=G, BLOCK=64)
        return y
#: quantized_by_rows_and_back | tasks row_scale
@triton.jit
def dynamic_scale(x_ptr, s_ptr, y_ptr, stride_xm, stride_sm, stride_ym, N, BLOCK_N: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK_N)
    mask = cols < N
    tl.assume(stride_xm >= 0)
    x = tl.load(x_ptr + row * stride_xm + cols, mask=mask, other=0.0, cache_modifier=".cg")
    s = tl.load(s_ptr + row * stride_sm, cache_modifier=".ca")
    tl.store(y_ptr + row * stride_ym + cols, x * s, mask=mask, cache_modifier=".wb")

class ModelNew(nn.Module):
    def forward(self, x, s):
        assert x.is_contiguous() and s.shape == (x.shape[0], 1), "unexpected layout"
        y = torch.empty_like(x)
        M, N = x.shape
        BLOCK_N = triton.next_power_of_2(N)
        num_warps = 4 if BLOCK_N < 2048 else 8 if BLOCK_N < 4096 else 16
        dynamic_scale[M, 1](x, s, y, *x.stride()[:1], *s.stride()[:1], *y.stride()[:1], N, BLOCK_N=BLOCK_N, num_warps=num_warps)
        return y
#: rows_of_a_view_by_strides | tasks transpose permute
@triton.jit
def strided_copy(x_ptr, y_ptr, s0, s1, s2, n0, n1, n2, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n0 * n1 * n2
    x = tl.load(x_ptr + i // (n1 * n2) * s0 + i // n2 % n1 * s1 + i % n2 * s2, mask=mask)
    tl.store(y_ptr + i, x, mask=mask)

class ModelNew(nn.Module):
    def forward(self, x):
        view = x.permute(2, 0, 1) if x.dim() == 3 else x.mT.unsqueeze(0)
        y = torch.empty(view.shape, device=x.device, dtype=x.dtype)
        strided_copy[(triton.cdiv(y.numel(), 128),)](x, y, *view.stride(), *view.shape, BLOCK=128)
        return y if x.dim() == 3 else y.squeeze(0)
#: gathered_with_a_mask_of_the_index | tasks gather_columns | DEBUG False True
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, K, BN: tl.constexpr, BK: tl.constexpr):
    b = tl.program_id(0)
    n, k = tl.arange(0, BN), tl.arange(0, BK)
    x = tl.load(x_ptr + b * N + n, mask=n < N, other=0.0)
    t = tl.load(t_ptr + b * K + k, mask=k < K, other=0).to(tl.int32)
    tl.device_assert((t >= 0) & (t < N), "index out of range")
    tl.store(y_ptr + b * K + k, tl.gather(x, t, axis=0), mask=k < K)

class ModelNew(nn.Module):
    def forward(self, x, t):
        y = torch.empty(t.shape, device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, t, y, x.shape[1], t.shape[1], BN=triton.next_power_of_2(x.shape[1]), BK=triton.next_power_of_2(t.shape[1]), debug=__DEBUG__)
        return y
#: linear_layer_with_dispatch_by_dtype | tasks linear_relu | dtypes f32 f16 bf16
ACTIVATIONS = {}

def register(name):
    def decorate(fn):
        ACTIVATIONS[name] = fn
        return fn
    return decorate

@register("relu")
@triton.jit
def relu(x):
    zero = 0.0
    return tl.where(x >= 0, x, zero)

@triton.jit
def kernel(OUT, IN, WEIGHT, BIAS, M, N, K, stride_om, stride_im, stride_wn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, ACT: tl.constexpr, FP32: tl.constexpr):
    pid_n, pid_m = tl.program_id(0), tl.program_id(1)
    m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    if BIAS is not None:
        bias = tl.load(BIAS + n, mask=n < N, other=0.0).to(tl.float32)
        acc += bias[None, :]
    for start in range(0, K, BLOCK_K):
        a = tl.load(IN + m[:, None] * stride_im + (start + k)[None, :], mask=(m[:, None] < M) & (start + k < K)[None, :], other=0.0)
        w = tl.load(WEIGHT + n[:, None] * stride_wn + (start + k)[None, :], mask=(n[:, None] < N) & (start + k < K)[None, :], other=0.0)
        if FP32:
            acc += tl.dot(a, tl.trans(w), allow_tf32=False)
        else:
            acc += tl.dot(a, w.T)
    tl.store(OUT + m[:, None] * stride_om + n[None, :], ACT(acc), mask=(m[:, None] < M) & (n[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        (M, K), N = x.shape, w.shape[0]
        out = x.new_empty(M, N)
        kernel[(triton.cdiv(N, 32), triton.cdiv(M, 16))](out, x, w, b, M, N, K, out.stride(0), x.stride(0), w.stride(0), BLOCK_M=16, BLOCK_N=32, BLOCK_K=32, ACT=ACTIVATIONS["relu"], FP32=x.dtype == torch.float32)
        return out
