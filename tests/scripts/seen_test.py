"""Every message of the catalogue was seen in context: tests/seen.txt says where.

    seen_test.py SALOTTO SOURCE_ROOT
"""
import re

from seen import messages, read_known
from tap import case, done

# Where messages are seen: a command, a page, a vector, a test that prints them.
PLACE = re.compile(r"salotto|page[ ,]|vectors |\w+_test|battery ")


def check_seen():
    known = read_known()
    missing = [m for m in messages() if m not in known]
    assert not missing, f"{len(missing)} messages were not seen in context, run tools/seen:\n" + "\n".join(missing)


def check_places():
    """Every line says where, and is about a message that exists."""
    all_messages = set(messages())
    for message, where in read_known().items():
        assert PLACE.match(where), (where, message)
        assert message in all_messages, f"no longer a message: {message}"


case("messages are seen in context", check_seen)
case("and each place is named", check_places)
done()
