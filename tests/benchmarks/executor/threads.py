"""Compares the executor on one thread and on several, with launches large enough to share. Prints medians, ratios and whether the
results are equal. The second ratio is that of CPU time: the overhead of sharing, whatever else runs on the machine.

    threads.py path/to/executor_benchmark [--threads 2]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.argv, arguments = [sys.argv[0]], sys.argv[1:]
here = pathlib.Path(__file__).resolve().parent
os.environ['CUDA_VISIBLE_DEVICES'] = ''


def compare_module():
    import importlib.util
    spec = importlib.util.spec_from_file_location('compare', here / 'compare.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('benchmark', type=pathlib.Path)
    parser.add_argument('--threads', type=int, default=os.cpu_count())
    options = parser.parse_args(arguments)
    compare = compare_module()
    sizes = {'matmul 512x512x512': ('matmul', (16, 16), ('a', 'b', 'c', 512, 512, 512), dict(BM=32, BN=32, BK=32, PRECISION='ieee')),
             'softmax 2048x512': ('softmax', (2048,), ('a', 'c', 512), dict(BLOCK=512)),
             'gelu chain 1M': ('gelu_chain', (1024,), ('a', 'a', 'c', 1 << 20), dict(BLOCK=1024))}
    counts = {'a': 1 << 20, 'b': 512 * 512, 'c': 1 << 20}
    with tempfile.TemporaryDirectory() as folder:
        compare.make(pathlib.Path(folder), sizes, counts)
        run = [[json.loads(line) for line in subprocess.check_output([options.benchmark, folder, str(threads)], text=True).splitlines()]
               for threads in (1, options.threads)]
    print(f'{"kernel":<20}{"1 thread ms":>13}{f"{options.threads} threads ms":>15}{"ratio":>8}{"CPU":>8}  same bytes, findings, counters')
    same = True
    for one, several in zip(*run):
        equal = one['hash'] == several['hash']
        same = same and equal
        print(f'{one["name"]:<20}{one["run_ms"]:>13.2f}{several["run_ms"]:>15.2f}{one["run_ms"] / several["run_ms"]:>7.2f}x'
              f'{several["cpu_ms"] / one["cpu_ms"]:>7.2f}x  '
              f'{"yes" if equal else "NO"}, on {several["threads"]}')
    sys.exit(0 if same else 1)


if __name__ == '__main__':
    main()
