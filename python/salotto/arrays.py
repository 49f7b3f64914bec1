"""Arrays that the engine writes into: numpy's where it is installed, else plain ones."""
from array import array

try:
    import numpy
except ImportError:
    numpy = None

_CODES = {"float32": "f", "int32": "i", "int8": "b", "uint8": "B"}


def zeros(shape: tuple[int, ...], kind: str):
    """A writable array of zeros; without numpy a flat one."""
    if numpy is not None:
        return numpy.zeros(shape, dtype=kind)
    size = 1
    for n in shape:
        size *= n
    return array(_CODES[kind], bytes(size * array(_CODES[kind]).itemsize))


def numbers(values, kind: str):
    """The values as an array of that kind, without copying one that is."""
    if numpy is not None:
        return numpy.ascontiguousarray(values, dtype=kind)
    if isinstance(values, array) and values.typecode == _CODES[kind]:
        return values
    return array(_CODES[kind], values)


def mask(size: int, legal):
    """Ones at the numbers of legal actions, as Gymnasium's spaces and samplers want them."""
    out = zeros((size,), "int8")
    for action in legal:
        out[action] = 1
    return out
