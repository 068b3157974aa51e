"""Fits the parameters of the model of kernel times to what gpu_time.py measured on a GPU, on half of the tasks, and prints the
model's error on the other half.

    fit_time.py MEASURED.jsonl [--seed 1]
The model is that of verifier/executor/launch/model_time.cpp. dram_bytes, flops and the number of multiprocessors stay as
they are there; what is fitted is printed with its name there.
"""
import argparse
import json
import math
import pathlib
import random
import statistics

FIXED = {'dram_bytes': 4.28e12, 'vector_flops': 67e12, 'multiprocessors': 132, 'step_us': 0.00228, 'lanes': 29.65e12, 'atomic_us': 0.0006}
START = {'start_us': 3.0, 'launch_us': 1.0, 'program_us': 0.5, 'load_us': 0.2, 'dispatch_us': 0.06, 'l2_bytes': 5e12,
         'programs_each': 8.0, 'dot_flops': 2e13}


def work_us(dram, l2, work, p):
    flops = work['flops'] / FIXED['vector_flops'] + work['dot_flops'] / p['dot_flops']
    return 1e6 * max(dram / FIXED['dram_bytes'], l2 / p['l2_bytes'], flops, work['lanes'] / FIXED['lanes'])


def launch_us(launch, p):
    """Microseconds of one launch by the formula of model_time_us. A copy or fill by PyTorch has no steps."""
    first = 32 * (launch['sectors_read_first'] + launch['sectors_written_first'])
    every = 32 * (launch['sectors_read'] + launch['sectors_written'])
    most, processors = launch['most'], FIXED['multiprocessors']
    on_each = launch['programs'] / processors
    waves = math.ceil(on_each / p['programs_each'])
    chain = lambda work: max(work['loads'] * p['load_us'], work['steps'] * FIXED['step_us'])
    alone = processors * work_us(32 * most['distinct'], 32 * most['sectors'], most, p)
    busy = max(work_us(first, every, launch, p), alone, on_each * p['dispatch_us'], launch['same_place'] * FIXED['atomic_us'])
    longest = chain(most)
    chains = longest * max(1, math.ceil(chain(launch) / (processors * p['programs_each'] * longest) - 1e-3)) if longest else 0
    return p['launch_us'] + waves * p['program_us'] + max(chains + busy, launch['clock_ns'] / 1000)


def modelled(row, p):
    return p['start_us'] + sum(launch_us(launch, p) for launch in row['counters'])


def loss(rows, p):
    return statistics.mean(abs(math.log(modelled(row, p) / row['measured_us'])) for row in rows)


def fit(rows, chance):
    """Coordinate search in the logarithms of the parameters, since there are few and the model isn't smooth."""
    best, value = dict(START), loss(rows, START)
    step = 0.5
    while step > 0.01:
        improved = False
        for name in chance.sample(sorted(best), len(best)):
            for factor in (math.exp(step), math.exp(-step)):
                tried = {**best, name: best[name] * factor}
                if (other := loss(rows, tried)) < value - 1e-6:
                    best, value, improved = tried, other, True
        if not improved:
            step /= 2
    return best


def table(title, rows, p):
    print(title)
    print(f'  {"answers":<22} {"n":>4} {"median measured":>16} {"modelled/measured":>18} {"10 %":>6} {"90 %":>6} {"mean |log|":>10}')
    groups = {'all': rows}
    for factor in sorted({row['factor'] for row in rows}):
        groups[f'{factor} x the size'] = [row for row in rows if row['factor'] == factor]
    for flaw in sorted({row['flaw'] or 'honest' for row in rows}):
        groups[flaw] = [row for row in rows if (row['flaw'] or 'honest') == flaw]
    for name, part in groups.items():
        ratios = sorted(modelled(row, p) / row['measured_us'] for row in part)
        at = lambda share: ratios[int(share * (len(ratios) - 1))]
        measured = statistics.median(row['measured_us'] for row in part)
        print(f'  {name:<22} {len(part):>4} {measured:>13.2f} us {statistics.median(ratios):>18.2f} {at(0.1):>6.2f} {at(0.9):>6.2f} '
              f'{loss(part, p):>10.3f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('measured', type=pathlib.Path)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.measured.read_text().splitlines()]
    keys = sorted({row['task']['key'] for row in rows})
    chance = random.Random(options.seed)
    chance.shuffle(keys)
    half = set(keys[:len(keys) // 2])
    fitted = fit([row for row in rows if row['task']['key'] in half], chance)
    for name, value in fitted.items():
        print(f'{name:<16} {value:.4g}')
    table('the half that was fitted', [row for row in rows if row['task']['key'] in half], fitted)
    table('the other half', [row for row in rows if row['task']['key'] not in half], fitted)


if __name__ == '__main__':
    main()
