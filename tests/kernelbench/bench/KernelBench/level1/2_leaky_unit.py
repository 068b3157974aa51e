import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, slope: float = 0.1):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        return torch.nn.functional.leaky_relu(x, negative_slope=self.slope)


batch_size, features = 8, 96


def get_inputs():
    x = torch.randn(batch_size, features)
    return [x]


def get_init_inputs():
    return [0.2]
