"""Tests `trl export kernel`: its output passes trl-kernel-check and builds against libtorch; a wrong candidate isn't exported.

    export_tests.py TRL TRL_KERNEL_CHECK COMPILER
"""
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

TRL, CHECK, COMPILER = sys.argv[1:4]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ANSWER = '''
@triton.jit
def scaled(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2, mask=i < n)

@triton.jit
def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0) / 2, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y, n = torch.zeros_like(x), x.numel()
        scaled[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        relu[(triton.cdiv(n, 128),)](y, y, n, BLOCK=128)
        return y
'''


def run(*command, status=0):
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True)
    assert done.returncode == status, f'{command[0]} ends with {done.returncode}, not {status}:\n{done.stdout}{done.stderr}'
    return done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    (folder / 'right.py').write_text(ANSWER)
    (folder / 'wrong.py').write_text(ANSWER.replace('/ 2', '/ 3'))
    out = folder / 'out'
    said = run(TRL, 'export', 'kernel', folder / 'right.py', '--task', 'relu', '--to', out, '--name', 'fast-relu')
    files = {file.name for file in out.iterdir()}
    assert files == {'fast_relu.hpp', 'fast_relu.cpp', 'fast_relu_plan.hpp', 'fast_relu_kernels.cpp', 'CMakeLists.txt', 'README.md'}, files
    assert all(name in said for name in files), said
    run(CHECK, '--launch-wrapper', out / 'fast_relu_plan.hpp')
    site = pathlib.Path(sysconfig.get_path('platlib'))
    includes = [site / 'torch/include', site / 'torch/include/torch/csrc/api/include', site / 'nvidia/cu13/include',
                site / 'triton/backends/nvidia/include', ROOT / 'verifier/compiler/cuda_target']
    run(COMPILER, '-std=c++20', '-Wall', '-Werror', '-shared', '-fPIC', *[word for path in includes for word in ('-isystem', path)],
        out / 'fast_relu.cpp', out / 'fast_relu_kernels.cpp', '-o', folder / 'fast_relu.so')
    # Existing files aren't overwritten, and a wrong candidate isn't written.
    assert 'already exists' in run(TRL, 'export', 'kernel', folder / 'right.py', '--task', 'relu', '--to', out, status=2)
    assert 'wrong_values' in run(TRL, 'export', 'kernel', folder / 'wrong.py', '--task', 'relu', '--to', folder / 'none', status=1)
    assert not (folder / 'none').exists()
print('exported, checked and built')
