"""The JSON of an answer: megabytes of a pod's light are read three times as fast as by `json`."""

import json
from typing import Any

import orjson


def value_of(text: bytes) -> Any:
    """The value; what strict JSON does not have (NaN of a daemon in Python) is read as well."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)
