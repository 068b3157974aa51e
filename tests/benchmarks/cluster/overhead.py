"""What a stage costs on a cluster beside the same stage of the same worker without one, on one node of this host.

    overhead.py ROOT [TURNS]     by a Python that has ray; prints medians in milliseconds

The worker is a stand-in whose stage copies its inputs, so that nothing but the way is measured: a stage without inputs, one of 160 MB that the node has, and one of
160 MB that it lacks. Both come back to the head. Beside it stands what a plain copy of as many bytes takes, there and back.
"""
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT, TURNS = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2] if len(sys.argv) > 2 else 20)
sys.path.insert(0, str(ROOT / "tests/cluster"))
import nodes  # noqa: E402
from seats import Run  # noqa: E402

BYTES = 160 << 20


class Alone:
    """The worker by itself."""

    def __init__(self, program, folder):
        ours, theirs = socket.socketpair()
        self.process = subprocess.Popen([program, "--protocol-fd", str(theirs.fileno())], pass_fds=[theirs.fileno()])
        theirs.close()
        self.channel, self.lines, self.folder, self.asked = ours, ours.makefile("rb"), folder, 0

    def carry_out(self, stage, inputs):
        self.asked += 1
        output = self.folder / f"alone-{self.asked}"
        output.mkdir()
        self.channel.sendall(json.dumps({"id": self.asked, "stage": stage, "spec": {}, "inputs": inputs, "output": str(output)}).encode() + b"\n")
        self.lines.readline()
        return output


def median(turns, one, before=lambda: None):
    taken = []
    for _ in range(turns):
        before()
        begun = time.perf_counter()
        output = one()
        taken.append((time.perf_counter() - begun) * 1e3)
        shutil.rmtree(output)
    return statistics.median(taken)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        cluster = nodes.Nodes(str(folder), 1, 1)
        run = Run(ROOT, folder, cluster.address, {})
        run.seat()
        alone = Alone(str(folder / "bin/trl-worker"), folder)
        model = folder / "model"
        model.mkdir()

        def renew():
            (model / "weights").write_bytes(os.urandom(BYTES))

        def copied():
            output = folder / "copied"
            output.mkdir()
            for name in ("there", "back"):
                shutil.copyfile(model / "weights", output / name)
            return output

        def on_cluster(inputs):
            output, events = run.carry_out("copy", inputs=inputs)
            assert events[-1]["event"] == "done", events
            return output

        on_cluster({})
        large = {"model": str(model)}
        few = max(3, TURNS // 4)
        print(f"no inputs: {median(TURNS, lambda: alone.carry_out('copy', {})):.1f} ms alone, {median(TURNS, lambda: on_cluster({})):.1f} ms on a node")
        renew()
        on_cluster(large)
        print(f"160 MB that the node has: {median(few, lambda: alone.carry_out('copy', large)):.0f} ms alone, {median(few, lambda: on_cluster(large)):.0f} ms on a node (back alone)")
        print(f"160 MB that it lacks: {median(few, lambda: on_cluster(large), renew):.0f} ms on a node (there and back); two plain copies {median(few, copied, renew):.0f} ms")
        run.close()
        alone.process.kill()
        cluster.end()


if __name__ == "__main__":
    main()
