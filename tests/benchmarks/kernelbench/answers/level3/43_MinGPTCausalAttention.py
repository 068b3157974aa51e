# Two linear layers as tiles of products in f32, and between them attention that never holds its scores: each program keeps the largest
# score and the sum of the weights of its rows while it goes over the keys that they may see.
#: wrong | (key[None, :] <= query[:, None]) | (key[None, :] < query[:, None] + 2)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, rows, columns, inner, BR: tl.constexpr, BC: tl.constexpr, BI: tl.constexpr):
    row = (tl.program_id(0) * BR + tl.arange(0, BR)).to(tl.int64)
    column = (tl.program_id(1) * BC + tl.arange(0, BC)).to(tl.int64)
    acc = tl.zeros((BR, BC), dtype=tl.float32)
    for start in range(0, inner, BI):
        at = start + tl.arange(0, BI)
        x = tl.load(x_ptr + row[:, None] * inner + at[None, :], mask=(row < rows)[:, None] & (at < inner)[None, :], other=0.0)
        w = tl.load(w_ptr + column[None, :] * inner + at[:, None], mask=(column < columns)[None, :] & (at < inner)[:, None], other=0.0)
        acc += tl.dot(x, w, input_precision="ieee")
    acc += tl.load(b_ptr + column, mask=column < columns, other=0.0).to(tl.float32)[None, :]
    tl.store(y_ptr + row[:, None] * columns + column[None, :], acc, mask=(row < rows)[:, None] & (column < columns)[None, :])


@triton.jit
def attention_kernel(qkv_ptr, y_ptr, length, heads, width, scale, BQ: tl.constexpr, BK: tl.constexpr, BW: tl.constexpr):
    batch, head = tl.program_id(1) // heads, tl.program_id(1) % heads
    query = tl.program_id(0) * BQ + tl.arange(0, BQ)
    place = tl.arange(0, BW)
    model = heads * width
    base = qkv_ptr + batch.to(tl.int64) * length * 3 * model + head * width
    inside = (query < length)[:, None] & (place < width)[None, :]
    q = tl.load(base + query[:, None].to(tl.int64) * 3 * model + place[None, :], mask=inside, other=0.0)
    largest = tl.full((BQ,), float("-inf"), tl.float32)
    total = tl.zeros((BQ,), dtype=tl.float32)
    acc = tl.zeros((BQ, BW), dtype=tl.float32)
    for start in range(0, length, BK):
        key = start + tl.arange(0, BK)
        seen = (key < length)[:, None] & (place < width)[None, :]
        from_key = base + key[:, None].to(tl.int64) * 3 * model + place[None, :]
        k = tl.load(from_key + model, mask=seen, other=0.0)
        v = tl.load(from_key + 2 * model, mask=seen, other=0.0)
        score = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        score = tl.where((key[None, :] <= query[:, None]) & (key < length)[None, :], score, float("-inf"))
        above = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp(score - above[:, None])
        before = tl.exp(largest - above)
        total = total * before + tl.sum(weight, axis=1)
        acc = acc * before[:, None] + tl.dot(weight.to(v.dtype), v, input_precision="ieee")
        largest = above
    tl.store(y_ptr + (batch.to(tl.int64) * length + query[:, None]) * model + head * width + place[None, :], acc / total[:, None], mask=inside)


def linear(x, layer, rows, inner):
    columns = layer.weight.shape[0]
    y = torch.empty((*x.shape[:-1], columns), device=x.device, dtype=x.dtype)
    linear_kernel[(triton.cdiv(rows, 64), triton.cdiv(columns, 64))](x, layer.weight, layer.bias, y, rows, columns, inner, BR=64, BC=64, BI=32)
    return y


class ModelNew(nn.Module):
    def __init__(self, n_embd, n_head, attn_pdrop, resid_pdrop, max_seqlen):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.register_buffer("bias", torch.tril(torch.ones(max_seqlen, max_seqlen)).view(1, 1, max_seqlen, max_seqlen))
        self.n_head = n_head

    def forward(self, x):
        x = x.contiguous()
        batch, length, model = x.shape
        width = model // self.n_head
        qkv = linear(x, self.c_attn, batch * length, model)
        y = torch.empty_like(x)
        attention_kernel[(triton.cdiv(length, 32), batch * self.n_head)](
            qkv, y, length, self.n_head, width, width**-0.5, BQ=32, BK=32, BW=max(16, triton.next_power_of_2(width)))
        return linear(y, self.c_proj, batch * length, model)
