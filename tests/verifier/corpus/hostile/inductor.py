import torch
from torch._inductor.select_algorithm import extern_kernels
import triton
import triton.language as tl
from torch._inductor.runtime.triton_heuristics import grid
from torch._C import _cuda_getCurrentRawStream as get_raw_stream
import torch.nn as nn
assert_size_stride = torch._C._dynamo.guards.assert_size_stride
empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
#: product_by_the_framework | tasks matmul | CALL mm(arg0_1,arg1_1,out=buf0) addmm(buf0,arg0_1,arg1_1,alpha=1,beta=0,out=buf0) bmm(arg0_1[None],arg1_1[None],out=buf0[None])


@triton.jit
def triton_poi_fused_0(in_out_ptr0, xnumel, XBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    tmp0 = tl.load(in_out_ptr0 + xindex, xmask)
    tl.store(in_out_ptr0 + xindex, tmp0, xmask)


def call(args):
    arg0_1, arg1_1 = args
    args.clear()
    s0, s1 = arg0_1.size(0), arg1_1.size(1)
    with torch.cuda._DeviceGuard(0):
        torch.cuda.set_device(0)
        buf0 = empty_strided_cuda((s0, s1), (s1, 1), torch.float32)
        extern_kernels.__CALL__
        buf1 = buf0
        del buf0
        get_raw_stream(0)
        triton_poi_fused_0[grid(s0 * s1)](buf1, s0 * s1, XBLOCK=128, num_warps=4, num_stages=1)
    return buf1,


class ModelNew(nn.Module):

    def forward(self, input_0, input_1):
        output = call([input_0, input_1])
        return output[0]
#: made_for_one_size | tasks relu | HOW assert number mask


@triton.jit
def triton_poi_fused_relu_0(in_ptr0, out_ptr0, xnumel, MASK: tl.constexpr, XBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    if MASK:
        xmask = tl.full([XBLOCK], True, tl.int1)
    tmp0 = tl.load(in_ptr0 + xindex, xmask)
    tl.store(out_ptr0 + xindex, tl.maximum(tmp0, 0.0), xmask)


def call(args):
    arg0_1, = args
    args.clear()
    s0, s1 = arg0_1.size()
    numel = 768 if "__HOW__" == "number" else s0 * s1
    if "__HOW__" == "assert":
        assert_size_stride(arg0_1, (16, 48), (48, 1))
    with torch.cuda._DeviceGuard(0):
        torch.cuda.set_device(0)
        buf0 = empty_strided_cuda((s0, s1), (s1, 1), torch.float32)
        get_raw_stream(0)
        triton_poi_fused_relu_0[grid(numel)](arg0_1, buf0, numel, "__HOW__" == "mask", XBLOCK=128, num_warps=4, num_stages=1)
    return buf0,


class ModelNew(nn.Module):

    def forward(self, input_0):
        output = call([input_0])
        return output[0]
#: reinterpreted_beyond_its_end | tasks relu | OFFSET 64 1048576


@triton.jit
def triton_poi_fused_relu_0(in_ptr0, out_ptr0, xnumel, XBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    tmp0 = tl.load(in_ptr0 + xindex, xmask)
    tl.store(out_ptr0 + xindex, tl.maximum(tmp0, 0.0), xmask)


class ModelNew(nn.Module):

    def forward(self, x):
        s0, s1 = x.size()
        buf0 = empty_strided_cuda((s0, s1), (s1, 1), torch.float32)
        buf1 = reinterpret_tensor(buf0, (s0, s1), (s1, 1), __OFFSET__)
        triton_poi_fused_relu_0[grid(s0 * s1)](x, buf1, s0 * s1, XBLOCK=128, num_warps=4, num_stages=1)
        return buf1
