"""The files of packaging/cluster/ by the schema or the loader of the tool that reads them, as far as these are here; exit status 77 where neither is.

    files_tests.py ROOT     by a Python with PyYAML; TRL_KUBERAY_CRD names KubeRay's ray.io_rayclusters.yaml (with jsonschema); SkyPilot is used where it can be imported
"""
import os
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1], "packaging/cluster")


def close(schema):
    """Makes fields that the schema doesn't know errors, which Kubernetes drops without a word."""
    if isinstance(schema, dict):
        if schema.get("x-kubernetes-int-or-string"):
            schema.pop("type", None)
            schema.pop("anyOf", None)
        if "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        close(part)


def kuberay(definition):
    import jsonschema
    import yaml

    versions = yaml.safe_load(pathlib.Path(definition).read_text())["spec"]["versions"]
    schema = next(version for version in versions if version["name"] == "v1")["schema"]["openAPIV3Schema"]
    schema["properties"]["metadata"] = {"type": "object"}
    close(schema)
    cluster = yaml.safe_load((FOLDER / "kuberay.yaml").read_text())
    found = [f"kuberay.yaml: {'/'.join(map(str, error.path))}: {error.message}" for error in jsonschema.Draft7Validator(schema).iter_errors(cluster)]
    cluster["spec"]["replicas"] = 1  # a mistake that must be found
    assert list(jsonschema.Draft7Validator(schema).iter_errors(cluster))
    return found


def skypilot(sky):
    task = sky.Task.from_yaml(str(FOLDER / "skypilot.yaml"))
    resources = next(iter(task.resources))
    return [] if (task.num_nodes, resources.use_spot) == (2, True) else [f"skypilot.yaml was read as {task} with {resources}"]


def main():
    problems, asked = [], 0
    if definition := os.environ.get("TRL_KUBERAY_CRD"):
        problems += kuberay(definition)
        asked += 1
    try:
        import sky
    except ImportError:
        sky = None
    if sky:
        problems += skypilot(sky)
        asked += 1
    print("\n".join(problems) or f"{asked} of 2 tools were asked")
    return 1 if problems else 0 if asked else 77


if __name__ == "__main__":
    sys.exit(main())
