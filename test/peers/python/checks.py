"""Runs the cases of the peer, and notes which methods of the client they call."""

import traceback

from keycloak.exceptions import KeycloakError


called = {}


class Recorder:
    """Passes every call on to the client, and notes its name."""

    def __init__(self, client):
        self._client = client
        self._called = called.setdefault(type(client), set())

    def __getattr__(self, name):
        value = getattr(self._client, name)
        if callable(value):
            self._called.add(name)
        return value


def report():
    """Names the methods that were not called; those with `a_` in front send the same requests asynchronously."""
    for kind, names in called.items():
        public = (name for name in dir(kind) if not name.startswith(("_", "a_")))
        methods = {name for name in public if callable(getattr(kind, name))}
        print(f"coverage: {len(methods & names)} of {len(methods)} methods of {kind.__name__}")
        for name in sorted(methods - names):
            print(f"  not called: {name}")


class Checks:
    """Counts the cases that pass and fail."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def run(self, name, case, *arguments):
        try:
            case(*arguments)
            self.passed += 1
        except Exception as error:
            self.failed += 1
            print(f"FAILED {name}: {error!r}")
            for frame in traceback.extract_tb(error.__traceback__):
                if "/python/" in frame.filename:
                    print(f"  at {frame.filename.split('/')[-1]}:{frame.lineno} {frame.line}")


def equal(expected, actual):
    assert expected == actual, f"expected {expected!r}, got {actual!r}"


def has(items, **wanted):
    """Returns the item of a list that has these values, and fails without one."""
    for item in items:
        if all(item.get(key) == value for key, value in wanted.items()):
            return item
    raise AssertionError(f"{wanted} is missing in {items}")


def lacks(items, **unwanted):
    for item in items:
        assert not all(item.get(key) == value for key, value in unwanted.items()), f"{unwanted} is there"


def refused(status, call, *arguments, **named):
    """Checks that a call is refused with this status."""
    try:
        call(*arguments, **named)
    except KeycloakError as refusal:
        equal(status, refusal.response_code)
        return
    raise AssertionError(f"expected a refusal with {status}")
