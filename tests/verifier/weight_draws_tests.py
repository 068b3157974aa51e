"""What verifier/recorder/weight_draws.py says of a constructor's tensors, beside PyTorch: the place of the generator after it, and which tensors are equal."""
import random
import sys
import unittest

import torch
import torch.nn as nn
from torch._subclasses.fake_tensor import FakeTensorMode

root = sys.argv.pop(1)
sys.path.insert(0, f"{root}/verifier/recorder")
import weight_draws  # noqa: E402

SIZES = (1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 48, 100)
MADE = [
    lambda n: torch.randn(n), lambda n: torch.rand(n), lambda n: torch.empty(n).normal_(0.5, 2.0), lambda n: torch.empty(n).uniform_(-1, 1),
    lambda n: nn.Linear(n, 3).weight, lambda n: nn.Conv2d(n, 2, 3).bias, lambda n: torch.randn(n, dtype=torch.float64),
    lambda n: torch.rand(n, dtype=torch.float64), lambda n: torch.empty(2 * n, 3).t().normal_(), lambda n: torch.ones(n),
    lambda n: nn.init.trunc_normal_(torch.empty(n)), lambda n: torch.rand(n).t().clone(), lambda n: torch.rand(n, 2).t().contiguous().view(-1)]


def made(steps):
    return [MADE[kind](size) for kind, size in steps]


def noted(steps):
    found = weight_draws.Draws()
    with torch.no_grad(), FakeTensorMode(), weight_draws.Noting(found):
        tensors = made(steps)
    return found, [found.origin(one) for one in tensors]


class Draws(unittest.TestCase):
    def test_the_generators_place(self):
        torch.manual_seed(1)
        series = torch.rand(20000)
        for seed in range(200):
            pick = random.Random(seed)
            steps = [(pick.randrange(len(MADE)), pick.choice(SIZES)) for _ in range(pick.randint(1, 6))]
            torch.manual_seed(1)
            made(steps)
            place = noted(steps)[0].place
            self.assertTrue(torch.equal(torch.rand(8), series[place:place + 8]), (steps, place))

    def test_equal_origins_are_equal_numbers(self):
        said = {True: 0, False: 0, None: 0}
        for seed in range(300):
            pick = random.Random(seed)
            one = [(pick.randrange(len(MADE)), pick.choice(SIZES[:5])) for _ in range(pick.randint(1, 4))]
            other = [step if pick.random() < 0.8 else (pick.randrange(len(MADE)), step[1]) for step in one]
            torch.manual_seed(1)
            first = made(one)
            torch.manual_seed(1)
            second = made(other)
            for a, b, x, y in zip(noted(one)[1], noted(other)[1], first, second):
                same = weight_draws.compare(a, b)
                said[same] += 1
                equal = x.shape == y.shape and x.dtype == y.dtype and torch.equal(x, y)
                if same is not None and x.shape == y.shape:
                    self.assertEqual(same, equal, (one, other, a, b))
        self.assertTrue(said[True] > 100 and said[False] > 100, said)


if __name__ == "__main__":
    unittest.main()
