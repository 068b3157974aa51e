"""Replaces verifier/baseline/baseline.py where there is no GPU: every reference takes 20 microseconds, compiled 10. Of test cases that stay on
the GPU, the name of the candidate's kernel says what becomes of them."""
import json
import sys


def compared(name, number):
    """The answer to the comparison of this number: of two runs, of the run without kernels, and of a timed run."""
    if name == 'mutator':
        return {'mutated': 1}
    if name == 'liar' or (name == 'flaky' and number == 4) or (name != 'decoy' and number == 3):
        return {'wrong': {'index': 8195, 'got': '0.5', 'expected': '0.25', 'tolerance': 1e-6, 'output': 0, 'shape': [8192, 8192]}}
    return {'right': True, 'compared': 8192 * 8192}


def timed(request):
    if 'class Model' not in request['source']:
        return {'ok': False, 'message': 'no module'}
    times = {name: [us] * request['trials'] for name, us in (('graph_us', 20.0), ('python_us', 50.0), ('compiled_us', 10.0))}
    return times if request['compile'] else times | {'compiled_us': None}


print(json.dumps({'ready': True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if 'open' in request:
        opened, number = request['open'], 0
        name = opened['handle']
        answer = {'left': 'there is no memory'} if name == 'too_large' else {'reference': 'f64'}
    elif 'compare' in request:
        number += 1
        answer = compared(name, number)
    elif 'close' in request or 'forget' in request:
        answer, name = {}, None
    else:
        answer = timed(request)
    print(json.dumps({'ok': True} | answer | {'id': request['id']}), flush=True)
