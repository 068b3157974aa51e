#!/usr/bin/env python3
"""Replaces trl-runner where there is no GPU. The plan's label or a kernel's name selects its behaviour. By default it returns relu
of the first input, and as many microseconds as the first launch has programs."""
import array
import json
import os
import sys
import time


def write(value, data=b''):
    sys.stdout.buffer.write(json.dumps(value).encode() + b'\n' + data)
    sys.stdout.buffer.flush()


def relu(data):
    return array.array('f', [max(x, 0.0) for x in array.array('f', data)]).tobytes()


def converse(request, name):
    """Answers the steps of a plan whose memory is shared; baseline.py, which reads the name of the kernel from the handle, judges it."""
    head = {'id': request['id'], 'ok': True, 'sticky': False}
    write(head | {'handle': name, 'bytes': sum(request['inputs']), 'inputs': [0] * len(request['inputs']), 'outputs': [0]})
    for line in sys.stdin.buffer:
        step = json.loads(line)
        if 'run' in step and name == 'illegal':
            write(head | {'ok': False, 'kind': 'illegal_access', 'message': 'CUDA_ERROR_ILLEGAL_ADDRESS', 'line': 4, 'sticky': True})
            sys.exit(3)
        if 'run' in step:
            write(head | {'damage': 'a store at byte 12 of the output' if name == 'stray' else None})
        elif 'time' in step:
            write(head | {'judge': True})
        elif step.get('judged'):
            write(head | {'damage': None, 'graph_us': [64.0] * 4, 'stream_us': [65.0]})
        elif 'judged' in step:
            return write(head | {'ok': False, 'kind': 'wrong_values', 'message': 'a timed run gives another output', 'line': 0})
        else:
            return write(head)


write({'ready': True, 'gpu': 'no GPU', 'driver': '570.86.15', 'cuda': '12.8', 'memory_bytes': 8 << 30})
for line in sys.stdin.buffer:
    request = json.loads(line)
    names = {kernel['name'] for kernel in request['kernels'] if sys.stdin.buffer.read(kernel['bytes'])}
    if request.get('shared'):
        converse(request, min(names))
        continue
    inputs = [sys.stdin.buffer.read(size) for size in request['inputs']]
    challenges = [(one['input'], one['begin'], sys.stdin.buffer.read(one['bytes'])) for one in request.get('challenges', [])]
    label, head = request['plan']['label'], {'id': request['id'], 'ok': True, 'sticky': False, 'outputs': []}
    if label == 'crowded':
        write(head | {'ok': False, 'kind': 'no_memory', 'message': '3 MiB of its 8192 MiB are left, where 40 are needed', 'line': 0})
        continue
    if label == 'hang':
        time.sleep(60)
    if label == 'die':
        os._exit(7)
    if label.startswith('once '):  # ends at the first request of all processes; the text after it is the name of a marker file
        if not os.path.exists(label[5:]):
            open(label[5:], 'w').close()
            os._exit(7)
    if label == 'cut':
        write(head | {'outputs': [len(inputs[0])] * 3}, inputs[0])
        os._exit(0)
    if label == 'sticky' or 'illegal' in names:
        write(head | {'ok': False, 'kind': 'illegal_access', 'message': 'CUDA_ERROR_ILLEGAL_ADDRESS', 'line': 4, 'sticky': True})
        sys.exit(3)
    right = inputs[0] if label in ('copy', ) or label.startswith('once ') else relu(inputs[0])
    wrong = bytes(len(right))
    launches = [step['launch'] for step in request['plan']['steps'] if 'launch' in step]
    took = float(launches[0]['grid'][0]) if launches else 1.0
    times = {'graph_us': [took] * 4, 'stream_us': [took + 1]} if 'timing' in request else {}
    if 'twice' in names or 'joined' in names:
        right = 2 * inputs[0]
    if 'joined' in names and not any('copy' in step for step in request['plan']['steps']):
        right = bytes(len(right))  # the plan copies the input to the output
    # Two replays, the plan without kernels, and the distinct outputs of the timed runs.
    parts = [wrong if 'liar' in names else right, right, wrong]
    if times:
        parts += [right, wrong] if 'flaky' in names else [right]
    for number, begin, data in challenges:
        changed = inputs[number][:begin] + data + inputs[number][begin + len(data):]
        parts.append(right if 'keeper' in names else 2 * changed if right == 2 * inputs[0] else relu(changed))
    write(head | times | {'challenged': len(challenges), 'outputs': [len(part) for part in parts], 'runs': 4, 'unkept': 0}, b''.join(parts))
