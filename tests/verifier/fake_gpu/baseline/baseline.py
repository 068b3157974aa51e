"""Replaces verifier/baseline/baseline.py where there is no GPU: every reference takes 20 microseconds, compiled 10."""
import json
import sys

print(json.dumps({'ready': True}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if 'class Model' not in request['source']:
        print(json.dumps({'id': request['id'], 'ok': False, 'message': 'no module'}), flush=True)
        continue
    print(json.dumps({'id': request['id'], 'ok': True, 'graph_us': [20.0] * request['trials'],
                      'python_us': [50.0] * request['trials'], 'compiled_us': [10.0] * request['trials'] if request['compile'] else None}), flush=True)
