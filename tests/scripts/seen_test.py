"""Nearly every message of the catalogue was seen in context; the number of the others only falls.

    seen_test.py SALOTTO SOURCE_ROOT
"""
from seen import messages, read_known
from tap import case, done

# How many messages may be without a place where they were seen. When tools/seen finds fewer, take the
# new number; it is never raised.
NOT_SEEN = 280


def check_seen():
    known = read_known()
    missing = [m for m in messages() if known.get(m, "!").startswith("!")]
    assert len(missing) <= NOT_SEEN, f"{len(missing)} messages were not seen in context, run tools/seen:\n" + \
        "\n".join(missing)


def check_places():
    """Every line says where: a command, a page or a vector; or why not."""
    for message, where in read_known().items():
        assert where.startswith(("salotto", "page", "vectors", "! ")), (where, message)


case("messages are seen in context", check_seen)
case("and each place is named", check_places)
done()
