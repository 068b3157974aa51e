"""Checks JSON against the schemas of an OpenAPI document 3.0, as far as that document uses them."""


def problems(value, schema, document, where="$"):
    """Yields a sentence for each place at which the value isn't as the schema says."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        yield from problems(value, document["components"]["schemas"][name], document, where)
        return
    if value is None and schema.get("nullable"):
        return
    if "oneOf" in schema:
        if sum(not list(problems(value, one, document, where)) for one in schema["oneOf"]) != 1:
            yield f"{where} isn't one of the {len(schema['oneOf'])} forms"
        return
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    wanted = schema.get("type")
    if wanted and (not isinstance(value, types[wanted]) or (isinstance(value, bool) and wanted != "boolean")):
        yield f"{where} is {value!r}, no {wanted}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {value!r}, none of {schema['enum']}"
    if wanted == "array":
        for number, item in enumerate(value):
            yield from problems(item, schema["items"], document, f"{where}[{number}]")
    if wanted == "object":
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name in schema.get("required", []):
            if name not in value:
                yield f"{where} lacks {name}"
        for name, member in value.items():
            if name in properties:
                yield from problems(member, properties[name], document, f"{where}.{name}")
            elif others is False:
                yield f"{where} has {name}, which isn't described"
            elif isinstance(others, dict):
                yield from problems(member, others, document, f"{where}.{name}")
