"""Measures on this GPU how long the answers of time_data.py take, and compares the times with the modelled ones.

    gpu_time.py ROWS.jsonl [--out MEASURED.jsonl]
Each forward is captured in a CUDA graph and timed by events: 10 warm-up replays, 50 trials, the L2 overwritten before each,
trimmed mean of 10 %. The inputs are random.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gpu_agreement as candidates

# As in verifier/runner/measure.cpp, the GPU is kept busy first, since an idle one lowers its clock.
BUSY, WARM_UP, TRIALS, TRIM = 60, 10, 50, 0.1


def trimmed(values):
    values, cut = sorted(values), int(TRIM * len(values))
    return statistics.mean(values[cut:len(values) - cut])


def make_flush():
    """Allocates memory twice as large as the L2 cache."""
    import torch
    return torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device='cuda')


def capture(forward):
    """Captures the forward as a CUDA graph. Returns the graph and the output."""
    import torch
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            forward()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        output = forward()
    return graph, output


def time(graph, flush):
    """Returns the microseconds of one replay."""
    import torch
    events = []
    for _ in range(BUSY):
        flush.fill_(0x5A)
    for _ in range(WARM_UP + TRIALS):
        flush.fill_(0x5A)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        events.append((begin, end))
    torch.cuda.synchronize()
    return trimmed([1000 * begin.elapsed_time(end) for begin, end in events[WARM_UP:]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    import torch
    if not torch.cuda.is_available():
        print('no GPU here: nothing is measured', file=sys.stderr)
        return 2
    flush = make_flush()
    rows = [json.loads(line) for line in options.rows.read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        for number, row in enumerate(rows):
            module = candidates.make_module(f'candidate_{number}', candidates.extract_source(row['answer']), folder)
            model = module.ModelNew()
            inputs = [tensor.cuda() for tensor in candidates.draw(row['task'], 'original', number)]
            try:
                with torch.no_grad():
                    row['measured_us'] = time(capture(lambda: model(*inputs))[0], flush)
            except Exception as error:  # an answer that can't be captured is skipped with a message
                row['measured_us'] = None
                print(f'{row["task"]["name"]}: {str(error).splitlines()[0]}', file=sys.stderr)
    rows = [row for row in rows if row['measured_us']]
    if options.out:
        options.out.write_text(''.join(json.dumps(row) + '\n' for row in rows))
    ratios = [row['verdict']['time_us'] / row['measured_us'] for row in rows]
    print(f'{len(rows)} answers measured on {torch.cuda.get_device_name()}')
    print(f'{"size":>6} {"answers":>8} {"modelled/measured":>18} {"10 %":>7} {"90 %":>7}')
    for factor in sorted({row['factor'] for row in rows}):
        part = sorted(ratio for ratio, row in zip(ratios, rows) if row['factor'] == factor)
        at = lambda share: part[int(share * (len(part) - 1))]
        print(f'{factor:>5}x {len(part):>8} {statistics.median(part):>18.2f} {at(0.1):>7.2f} {at(0.9):>7.2f}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
