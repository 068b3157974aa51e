"""Compares the executor with triton-viz's sanitizer on kernels with a known out-of-bounds access and their clean twins, in one run.

    python -m pip install --target /tmp/triton-viz --no-deps triton-viz z3-solver anytree cairocffi cffi pycparser flask \\
        flask_cloudflared werkzeug blinker itsdangerous click jinja2 markupsafe tqdm pyarrow requests urllib3 idna certifi \\
        charset_normalizer six 'numpy<2.4'
    sanitizer_compare.py path/to/executor_benchmark --site /tmp/triton-viz
Prints what each found, and the median milliseconds per kernel. Exit status 1 when the sanitizer found something that the executor
missed, or when the executor accused a clean kernel. The executor's time is given twice: for parsing and running only, and including
Triton's front end, which makes the TTIR (the sanitizer runs the Python itself).
"""
import argparse
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
REPEATS = 5
OUTSIDE = ('out_of_bounds_load', 'out_of_bounds_store')


def tensors(arguments):
    import torch
    generator = torch.Generator().manual_seed(3)
    made = []
    for argument in arguments:
        if not isinstance(argument, tuple):
            made.append(argument)
        elif argument[0] == 'index':
            bound = next(a for a in reversed(arguments) if isinstance(a, int))
            values = torch.randint(0, bound, (argument[1],), generator=generator, dtype=torch.int32)
            values[0] = bound - 1
            made.append(values)
        else:
            made.append(torch.randn(argument[1], generator=generator))
    return made


def module_of(source, folder, name):
    """Loads the kernel's module from a file, since Triton reads a function's text there."""
    file = pathlib.Path(folder) / f'{name}.py'
    file.write_text(source)
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sanitize(site):
    """Runs in a process of its own; returns what triton-viz finds, and how long it takes."""
    sys.path.insert(0, site)
    import contextlib
    import io
    import triton_viz
    from triton_viz.clients import Sanitizer
    sys.path.insert(0, str(here))
    import out_of_bounds
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, row in enumerate(out_of_bounds.kernels()):
            times, found, error = [], 0, None
            for repeat in range(REPEATS):
                module = module_of(row['source'], folder, f'kernel_{number}_{repeat}')
                client = Sanitizer(abort_on_error=False)
                kernel = triton_viz.trace(client=client)(module.kernel)
                arguments = tensors(row['arguments'])
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        begin = time.perf_counter()
                        kernel[row['grid']](*arguments, **row['constants'])
                        times.append((time.perf_counter() - begin) * 1e3)
                except Exception as problem:
                    error = f'{type(problem).__name__}: {problem}'.splitlines()[0][:120]
                found = max(found, len(client.records))
            rows[row['name']] = {'found': found, 'ms': statistics.median(times) if times else None, 'error': error}
    print(json.dumps(rows))


