import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv2d(channels, 2 * channels, kernel_size, stride=2, padding=1, bias=False)
        self.bias = nn.Parameter(torch.zeros(2 * channels, 1, 1))

    def forward(self, x):
        return F.silu(self.conv(x) + self.bias)


def get_inputs():
    return [torch.rand(2, 3, 16, 16)]


def get_init_inputs():
    return [3, (3, 5)]
