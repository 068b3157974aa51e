import torch
import torch.nn as nn


class Model(nn.Module):
    """Multiplies two matrices."""

    def __init__(self):
        super(Model, self).__init__()

    def forward(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        return torch.matmul(left, right)


rows = 16 * 4
inner = 32
columns = 48


def get_inputs():
    return [torch.rand(rows, inner), torch.rand(inner, columns)]


def get_init_inputs():
    return []
