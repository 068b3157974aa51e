"""Prints the folder of the libraries of the torch that this Python would import; nothing if there is none."""

import importlib.util
import os


def torch_libraries():
    spec = importlib.util.find_spec("torch")
    return os.path.join(spec.submodule_search_locations[0], "lib") if spec else ""


if __name__ == "__main__":
    print(torch_libraries())
