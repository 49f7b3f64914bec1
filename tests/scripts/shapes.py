"""Whether a value has the shape that `salotto schema` prints (docs/server.md, "Schema")."""
KINDS = {
    "int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "real": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "bool": lambda v: isinstance(v, bool),
    "string": lambda v: isinstance(v, str),
    "null": lambda v: v is None,
    "any": lambda v: True,
    "State": lambda v: isinstance(v, dict) and "phase" in v,
    "Event": lambda v: isinstance(v, dict) and "event" in v and "n" in v,
    "Game": lambda v: isinstance(v, dict) and "game" in v,
}


def fits_word(word, value):
    return value == word[1:-1] if word.startswith("'") else KINDS[word](value)


def problem(shape, value, where=""):
    """Where the value does not fit, or None."""
    if isinstance(shape, str):
        fits = any(fits_word(w, value) for w in shape.split("|"))
        return None if fits else f"{where}: {value!r} is no {shape}"
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where}: {value!r} is no list"
        found = (problem(shape[0], v, f"{where}[{i}]") for i, v in enumerate(value))
        return next((f for f in found if f), None)
    if "|" in shape:
        found = [problem(s, value, where) for s in shape["|"]]
        return found[0] if all(found) else None
    if not isinstance(value, dict):
        return f"{where}: {value!r} is no object"
    return fields(shape, value, where)


def fields(shape, value, where):
    for key in shape:
        if key != "*" and not key.endswith("?") and key not in value:
            return f"{where}.{key} is missing"
    for key, inner in value.items():
        of = shape.get(key, shape.get(key + "?", shape.get("*")))
        if of is None:
            return f"{where}.{key} is not known"
        found = problem(of, inner, f"{where}.{key}")
        if found:
            return found
    return None


def message_problem(schema, message):
    """The same for a message of the server."""
    op = message.get("op")
    if op not in schema:
        return f"the op {op!r} is not known"
    rest = {k: v for k, v in message.items() if k not in ("op", "re", "id")}
    return problem(schema[op], rest, op)
