"""The few spaces that the environments have, as Gymnasium names them. Gymnasium's own are used where
it is installed."""
try:
    from gymnasium.spaces import Box as _Box, Dict, Discrete

    def Box(low, high, shape, dtype):  # noqa: N802 (it stands for the class)
        import numpy
        return _Box(low, high, shape, getattr(numpy, dtype))
except ImportError:
    import random

    class Discrete:
        def __init__(self, n: int):
            self.n = n
            self._random = random.Random(0)

        def seed(self, seed: int | None = None) -> None:
            self._random.seed(seed)

        def sample(self, mask=None) -> int:
            if mask is None:
                return self._random.randrange(self.n)
            return self._random.choice([i for i, m in enumerate(mask) if m])

        def contains(self, x) -> bool:
            return 0 <= int(x) < self.n

        def __eq__(self, other) -> bool:
            return isinstance(other, Discrete) and other.n == self.n

    class Box:
        def __init__(self, low, high, shape, dtype):
            self.low, self.high, self.shape, self.dtype = low, high, tuple(shape), dtype

        def contains(self, x) -> bool:
            return len(x) == self.shape[0] and all(self.low <= v <= self.high for v in x)

        def __eq__(self, other) -> bool:
            return isinstance(other, Box) and vars(other) == vars(self)

    class Dict(dict):
        @property
        def spaces(self) -> dict:
            return self

        def contains(self, x) -> bool:
            return set(x) == set(self) and all(self[k].contains(x[k]) for k in self)
