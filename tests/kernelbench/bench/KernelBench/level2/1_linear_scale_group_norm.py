import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, in_features, out_features, groups, scale_shape):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = nn.Parameter(torch.randn(scale_shape))
        self.norm = nn.GroupNorm(groups, out_features)

    def forward(self, x):
        x = self.linear(x)
        x = x * self.scale
        return self.norm(x)


in_features = 32
out_features = 64
scale_shape = (out_features,)


def get_inputs():
    return [torch.rand(16, in_features)]


def get_init_inputs():
    return [in_features, out_features, 8, scale_shape]
