"""Tasks that are judged by their modules (verifier/kernelbench/by_module.py), against the modules themselves: the shapes of results, the
parameters, and the reasons why there is none.

    by_module_tests.py ROOT [CHECKOUT]     with a checkout of KernelBench's repository, of all its tasks, which are made on PyTorch's meta device
"""

import pathlib
import sys
import unittest

import torch

ROOT = pathlib.Path(sys.argv.pop(1))
CHECKOUT = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir() else None
sys.path.insert(0, str(ROOT / "verifier" / "kernelbench"))

from describe import describe  # noqa: E402


def source(made, forward, *inputs):
    """A task's file with these lines of __init__ and forward, and get_inputs of tensors of these shapes."""
    names = "xyz"[:len(inputs)]
    return f"""import torch
import torch.nn as nn
import torch.nn.functional as F

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, {", ".join(names)}):
        {forward}

def get_inputs():
    return [{", ".join(f"torch.rand{shape}" for shape in inputs)}]

def get_init_inputs():
    return []
"""


# By name: lines of __init__, of forward, and the inputs' shapes.
MODULES = {
    "lstm": ("self.rnn = nn.LSTM(6, 5, num_layers=2)", "return self.rnn(x)[0]", (7, 3, 6)),
    "lstm_states": ("self.rnn = nn.LSTM(6, 5, batch_first=True, bidirectional=True)", "out, (h, c) = self.rnn(x, (y, z)); return out, h, c",
                    (3, 7, 6), (2, 3, 5), (2, 3, 5)),
    "gru": ("self.rnn = nn.GRU(6, 5, 3, bias=False, bidirectional=True)", "out, h = self.rnn(x, y); return h", (7, 2, 6), (6, 2, 5)),
    "rnn": ("self.rnn = nn.RNN(input_size=6, hidden_size=5, batch_first=True)", "return self.rnn(x)[0][:, -1, :]", (2, 7, 6)),
    "encoder_layer": ("self.layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=12, dropout=0.0)", "return self.layer(x)", (5, 2, 8)),
    "encoder": ("self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 12, 0.0), num_layers=3)", "return self.layers(x).mean(dim=0)", (5, 2, 8)),
    "pool_rounded_up": ("self.pool = nn.MaxPool2d(kernel_size=3, stride=2, ceil_mode=True)", "return self.pool(x)", (2, 3, 8, 9)),
    "pool_with_padding": ("self.pool = nn.AvgPool2d(kernel_size=2, stride=3, padding=1, ceil_mode=True)", "return self.pool(x)", (2, 3, 6, 7)),
    "windows": ("self.layer = nn.Linear(3, 4)", "return self.layer(x.unfold(1, 3, 2))", (2, 9)),
    "infinity": ("self.register_buffer('mask', torch.tril(torch.ones(4, 4)))",
                 "return F.softmax(x.masked_fill(self.mask == 0, float('-inf')), dim=-1)", (2, 4, 4)),
    "many_layers": ("self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(300)])", "\n        ".join(
        ["for layer in self.layers:", "    x = torch.relu(layer(x))", "return x"]), (2, 4)),
    "doubled_often": ("self.layer = nn.Linear(4, 4)", "\n        ".join(["for _ in range(20):", "    x = x + self.layer(x)", "return x"]), (2, 4)),
}
REASONS = {
    "dropout": ("self.rnn = nn.LSTM(6, 5, num_layers=2, dropout=0.5)", "return self.rnn(x)[0]", "dropout is random"),
    "dropout_of_encoders": ("self.layer = nn.TransformerEncoderLayer(6, 2)", "return self.layer(x)", "dropout is random"),
    "drawn_state": ("self.rnn = nn.GRU(6, 5)", "return self.rnn(x, torch.randn(1, 3, 5))[0]", "random"),
    "projection": ("self.rnn = nn.LSTM(6, 5, proj_size=2)", "return self.rnn(x)[0]", "projects its state"),
    "cell": ("self.rnn = nn.GRUCell(6, 5)", "return self.rnn(x[0])", "recurrent cell"),
    "two_dimensions": ("self.rnn = nn.GRU(6, 5)", "return self.rnn(x[0])[0]", "2 axes"),
}


def facts_of(text, device="cpu"):
    """Shapes of results, and parameters with their shapes, as PyTorch has them."""
    scope = {}
    exec(compile(text, "task.py", "exec"), scope)
    with torch.device(device), torch.no_grad():
        model = scope["Model"](*scope["get_init_inputs"]())
        out = model(*scope["get_inputs"]())
    results = [list(one.shape) for one in (out if isinstance(out, (tuple, list)) else [out])]
    return results, {name: list(one.shape) for name, one in model.named_parameters()}


class AgainstTheModule(unittest.TestCase):
    def compare(self, text, device="cpu"):
        typed = describe(text)["typed"]
        self.assertIn("judged_by_module", typed["module"])
        results, parameters = facts_of(text, device)
        output = typed["output"]
        self.assertEqual([one["shape"] for one in (output if isinstance(output, list) else [output])], results)
        said = {one["parameter"]: one["shape"] for one in typed["inputs"] if "parameter" in one}
        self.assertEqual({name: parameters[name] for name in said}, said)
        return typed, parameters, said

    def test_modules(self):
        for name, (made, forward, *inputs) in MODULES.items():
            with self.subTest(name):
                typed, parameters, said = self.compare(source(made, forward, *inputs))
                self.assertEqual(set(said), set(parameters))
                self.assertEqual(typed["dims"], [])
                values = typed["value"]["args"] if typed["value"]["op"] == "results" else [typed["value"]]
                self.assertEqual([one["attrs"]["number"] for one in values], list(range(len(values))))
                self.assertEqual([one["op"] for one in values], ["module_output"] * len(values))

    def test_reasons(self):
        for name, (made, forward, why) in REASONS.items():
            with self.subTest(name):
                found = describe(source(made, forward, (7, 3, 6)))
                self.assertNotIn("typed", found)
                # The reason is that of the expression, which is the first that was looked for.
                self.assertIn("untyped", found)
                from by_module import by_module
                from static_module import Reader
                from typed import untyped_without
                text = source(made, forward, (7, 3, 6))
                self.assertIn(why, untyped_without(lambda: by_module(text, Reader(text).tree, "Model", "python:0"))["untyped"])

    def test_modules_are_told_apart(self):
        made, forward, *inputs = MODULES["lstm"]
        one = describe(source(made, forward, *inputs))["typed"]["value"]["attrs"]["module"]
        again = describe(source(made + "  # the same", forward, *inputs))["typed"]["value"]["attrs"]["module"]
        other = describe(source(made.replace("LSTM", "GRU"), forward, *inputs))["typed"]["value"]["attrs"]["module"]
        self.assertEqual(one, again)
        self.assertNotEqual(one, other)

    @unittest.skipIf(CHECKOUT is None, "no checkout is named")
    def test_a_checkout(self):
        count = 0
        for file in sorted((CHECKOUT / "KernelBench").glob("level[123]/*.py")):
            text = file.read_text()
            if "judged_by_module" in describe(text).get("typed", {}).get("module", {}):
                with self.subTest(file.name):
                    self.compare(text, "meta")
                    count += 1
        print(f"{count} tasks of {CHECKOUT} are judged by their modules")


if __name__ == "__main__":
    unittest.main()
