# Two linear layers with a sigmoid between them, and the logsumexp of each row of the result.
#: wrong | acc = tl.sigmoid(acc) | acc = tl.sigmoid(-acc)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, SIGMOID: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    rn = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        rk = start + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0).to(tl.float32)
        w = tl.load(w_ptr + rn[:, None] * K + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0.0).to(tl.float32)
        acc = tl.dot(x, tl.trans(w), acc, input_precision="ieee")
    acc += tl.load(b_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]
    if SIGMOID:
        acc = tl.sigmoid(acc)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def logsumexp_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    largest, total = float("-inf"), 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=float("-inf"))
        higher = tl.maximum(largest, tl.max(x))
        total = total * tl.exp(largest - higher) + tl.sum(tl.exp(x - higher))
        largest = higher
    tl.store(y_ptr + row, tl.log(total) + largest)


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.linear1 = nn.Linear(input_size, hidden_size)
        self.linear2 = nn.Linear(hidden_size, output_size)

    def forward(self, x):
        x = x.contiguous()
        M, K = x.shape
        H, N = self.linear1.weight.shape[0], self.linear2.weight.shape[0]
        hidden = torch.empty((M, H), device=x.device, dtype=torch.float32)
        last = torch.empty((M, N), device=x.device, dtype=torch.float32)
        y = torch.empty((M,), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(M, 64), triton.cdiv(H, 64))](
            x, self.linear1.weight.contiguous(), self.linear1.bias, hidden, M, H, K, SIGMOID=True, BM=64, BN=64, BK=16)
        linear_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64))](
            hidden, self.linear2.weight.contiguous(), self.linear2.bias, last, M, N, H, SIGMOID=False, BM=64, BN=64, BK=16)
        logsumexp_kernel[(M,)](last, y, N, BLOCK=1024)
        return y
