import math

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.heads = heads
        self.join = nn.Linear(width, 3 * width, bias=False)
        self.register_buffer("mask", torch.tril(torch.ones(12, 12)).view(1, 1, 12, 12))

    def forward(self, x):
        batch, length, width = x.size()
        q, k, v = self.join(self.norm(x)).split(width, dim=2)
        q = q.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        k = k.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = v.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        scores = scores.masked_fill(self.mask[:, :, :length, :length] == 0, float("-inf"))
        out = torch.softmax(scores, dim=-1) @ v
        return x + out.transpose(1, 2).contiguous().view(batch, length, width)


class Model(nn.Module):
    def __init__(self, layers, width, heads, classes):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(layers)])
        steps = []
        for size in [width, 2 * width]:
            steps += [nn.Linear(width, size), nn.ReLU(inplace=True)]
            width = size
        self.head = nn.Sequential(*steps, nn.Linear(width, classes))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


def get_inputs():
    return [torch.rand(2, 10, 24)]


def get_init_inputs():
    return [3, 24, 4, 5]
