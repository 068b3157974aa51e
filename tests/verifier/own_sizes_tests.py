"""What verifier/baseline/own_sizes.py accepts, on tensors of the CPU: passes that end anywhere, and values that aren't numbers. Triton interprets their kernels."""
import os
import sys
import unittest

os.environ["TRITON_INTERPRET"] = "1"
import torch

root = sys.argv.pop(1)
sys.path.insert(0, f"{root}/verifier/baseline")
sys.path.append(f"{root}/tests/benchmarks/runner")
import gpu_passes  # noqa: E402
import own_sizes  # noqa: E402
import passes  # noqa: E402

passes.BLOCK, passes.REPEATS = 32, 3  # so that tensors of a few thousand elements are several programs'

BOUND = {"relative": 32 * 2.0**-24, "computed": 32 * 2.0**-24, "least": 2.0**-126}


class OwnSizes(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def test_passes_are_what_pytorch_computes(self):
        self.assertGreater(gpu_passes.compare("cpu", (1, 97)), 200)

    def test_digest_sees_each_change(self):
        keys = [12345678901, 98765432101, 5555555555]
        for count in (1, 7, 8, 13, 8001, 50003):
            x = torch.randint(0, 256, (count,), dtype=torch.uint8)
            own = own_sizes.digest(x, keys)
            self.assertEqual(own, own_sizes.digest(x.clone(), keys))
            for at in {0, count // 2, count - 1}:
                y = x.clone()
                y[at] ^= 1
                self.assertNotEqual(own, own_sizes.digest(y, keys), (count, at))
            if count > 16:  # the same words in another order
                y = x.clone()
                y[:8], y[8:16] = x[8:16], x[:8]
                self.assertNotEqual(own, own_sizes.digest(y, keys), count)

    def test_expected_finds_the_first_wrong_element(self):
        exact = torch.randn(41, 113, dtype=torch.float64)
        expected = own_sizes.Expected(exact, exact.float(), BOUND, 1.0)
        self.assertIsNone(expected.first_wrong(exact.float()))
        for at in (0, 999, 1000, 4632):
            for wrong in (float("nan"), float("inf"), exact.reshape(-1)[at].item() + 1e-4):
                got = exact.float()
                got.view(-1)[at] = wrong
                self.assertEqual(expected.first_wrong(got)["index"], at)
        self.assertIsNotNone(expected.first_wrong(exact.half().float()))

    def test_expected_allows_what_eager_errs(self):
        exact = torch.randn(3000, dtype=torch.float64)
        eager = (exact + 1e-5 * torch.randn(3000, dtype=torch.float64).clamp(-1, 1)).float()
        expected = own_sizes.Expected(exact, eager, BOUND, 1.0)
        self.assertIsNone(expected.first_wrong((exact + 5e-5).float()))
        self.assertIsNotNone(expected.first_wrong((exact + 2e-4).float()))

    def test_expected_of_what_is_no_number(self):
        inf, nan = float("inf"), float("nan")
        exact = torch.tensor([inf, -inf, nan, 1e300, 1.0], dtype=torch.float64)
        eager = torch.tensor([inf, -inf, nan, inf, 1.0])
        expected = own_sizes.Expected(exact, eager, BOUND, 1.0)
        self.assertIsNone(expected.first_wrong(eager))
        for at, wrong in ((0, -inf), (0, nan), (1, 1.0), (2, 1.0), (4, nan)):
            got = eager.clone()
            got[at] = wrong
            self.assertEqual(expected.first_wrong(got)["index"], at)

    def test_integers_are_exact(self):
        exact = torch.arange(5000)
        expected = own_sizes.Expected(exact, exact, BOUND, 0.0)
        self.assertIsNone(expected.first_wrong(exact.clone()))
        got = exact.clone()
        got[4999] += 1
        self.assertEqual(expected.first_wrong(got)["index"], 4999)
        # A tie that rounding decides may end as it does in PyTorch.
        self.assertIsNone(own_sizes.Expected(exact, got, BOUND, 0.0).first_wrong(got))
        self.assertIsNone(own_sizes.Expected(exact, got, BOUND, 0.0).first_wrong(exact))

    def test_accepted_is_allclose(self):
        exact = torch.randn(5000)
        for scale in (1e-5, 9e-5, 1.1e-4, 3e-4):
            got = exact + scale * torch.randn(5000).sign()
            accepted = own_sizes.Accepted(exact, 1e-4).first_wrong(got) is None
            self.assertEqual(accepted, torch.allclose(exact, got, atol=1e-4, rtol=1e-4), scale)


unittest.main()