def make(folder):
    """Writes cases for executor_benchmark; returns the milliseconds of Triton's front end by name."""
    sys.path.insert(0, str(here))
    import out_of_bounds
    import torch
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend
    backend, data, cases, front = make_backend(GPUTarget('cuda', 90, 32)), bytearray(), [], {}
    options = backend.parse_options({})
    for number, row in enumerate(out_of_bounds.kernels()):
        module = module_of(row['source'], folder, f'kernel_{number}')
        function, made = module.kernel, tensors(row['arguments'])
        names = [p for p in function.arg_names if p not in row['constants']]
        types = {torch.float32: '*fp32', torch.int32: '*i32'}
        signature = {p: 'constexpr' for p in function.arg_names}
        for parameter, value in zip(names, made, strict=True):
            signature[parameter] = types[value.dtype] if isinstance(value, torch.Tensor) else 'i32' if isinstance(value, int) else 'fp32'
        times = []
        for _ in range(REPEATS):
            begin = time.perf_counter()
            context = ir.context()
            ir.load_dialects(context)
            backend.load_dialects(context)
            built = ASTSource(function, signature, row['constants']).make_ir(
                '', options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
            text = str(backend.make_ttir(built, {}, options, 90))
            times.append((time.perf_counter() - begin) * 1e3)
        front[row['name']] = statistics.median(times)
        buffers, passed = [], []
        for argument, value in zip(row['arguments'], made):
            if isinstance(argument, tuple):
                passed.append({'buffer': len(buffers), 'offset': 0})
                contents = value.numpy().tobytes()
                buffers.append({'name': names[len(passed) - 1], 'writable': argument[0] == 'out', 'data': [len(data), len(contents)]})
                data.extend(contents)
            else:
                passed.append({'i32' if isinstance(value, int) else 'f32': value})
        cases.append({'name': row['name'], 'buffers': buffers,
                      'launches': [{'kernel': 'kernel', 'args': passed, 'grid': [*row['grid'], 1, 1][:3], 'ttir': text}]})
    (folder / 'cases.json').write_text(json.dumps(cases))
    (folder / 'data.bin').write_bytes(data)
    return front


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('benchmark', type=pathlib.Path)
    parser.add_argument('--site', required=True, help='the folder that pip put triton-viz into')
    options = parser.parse_args()
    os.environ['CUDA_VISIBLE_DEVICES'] = ''
    sys.path.insert(0, str(here))
    import out_of_bounds
    rows = out_of_bounds.kernels()
    with tempfile.TemporaryDirectory() as folder:
        front = make(pathlib.Path(folder))
        lines = subprocess.check_output([options.benchmark, folder], text=True).splitlines()
    ours = {row['name']: row for row in map(json.loads, lines)}
    peer = subprocess.run([sys.executable, __file__, 'sanitize', options.site], text=True, capture_output=True)
    if peer.returncode:
        sys.exit('triton-viz did not run: ' + (peer.stderr.strip().splitlines() or ['?'])[-1])
    theirs = json.loads(peer.stdout.splitlines()[-1])

    wrong = 0
    print(f'{"kernel":<26}{"executor":>22}{"ms":>8}{"triton-viz":>14}{"ms":>9}')
    for row in rows:
        mine, other = ours[row['name']], theirs[row['name']]
        found = next((f['kind'] for f in mine['findings'] if f['kind'] in OUTSIDE), '-' if mine['ok'] else mine['findings'][0]['kind'])
        said = 'fails' if other['error'] else f'{other["found"]} found' if other['found'] else '-'
        missed = found not in OUTSIDE if row['buggy'] or other['found'] else not mine['ok']
        wrong += missed
        print(f'{row["name"]:<26}{found:>22}{mine["parse_ms"] + mine["run_ms"]:>8.2f}{said:>14}'
              f'{other["ms"] or float("nan"):>9.1f}' + ('  <- wrong' if missed else ''))
    for name, other in theirs.items():
        if other['error']:
            print(f'triton-viz on {name}: {other["error"]}')
    buggy, clean = [r for r in rows if r['buggy']], [r for r in rows if not r['buggy']]
    print(f'\n{"":<34}{"executor":>10}{"triton-viz":>12}')
    print(f'{"bugs found":<34}{sum(not ours[r["name"]]["ok"] for r in buggy):>6}/{len(buggy)}'
          f'{sum(theirs[r["name"]]["found"] > 0 for r in buggy):>9}/{len(buggy)}')
    print(f'{"clean kernels accused":<34}{sum(not ours[r["name"]]["ok"] for r in clean):>6}/{len(clean)}'
          f'{sum(theirs[r["name"]]["found"] > 0 for r in clean):>9}/{len(clean)}')
    both = [r['name'] for r in rows if theirs[r['name']]['ms']]
    alone = statistics.median(ours[n]['parse_ms'] + ours[n]['run_ms'] for n in both)
    whole = statistics.median(ours[n]['parse_ms'] + ours[n]['run_ms'] + front[n] for n in both)
    viz = statistics.median(theirs[n]['ms'] for n in both)
    print(f'{"median ms a kernel":<34}{alone:>10.2f}{viz:>12.1f}{viz / alone:>9.0f}x')
    print(f'{"with Triton making the TTIR":<34}{whole:>10.2f}{viz:>12.1f}{viz / whole:>9.1f}x')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    if sys.argv[1:2] == ['sanitize']:
        sanitize(sys.argv[2])
    else:
        main()
