# diag(A) B multiplies each row of B by one number.
#: wrong | a = tl.load(a_ptr + at // M | a = tl.load(a_ptr + at % M
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def diagonal_kernel(a_ptr, b_ptr, c_ptr, size, M, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + at // M, mask=at < size).to(tl.float32)
    b = tl.load(b_ptr + at, mask=at < size).to(tl.float32)
    tl.store(c_ptr + at, a * b, mask=at < size)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        A, B = A.contiguous(), B.contiguous()
        C = torch.empty_like(B)
        diagonal_kernel[(triton.cdiv(B.numel(), 1024),)](A, B, C, B.numel(), B.shape[1], BLOCK=1024)
        return C
