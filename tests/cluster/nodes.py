"""A Ray cluster of several nodes on this host, by Ray's own utility for tests, for as long as its standard input is open.

    nodes.py FOLDER [NODES [CORES]]     prints the address; each node's cache is FOLDER/nodeN

Nodes share the host's cores, so that they show that everything is right and not how fast many machines are. A line on standard input is
answered by one: `add` adds a node, `kill` ends the node that was added last as if it lost its power, `kill NUMBER` another one.
"""
import os
import sys

from ray.cluster_utils import Cluster

STORE = 200 * 10**6  # bytes of each node's object store


class Nodes:
    def __init__(self, folder, nodes=4, cores=1):
        self.folder, self.cores, self.count = folder, cores, 0
        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": STORE, "include_dashboard": False})
        self.nodes = []
        for _ in range(nodes):
            self.add()

    @property
    def address(self):
        return self.cluster.address

    def add(self, **more):
        cache = os.path.join(self.folder, f"node{self.count}")
        self.count += 1
        options = {"num_cpus": self.cores, "object_store_memory": STORE, "env_vars": {"TRL_CLUSTER_CACHE": cache}} | more
        self.nodes.append(self.cluster.add_node(**options))

    def kill(self, number=-1):
        """Ends a node with SIGKILL."""
        self.cluster.remove_node(self.nodes.pop(number), allow_graceful=False)

    def end(self):
        self.cluster.shutdown()


def main(folder, nodes=4, cores=1):
    cluster = Nodes(os.path.abspath(folder), int(nodes), int(cores))
    print(cluster.address, flush=True)
    for line in sys.stdin:
        command, *arguments = line.split()
        getattr(cluster, command)(*map(int, arguments))
        print("done", flush=True)
    cluster.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
