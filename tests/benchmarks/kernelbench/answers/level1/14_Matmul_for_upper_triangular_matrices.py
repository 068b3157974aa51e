# The upper triangle of A B. Tiles that lie below the diagonal altogether are zero without a product; what A and B hold below theirs is
# multiplied like everything else.
#: wrong | rm[:, None] <= rn[None, :] | rm[:, None] < rn[None, :]
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def upper_kernel(a_ptr, b_ptr, c_ptr, N, BLOCK: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0), tl.program_id(1)
    rm = row.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    rn = column.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    if row <= column:
        for start in range(0, N, BK):
            rk = start + tl.arange(0, BK)
            a = tl.load(a_ptr + rm[:, None] * N + rk[None, :], mask=(rm[:, None] < N) & (rk[None, :] < N), other=0.0)
            b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < N) & (rn[None, :] < N), other=0.0)
            acc = tl.dot(a, b, acc, input_precision="ieee")
        acc = tl.where(rm[:, None] <= rn[None, :], acc, 0.0)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < N) & (rn[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        A, B = A.contiguous(), B.contiguous()
        N = A.shape[0]
        C = torch.empty((N, N), device=A.device, dtype=A.dtype)
        tiles = triton.cdiv(N, 64)
        upper_kernel[(tiles, tiles)](A, B, C, N, BLOCK=64, BK=16)
        return C
