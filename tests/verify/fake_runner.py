#!/usr/bin/env python3
"""Stands for trl-runner where there is no GPU: what it does is named by the plan's label."""
import json
import os
import sys
import time


def write(value, data=b''):
    sys.stdout.buffer.write(json.dumps(value).encode() + b'\n' + data)
    sys.stdout.buffer.flush()


write({'ready': True, 'gpu': 'no GPU'})
for line in sys.stdin.buffer:
    request = json.loads(line)
    for kernel in request['kernels']:
        sys.stdin.buffer.read(kernel['bytes'])
    inputs = [sys.stdin.buffer.read(size) for size in request['inputs']]
    label, head = request['plan']['label'], {'id': request['id'], 'ok': True, 'sticky': False, 'outputs': []}
    if label == 'hang':
        time.sleep(60)
    if label == 'die':
        os._exit(7)
    if label.startswith('once '):  # ends the first time, whoever asks: the text behind it is a file's name
        if not os.path.exists(label[5:]):
            open(label[5:], 'w').close()
            os._exit(7)
    if label == 'cut':
        write(head | {'outputs': [len(inputs[0])] * 3}, inputs[0])
        os._exit(0)
    if label == 'sticky':
        write(head | {'ok': False, 'kind': 'illegal_access', 'message': 'CUDA_ERROR_ILLEGAL_ADDRESS', 'line': 4, 'sticky': True})
        sys.exit(3)
    times = {'graph_us': [3.0, 1.0, 2.0, 90.0], 'stream_us': [4.0]} if 'timing' in request else {}
    # Two replays that give the first input back, one without kernels that gives zeros, and a timed run.
    parts = [inputs[0], inputs[0], bytes(len(inputs[0]))] + [inputs[0]] * bool(times)
    write(head | times | {'outputs': [len(part) for part in parts], 'runs': 4, 'unkept': 0}, b''.join(parts))
