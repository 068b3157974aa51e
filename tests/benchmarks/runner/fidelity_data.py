"""Chooses the input of gpu_fidelity.py: right answers of the generator, a third of them at 4 times the size.

    answer-samples slow 3 | fidelity_data.py OUT.jsonl [--count 300] [--seed 1]
"""
import argparse
import json
import pathlib
import random
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rows = [json.loads(line) for line in sys.stdin]
    draw = random.Random(options.seed)
    with open(options.out, 'w') as file:
        for number, row in enumerate(draw.sample(rows, options.count)):
            task = row['task']
            if number % 3 == 0 and 'matmul' not in task['key']:
                task = {**task, 'dims': [[name, size * 4] for name, size in task['dims']]}
            file.write(json.dumps({'task': task, 'answer': row['answer']}) + '\n')


if __name__ == '__main__':
    main()
