"""Runs trl-verify and sends it one candidate at a time."""
import json
import subprocess
import sys


class Feed:
    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, '--rows', '-', *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.count = 0

    def verify(self, row):
        """Returns its answer for a row {"task", "answer"}."""
        self.process.stdin.write(json.dumps({'task': row['task'], 'answer': row['answer']}) + '\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f'trl-verify ended after {self.count} rows')
        self.count += 1
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
