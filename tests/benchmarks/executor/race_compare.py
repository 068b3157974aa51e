"""Compares the executor with triton-viz on kernels with a known race or deadlock and their right twins (race_kernels.py).

    race_compare.py path/to/executor_benchmark [--site /tmp/triton-viz]
`--site` is the folder that pip put triton-viz into (sanitizer_compare.py says how). Its clients trace, profile and look for
accesses out of bounds; none looks for races, which the table shows by running its sanitizer on the same kernels.
`gpu_races.py` asks a GPU and compute-sanitizer. Exit status 1 when the executor missed a race or accused a right kernel.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent


def write_cases(folder):
    sys.path.insert(0, str(here.parents[2] / 'executor'))
    import case_writer
    races = case_writer.load(here / 'race_kernels.py')
    for one in races.cases():
        case_writer.case(one['name'], [(one['kernel'], one['grid'], one['args'], one['constants'])])
    case_writer.save(folder)
    return {one['name']: one['wrong'] for one in races.cases()}


def sanitize(site):
    """Runs in a process of its own; returns what triton-viz's sanitizer finds. It runs programs one after another, so a program that
    waits for a later one never ends: kernels that wait are left out."""
    sys.path[:0] = [site, str(here)]
    import contextlib
    import io
    import triton_viz
    from triton_viz.clients import Sanitizer
    import race_kernels
    rows = {}
    for case in race_kernels.cases():
        if 'while' in ''.join(case['kernel'].raw_src):
            rows[case['name']] = 'waits'
            continue
        client = Sanitizer(abort_on_error=False)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                triton_viz.trace(client=client)(case['kernel'])[case['grid']](*case['args'], **case['constants'])
            rows[case['name']] = f'{len(client.records)} found' if client.records else '-'
        except Exception as problem:
            rows[case['name']] = type(problem).__name__
    print(json.dumps(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('benchmark', type=pathlib.Path)
    parser.add_argument('--site', help='the folder that pip put triton-viz into')
    options = parser.parse_args()
    os.environ['CUDA_VISIBLE_DEVICES'] = ''
    with tempfile.TemporaryDirectory() as folder:
        known = write_cases(pathlib.Path(folder))
        lines = subprocess.check_output([options.benchmark, folder], text=True).splitlines()
    ours = {row['name']: row for row in map(json.loads, lines)}
    theirs = {}
    if options.site:
        peer = subprocess.run([sys.executable, __file__, 'sanitize', options.site], text=True, capture_output=True, timeout=600)
        if peer.returncode:
            sys.exit('triton-viz did not run: ' + (peer.stderr.strip().splitlines() or ['?'])[-1])
        theirs = json.loads(peer.stdout.splitlines()[-1])
    missed = accused = 0
    print(f'{"kernel":<34}{"known":>10}{"executor":>12}{"triton-viz":>14}')
    for name, wrong in known.items():
        kinds = [finding['kind'] for finding in ours[name]['findings']]
        found = wrong if wrong in kinds else kinds[0] if kinds else '-'
        missed += wrong is not None and wrong not in kinds
        accused += wrong is None and bool(kinds)
        print(f'{name:<34}{wrong or "right":>10}{found:>12}{theirs.get(name, "?"):>14}'
              + ('  <- wrong' if (wrong or '-') != found else ''))
    bad = sum(wrong is not None for wrong in known.values())
    print(f'\nexecutor: {bad - missed} of {bad} found, {accused} of {len(known) - bad} right ones accused')
    sys.exit(1 if missed or accused else 0)


if __name__ == '__main__':
    if sys.argv[1:2] == ['sanitize']:
        sanitize(sys.argv[2])
    else:
        main()
