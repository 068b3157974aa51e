"""Compares the executor with Triton's own interpreter on the same kernels in one run; prints a table of medians and ratios.

    compare.py path/to/executor_benchmark
Triton 3.6's interpreter needs NumPy < 2.4; with a newer one its column says so.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
kernels_file = here.parent.parent / 'tests' / 'executor' / 'kernels.py'
SIZES = {'matmul 64x256x256': ('matmul', (2, 8), ('a', 'b', 'c', 64, 256, 256), dict(BM=32, BN=32, BK=32, PRECISION='ieee')),
         'softmax 64x256': ('softmax', (64,), ('a', 'c', 256), dict(BLOCK=256)),
         'gelu chain 64x256': ('gelu_chain', (64,), ('a', 'a', 'c', 16384), dict(BLOCK=256)),
         'layer norm 64x256': ('layer_norm', (64,), ('a', 'c', 256, 1e-5), dict(BLOCK=256))}
COUNTS = {'a': 64 * 256, 'b': 256 * 256, 'c': 64 * 256}


def interpret():
    """Runs in a process of its own with TRITON_INTERPRET=1; returns milliseconds by name."""
    import importlib.util
    import torch
    spec = importlib.util.spec_from_file_location('kernels', kernels_file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = {}
    for name, (kernel, grid, args, constants) in SIZES.items():
        buffers = {letter: torch.randn(count) for letter, count in COUNTS.items()}
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            getattr(module, kernel)[grid](*[buffers.get(a, a) if isinstance(a, str) else a for a in args], **constants)
            times.append((time.perf_counter() - begin) * 1e3)
        result[name] = statistics.median(times)
    print(json.dumps(result))


def make(folder, sizes=SIZES, counts=COUNTS):
    """Writes cases for executor_benchmark: TTIR, arguments and random inputs."""
    import importlib.util
    import torch
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend
    spec = importlib.util.spec_from_file_location('kernels', kernels_file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    backend, data, cases = make_backend(GPUTarget('cuda', 90, 32)), bytearray(), []
    options = backend.parse_options({})
    for name, (kernel, grid, args, constants) in sizes.items():
        function = getattr(module, kernel)
        names = [p for p in function.arg_names if p not in constants]
        types = {str: '*fp32', int: 'i32', float: 'fp32'}
        signature = {p: 'constexpr' for p in function.arg_names} | {p: types[type(a)] for p, a in zip(names, args)}
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        built = ASTSource(function, signature, constants).make_ir('', options, backend.get_codegen_implementation(options),
                                                                  backend.get_module_map(), context)
        buffers, passed = [], []
        for argument in args:
            if isinstance(argument, str):
                passed.append({'buffer': len(buffers), 'offset': 0})
                bytes_ = torch.randn(counts[argument]).numpy().tobytes()
                buffers.append({'name': argument, 'writable': argument == 'c', 'data': [len(data), len(bytes_)]})
                data.extend(bytes_)
            else:
                passed.append({'i32' if isinstance(argument, int) else 'f32': argument})
        cases.append({'name': name, 'buffers': buffers, 'launches': [{'kernel': kernel, 'args': passed, 'grid': [*grid, 1, 1][:3],
                                                                     'ttir': str(backend.make_ttir(built, {}, options, 90))}]})
    (folder / 'cases.json').write_text(json.dumps(cases))
    (folder / 'data.bin').write_bytes(data)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ['CUDA_VISIBLE_DEVICES'] = ''
        make(pathlib.Path(folder))
        ours = [json.loads(line) for line in subprocess.check_output([sys.argv[1], folder], text=True).splitlines()]
        peer = subprocess.run([sys.executable, __file__, 'interpret'], env=os.environ | {'TRITON_INTERPRET': '1'}, text=True,
                              capture_output=True)
    theirs = json.loads(peer.stdout) if peer.returncode == 0 else {}
    print(f'{"kernel":<20}{"parse ms":>10}{"run ms":>10}{"interpreter ms":>16}{"ratio":>9}')
    for row in ours:
        other = theirs.get(row['name'])
        print(f'{row["name"]:<20}{row["parse_ms"]:>10.3f}{row["run_ms"]:>10.3f}' +
              (f'{other:>16.1f}{other / row["run_ms"]:>8.0f}x' if other else f'{"not available":>16}') + ('' if row['ok'] else '  FAILED'))
    if not theirs:
        print("Triton's interpreter did not run:", (peer.stderr.strip().splitlines() or ['?'])[-1])


if __name__ == '__main__':
    interpret() if sys.argv[1:] == ['interpret'] else main()
