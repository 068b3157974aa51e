"""A stand-in for Ray, so that the program between `trl` and Ray is tested without it: actors are objects of this process whose methods run on
threads, and nodes are names. $TRL_STAND_IN is JSON: `nodes`, a list of {"id", "CPU", "GPU", …}; `die`, {"METHOD": n}: the n-th call
of a method of any actor ends its actor, as where a node vanishes; `damage`, names of files whose pieces arrive with another first byte.
"""
import collections
import concurrent.futures
import json
import os
import sys
import threading
import types

setting = json.loads(os.environ.get("TRL_STAND_IN", "{}"))
calls = collections.Counter()
taken = collections.Counter()  # cores by node
current = threading.local()


class exceptions(types.SimpleNamespace):
    class RayError(Exception):
        pass

    class RayActorError(RayError):
        pass

    class RayTaskError(RayError):
        def __init__(self, cause):
            super().__init__(str(cause))
            self.cause = cause


class cloudpickle:
    @staticmethod
    def register_pickle_by_value(module):
        assert module.__name__ == "node"


def init(address, **_):
    if address == "nowhere:1":
        raise ConnectionError("Could not find any running Ray instance")


def shutdown():
    pass


def nodes():
    return [{"NodeID": node["id"], "NodeName": node["id"], "Alive": True, "Resources": {name: count for name, count in node.items() if name != "id"}} for node in setting["nodes"]]


class Reference:
    def __init__(self, future):
        self.inner = future

    def future(self):
        return self.inner


def put(value):
    future = concurrent.futures.Future()
    future.set_result(value)
    return Reference(future)


def get_runtime_context():
    return types.SimpleNamespace(get_node_id=lambda: current.node)


class Method:
    def __init__(self, actor, name):
        self.actor, self.name = actor, name

    def options(self, **_):
        return self

    def remote(self, *arguments):
        return Reference(self.actor.pool.submit(self.actor.call, self.name, arguments))


class Actor:
    def __init__(self, cls, arguments, options):
        self.needs, self.dead, self.pool = {"CPU": options["num_cpus"], "GPU": options["num_gpus"]}, False, concurrent.futures.ThreadPoolExecutor(8)
        self.there = threading.Event()
        self.selector = options.get("label_selector", {}).get("ray.io/node-id", "")
        self.made = self.pool.submit(self.place, cls, arguments)

    def place(self, cls, arguments):
        refused = self.selector.removeprefix("!in(").removesuffix(")").split(",")
        free = [node for node in setting["nodes"] if node["id"] not in refused
                and all(node.get(name, 0) - taken[node["id"], name] >= count for name, count in self.needs.items())]
        if not free:
            self.there.wait()  # until it is killed, as an actor does for which there is no room
            raise exceptions.RayActorError("The actor was killed.")
        self.node = free[0]["id"]
        for name, count in self.needs.items():
            taken[self.node, name] += count
        current.node = self.node
        os.environ["TRL_STAND_IN_NODE"] = self.node
        self.instance = cls(*arguments)

    def call(self, name, arguments):
        self.made.result()
        calls[name] += 1
        if self.dead or calls[name] == setting.get("die", {}).get(name):
            self.end()
            raise exceptions.RayActorError("The actor died unexpectedly before finishing this task.")
        values = [argument.future().result() if isinstance(argument, Reference) else argument for argument in arguments]
        try:
            answer = getattr(self.instance, name)(*values)
        except Exception as error:
            raise exceptions.RayTaskError(error) from error
        if self.dead:
            raise exceptions.RayActorError("The actor died unexpectedly before finishing this task.")
        if name == "piece" and arguments[1] in setting.get("damage", ()):
            answer = bytes([answer[0] ^ 1]) + answer[1:]
        return answer

    def end(self):
        if self.dead:
            return
        self.dead = True
        self.there.set()
        if self.made.done() and not self.made.exception():
            for name, count in self.needs.items():
                taken[self.node, name] -= count
            self.instance.end()

    def __getattr__(self, name):
        return Method(self, name)


sys.modules["ray.util.scheduling_strategies"] = types.SimpleNamespace(NodeAffinitySchedulingStrategy=lambda node, soft: node)


def get(reference, timeout):
    return reference.future().result(timeout)


def kill(actor):
    actor.end()


def call_on(node, function, arguments):
    current.node = os.environ["TRL_STAND_IN_NODE"] = node
    return function(*arguments)


def remote(what):
    def options(**given):
        if "scheduling_strategy" in given:
            pool = concurrent.futures.ThreadPoolExecutor(1)
            return types.SimpleNamespace(remote=lambda *arguments: Reference(pool.submit(call_on, given["scheduling_strategy"], what, arguments)))
        return types.SimpleNamespace(remote=lambda *arguments: Actor(what, arguments, given))

    return types.SimpleNamespace(options=options)
