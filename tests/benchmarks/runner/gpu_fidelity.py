"""Compares honest candidates run natively by Triton with their replays by the runner, in one run: outputs bit by bit, and times.

    gpu_fidelity.py ROWS.jsonl [--verify TRL_VERIFY] [--repeats 3] [--out FILE]
ROWS holds {"task", "answer"} on each line. The native run gets the replay's inputs. Both are timed as one CUDA graph with a cold L2
cache, 10 warm-up runs, 50 trials, and a trimmed mean of 10 %. They alternate for each candidate (native, replay, native, replay, …),
each after the GPU has been idle for as long as a recording takes, so that both see it in the same state. Prints the share of
bit-identical outputs and, as median and quartiles over candidates, the ratio replay / native (medians of --repeats), the ratio of
every single replay to the native run before it, and for comparison the ratio of each native run to the one before, which is the noise
of the measurement. Exit status 1 when an output differs, 2 when there is no GPU.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'executor'))
import feed
import gpu_agreement as candidates
import gpu_time as clock

IDLE = 0.05  # seconds
NUMPY = {'f64': 'f8', 'f32': 'f4', 'f16': 'f2', 'i64': 'i8', 'i32': 'i4'}


class Native:
    """A candidate as Triton itself runs it, captured in a CUDA graph."""

    def __init__(self, number, row, folder, outputs):
        import numpy
        import torch
        module = candidates.make_module(f'candidate_{number}', candidates.extract_source(row['answer']), folder)
        model, self.inputs = module.ModelNew(), []
        for index, (dtype, shape) in enumerate(candidates.input_shapes(row['task'], 'original')):
            data = numpy.fromfile(outputs / f'{number}.input{index}', dtype=NUMPY[dtype]).reshape(shape)
            self.inputs.append(torch.from_numpy(data).cuda())
        self.output = model(*self.inputs).detach().cpu().double().contiguous().numpy().ravel()
        self.graph, self.kept = clock.capture(lambda: model(*self.inputs))


def spread(values):
    low, median, high = statistics.quantiles(values, n=4)
    within = sum(abs(value - 1) <= 0.02 for value in values) / len(values)
    return f'{median:6.3f} [{low:.3f}, {high:.3f}]   {100 * within:3.0f} % within 2 % of 1   n = {len(values)}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('--verify', default='trl-verify')
    parser.add_argument('--repeats', type=int, default=3)
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    import numpy
    import torch
    if not torch.cuda.is_available():
        print('no GPU here: nothing is measured', file=sys.stderr)
        return 2
    flush = clock.make_flush()
    rows = [json.loads(line) for line in options.rows.read_text().splitlines()]
    times, refused, different = {}, [], []
    with tempfile.TemporaryDirectory() as folder:
        outputs = pathlib.Path(folder) / 'outputs'
        outputs.mkdir()
        replay = feed.Feed(options.verify, '--gpu-alone', '--outputs', str(outputs))
        for number, row in enumerate(rows):
            file, verdict = replay.count, replay.verify(row)['verdict']
            if not verdict['correct']:
                refused.append((number, verdict['failed'], verdict['reason'], verdict['message']))
                continue
            native = Native(file, row, folder, outputs)
            same = numpy.fromfile(outputs / f'{file}.output', dtype='f8')
            if same.tobytes() != native.output.tobytes():
                different.append((number, float(numpy.abs(same - native.output).max())))
            clock.time(native.graph, flush)  # isn't counted, nor is the first replay: memory is touched for the first time
            taken = times[number] = {'native': [], 'replay': []}
            for _ in range(options.repeats):
                time.sleep(IDLE)
                taken['native'].append(clock.time(native.graph, flush))
                taken['replay'].append(replay.verify(row)['verdict']['time_us'])
            for written in outputs.iterdir():
                written.unlink()
        replay.close()
    typical = [(statistics.median(one['native']), statistics.median(one['replay'])) for one in times.values()]
    single = [b / a for one in times.values() for a, b in zip(one['native'], one['replay'])]
    own = [b / a for one in times.values() for a, b in zip(one['native'], one['native'][1:])]
    again = [b / a for one in times.values() for a, b in zip(one['replay'], one['replay'][1:])]
    print(f'{torch.cuda.get_device_name()}: {len(rows)} candidates, {len(refused)} refused, '
          f'{len(times) - len(different)} outputs identical to the bit')
    for number, *why in refused:
        print('  refused', number, rows[number]['task']['name'], *why)
    for number, most in different:
        print(f'  differs {number} {rows[number]["task"]["name"]}: by {most:.3g} at most')
    print(f'median time natively {statistics.median(a for a, _ in typical):.2f} us')
    print(f'replay / native, medians of {options.repeats}  {spread([b / a for a, b in typical])}')
    print(f'replay / native, one by one    {spread(single)}')
    print(f'native / native before it      {spread(own)}')
    print(f'replay / replay before it      {spread(again)}')
    if options.out:
        options.out.write_text(json.dumps({'times': times, 'refused': refused, 'different': different}))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
