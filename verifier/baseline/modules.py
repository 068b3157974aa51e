"""Constructs the PyTorch module of a task, as a request to baseline.py describes it."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def plain(value):
    """Returns the Python value that is written as this JSON, in which {"tuple": […]} stands for a tuple."""
    if isinstance(value, dict):
        return tuple(plain(one) for one in value["tuple"])
    return [plain(one) for one in value] if isinstance(value, list) else value


def module_of(request):
    """The class of the task's module."""
    scope = {"torch": torch, "nn": nn, "F": F}
    exec(compile(request["source"], "reference.py", "exec"), scope)
    return scope[request["entry"]]


def construct(request, parameters):
    """Returns the module on the GPU, constructed with the request's arguments. Its parameters are replaced by
    `parameters`, and it has their dtype."""
    # The weights are drawn on the GPU: a CPU takes 8 s to draw the weights of a layer of 32,768
    # features, and these parameters replace them anyway.
    with torch.device("cuda"):
        model = module_of(request)(*map(plain, request["arguments"]), **{name: plain(value) for name, value in request["keywords"].items()})
    model = model.to("cuda", next((value.dtype for value in parameters.values() if value.is_floating_point()), torch.float32))
    state = model.state_dict()
    for name, value in parameters.items():
        state[name].copy_(value)
    return model


def forward_arguments(request, tensors):
    """Returns the arguments of forward: these tensors, with the numbers of "forward" at their places between them."""
    if "forward" not in request:
        return list(tensors)
    rest = iter(tensors)
    return [next(rest) if value is None else plain(value["value"]) for value in request["forward"]]
