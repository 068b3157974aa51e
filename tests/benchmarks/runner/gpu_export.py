"""Builds kernels exported by `trl export kernel` with PyTorch's own tools against libtorch, runs them, and checks that they are right
and refuse other sizes.

    gpu_export.py [--trl TRL]
Needs a C++ compiler, ninja and CUDA's headers beside the GPU. Exit status 1 where something is wrong.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

RELU = """#include <torch/extension.h>

template <typename T>
__global__ void relu(const T* __restrict__ x, T* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > T(0) ? x[i] : T(0);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "relu", [&] {
    relu<scalar_t><<<(n + 255) / 256, 256>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
  });
  return y;
}
"""

LOG_SOFTMAX = """import torch, triton, triton.language as tl

@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + cols, mask=cols < N, other=-float('inf')).to(tl.float32)
    x = x - tl.max(x, axis=0)
    tl.store(out_ptr + row * N + cols, x - tl.log(tl.sum(tl.exp(x), axis=0)), mask=cols < N)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        M, N = x.shape
        out = torch.empty_like(x)
        kernel[(M,)](x, out, N, BLOCK=triton.next_power_of_2(N))
        return out
"""


def check(trl, folder, name, text, suffix, task, right):
    """Describes what is wrong."""
    import torch
    from torch.utils.cpp_extension import load
    candidate, exported = folder / f'{name}{suffix}', folder / name
    candidate.write_text(text)
    done = subprocess.run([trl, 'export', 'kernel', candidate, '--task', task, '--kernel-times', 'measured', '--to', exported,
                           '--name', name], capture_output=True, text=True)
    if done.returncode:
        return 'not exported: ' + done.stderr.strip()
    begin = time.monotonic()
    sources = [str(exported / f'{name}.cpp'), str(exported / f'{name}_kernels.cpp')]
    function = getattr(load(name, sources, extra_ldflags=['-lcuda'], extra_cflags=['-std=c++20'], with_cuda=True), name)
    built = time.monotonic() - begin
    x = torch.randn(64, 256, device='cuda')
    worst = (function(x) - right(x)).abs().max().item()
    try:
        function(x[:32])
        return 'takes other sizes'
    except RuntimeError as error:
        said = str(error).splitlines()[0]
    print(f'{name}: built in {built:.1f} s, largest error {worst:.2g}; of other sizes it says: {said}')
    return '' if worst < 1e-5 else f'wrong by {worst}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--trl', default='trl')
    options = parser.parse_args()
    import torch
    if not torch.cuda.is_available():
        print('no GPU here: nothing is run', file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wrong = [check(options.trl, folder, 'my_relu', RELU, '.cu', 'level1/relu', torch.relu),
                 check(options.trl, folder, 'my_log_softmax', LOG_SOFTMAX, '.py', 'level1/log_softmax_rows',
                       lambda x: torch.log_softmax(x, 1))]
    for why in filter(None, wrong):
        print('wrong: ' + why)
    return 1 if any(wrong) else 0


if __name__ == '__main__':
    sys.exit(main())
