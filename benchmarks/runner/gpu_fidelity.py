"""Honest candidates run natively by Triton and replayed by the runner, in one run: are outputs the same to the bit, and times?

    gpu_fidelity.py ROWS.jsonl [--verify TRL_VERIFY] [--repeats 3] [--out FILE]
ROWS holds {"task", "answer"} a line. The replay's inputs are given to the native run. Both are timed as one CUDA graph with a
cold L2 cache, 10 warm-up runs, 50 trials, trimmed mean of 10 %; native and replay take turns --repeats times. Prints the
share of bit-identical outputs, the ratio replay / native in median and quartiles, and the same of one native run over the
next, which is what cannot be beaten. Exit status 1 when an output differs, 2 when there is no GPU.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'executor'))
import gpu_agreement as candidates

# As runner/measure.cpp times: first the GPU is kept busy, since an idle one clocks down.
BUSY, WARM_UP, TRIALS, TRIM = 60, 10, 50, 0.1
NUMPY = {'f64': 'f8', 'f32': 'f4', 'f16': 'f2', 'i64': 'i8', 'i32': 'i4'}


def trimmed(values):
    values, cut = sorted(values), int(TRIM * len(values))
    return statistics.mean(values[cut:len(values) - cut])


class Native:
    """The candidate as Triton itself runs it, captured in a CUDA graph."""

    def __init__(self, number, row, folder, outputs):
        import numpy
        import torch
        module = candidates.make_module(f'candidate_{number}', candidates.extract_source(row['answer']), folder)
        model, inputs = module.ModelNew(), []
        for index, (dtype, shape) in enumerate(candidates.input_shapes(row['task'], 'original')):
            data = numpy.fromfile(outputs / f'{number}.input{index}', dtype=NUMPY[dtype]).reshape(shape)
            inputs.append(torch.from_numpy(data).cuda())
        self.output = model(*inputs).detach().cpu().double().contiguous().numpy().ravel()
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                model(*inputs)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.kept = model(*inputs)
        self.inputs = inputs

    def time(self, flush):
        import torch
        events = []
        for _ in range(BUSY):
            flush.fill_(0x5A)
        for trial in range(WARM_UP + TRIALS):
            flush.fill_(0x5A)
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            self.graph.replay()
            end.record()
            events.append((begin, end))
        torch.cuda.synchronize()
        return trimmed([1000 * begin.elapsed_time(end) for begin, end in events[WARM_UP:]])


def quartiles(values):
    low, median, high = statistics.quantiles(values, n=4)
    return f'{median:6.3f} [{low:.3f}, {high:.3f}]'


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
    flush = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device='cuda')
    rows = [json.loads(line) for line in options.rows.read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        outputs = pathlib.Path(folder) / 'outputs'
        outputs.mkdir()

        def replay():
            done = subprocess.run([options.verify, '--rows', str(options.rows), '--gpu-alone', '--outputs', str(outputs)],
                                  stdout=subprocess.PIPE, text=True)
            answers = [json.loads(line) for line in done.stdout.splitlines()]
            if len(answers) != len(rows):
                sys.exit(f'{options.verify} ended after {len(answers)} of {len(rows)} rows')
            return answers

        replayed = replay()
        native, refused, different = {}, [], []
        for number, (row, answer) in enumerate(zip(rows, replayed)):
            verdict = answer['verdict']
            if not verdict['correct']:
                refused.append((number, verdict['failed'], verdict['reason'], verdict['message']))
                continue
            native[number] = Native(number, row, folder, outputs)
            same = numpy.fromfile(outputs / f'{number}.output', dtype='f8')
            if same.tobytes() != native[number].output.tobytes():
                different.append((number, float(numpy.abs(same - native[number].output).max())))
        for one in native.values():
            one.time(flush)  # the first pass doesn't count: memory is touched for the first time
        times = {number: {'native': [], 'replay': [replayed[number]['verdict']['time_us']]} for number in native}
        for repeat in range(options.repeats):
            for number, one in native.items():
                times[number]['native'].append(one.time(flush))
            if repeat + 1 < options.repeats:
                for number, answer in enumerate(replay()):
                    if number in times and answer['verdict']['correct']:
                        times[number]['replay'].append(answer['verdict']['time_us'])
    ratios, own = [], []
    for one in times.values():
        ratios += [b / a for a, b in zip(one['native'], one['replay'])]
        own += [b / a for a, b in zip(one['native'], one['native'][1:])]
    print(f'{len(rows)} candidates, {len(refused)} refused, {len(native)} replayed; '
          f'{len(native) - len(different)} outputs identical to the bit')
    for number, *why in refused:
        print('  refused', number, rows[number]['task']['name'], *why)
    for number, most in different:
        print(f'  differs {number} {rows[number]["task"]["name"]}: by {most:.3g} at most')
    print(f'median time natively {statistics.median([t for o in times.values() for t in o["native"]]):.2f} us')
    print(f'replay / native  {quartiles(ratios)}   median [quartiles], {len(ratios)} pairs')
    if own:
        print(f'native / native  {quartiles(own)}   one run over the one before')
    if options.out:
        options.out.write_text(json.dumps({'times': times, 'refused': refused, 'different': different}))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
