"""Matrices of few bits against their published definitions in PyTorch and, where it is installed, against bitsandbytes."""
import pathlib
import tempfile

from support import close, need, probe

torch, safetensors = need("torch", "safetensors.torch")
try:
    import bitsandbytes
    from bitsandbytes import functional
except ImportError:
    bitsandbytes = None

# QLoRA (Dettmers et al. 2023), appendix E.
NORMAL_FLOAT_4 = torch.tensor([
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0])


def nf4(weight):
    """Codes of two numbers to a byte, the blocks' largest magnitudes, the numbers. Of two codes as near the lower is taken."""
    flat = torch.nn.functional.pad(weight.flatten(), (0, -weight.numel() % 64)).view(-1, 64)
    most = flat.abs().amax(1)
    scaled = flat * (1 / most.clamp_min(1e-38))[:, None]
    codes = (scaled[..., None] > (NORMAL_FLOAT_4[1:] + NORMAL_FLOAT_4[:-1]) / 2).sum(-1)
    numbers = (NORMAL_FLOAT_4[codes] * most[:, None]).flatten()[:weight.numel()].view_as(weight)
    pairs = codes.view(-1, 2)
    return (pairs[:, 0] * 16 + pairs[:, 1]).to(torch.uint8)[:(weight.numel() + 1) // 2], most, numbers


def int8(weight):
    most = weight.abs().amax(1)
    scale = most / 127
    values = torch.round(weight / scale.clamp_min(1e-38)[:, None]).to(torch.int8)
    return values, scale, values * scale[:, None]


def llm_int8_product(x, values, scale):
    """LLM.int8() (Dettmers et al. 2022), section 3, with each row's outliers apart; in f64, where sums of whole numbers are exact."""
    outlier = x.abs() >= 6
    inner = x.masked_fill(outlier, 0)
    most = inner.abs().amax(1)
    rounded = torch.round(inner * torch.where(most > 0, 127 / most, 0)[:, None])
    whole = rounded.double() @ values.double().T * (most / 127)[:, None] * scale
    return rounded, most / 127, whole + x.masked_fill(~outlier, 0).double() @ (values * scale[:, None]).double().T


def matrices():
    torch.manual_seed(0)
    for out, inner in ((1, 1), (3, 5), (7, 64), (33, 127), (64, 96), (129, 65)):
        for kind in ("normal", "coarse", "bf16"):
            weight = torch.randn(out, inner)
            if kind == "coarse":  # many of the numbers are in the middle between two codes, or at the end of a row's range
                weight = (weight * 4).round() / 8
                weight[0, 0] = 1
                weight.view(-1)[1:3] = ((NORMAL_FLOAT_4[1:] + NORMAL_FLOAT_4[:-1]) / 2)[6:8][:weight.numel() - 1]
            if kind == "bf16":
                weight = weight.bfloat16().float()
            if out > 2:
                weight[1] = 0
            x = torch.randn(5, inner).half().float()
            x[0, 0], x[3, -1] = 7.5, -6
            x[1] = 0
            yield f"{out} x {inner} {kind}", weight, x


def compare_with_bitsandbytes(weight, x, ours):
    """What isn't equal. Its weights of int8 are multiplied by 127 / most where ours are divided by most / 127; a row of x is
    given alone, since a batch shares its columns of outliers there."""
    packed, state = functional.quantize_4bit(weight, blocksize=64, quant_type="nf4")
    numbers = functional.dequantize_4bit(packed, state)
    found = dict(nf4_bytes=int((packed.flatten() != ours["nf4.values"]).sum()), nf4_numbers=int((numbers != ours["nf4.numbers"]).sum()))
    for row, values in zip(x, ours["x.values"]):
        if row.abs().max() > 0:
            theirs = functional.int8_vectorwise_quant(row.half()[None].clone(), threshold=6.0)[0]
            found["activations"] = found.get("activations", 0) + int((theirs[0] != values).sum())
    if torch.equal(weight.half().float(), weight):
        rows = functional.int8_vectorwise_quant(weight.half())[0][weight.abs().amax(1) > 0]
        found["int8_weights"] = int((rows != ours["int8.values"][weight.abs().amax(1) > 0]).sum())
        found["of"] = rows.numel()
    return found


def main():
    worst, differing = 0.0, {}
    given = list(matrices())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        safetensors.save_file({f"{label}/{part}": tensor for label, weight, x in given for part, tensor in dict(weight=weight, x=x).items()},
                              folder / "in.safetensors")
        probe("quantise", folder / "in.safetensors", folder / "out.safetensors")
        found = safetensors.load_file(folder / "out.safetensors")
    for label, weight, x in given:
        ours = {key.removeprefix(label + "/"): tensor for key, tensor in found.items() if key.startswith(label + "/")}
        for storage, (values, scale, numbers) in dict(nf4=nf4(weight), int8=int8(weight), llm_int8=int8(weight)).items():
            for part, expected in dict(values=values, scale=scale, numbers=numbers).items():
                assert torch.equal(ours[f"{storage}.{part}"], expected), f"{label}: {storage}'s {part}"
            if storage != "llm_int8":
                worst = max(worst, close(f"{label} {storage}", ours[f"{storage}.product"].double(), x.double() @ numbers.double().T, 1e-5))
        rounded, scale, product = llm_int8_product(x, *int8(weight)[:2])
        assert torch.equal(ours["x.values"].float(), rounded) and torch.equal(ours["x.scale"], scale), label
        worst = max(worst, close(f"{label} llm_int8", ours["llm_int8.product"].double(), product, 1e-5))
        for what, count in (compare_with_bitsandbytes(weight, x, ours) if bitsandbytes else {}).items():
            differing[what] = differing.get(what, 0) + count
    print(f"products within {worst:.1e}")
    if bitsandbytes:
        print(f"unequal in bitsandbytes {bitsandbytes.__version__}: {differing}")
        assert differing["nf4_bytes"] == differing["nf4_numbers"] == 0
    else:
        print("bitsandbytes is not installed: not compared with it")


main()
