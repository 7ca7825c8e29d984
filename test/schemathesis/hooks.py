"""What a generator cannot know of the service."""

import uuid

import schemathesis


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """
    A key that was used with another body is refused (WR-1), so each request with a key that counts has its own. JSON
    Schema knows no bound for the numbers and texts of open elements: what cannot be kept exactly is 422 (WR-4). A body
    that is wrong on purpose is sent as it is, for a change could make it right. A filter beside a uuid is refused (FLT-4).
    """
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and 1 <= len(key) <= 255 and all("!" <= letter <= "~" for letter in key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.body = keepable(case.body)
        if "uuid" in (case.query or {}):
            case.query = {name: value for name, value in case.query.items() if not name.startswith("filter")}


def page_in(value):
    """The pattern admits more than there are addresses."""
    return "https://shop.example/car" if isinstance(value, str) and value.lower().startswith("http") else value


def keepable(value):
    if isinstance(value, dict):
        return {keepable(name): page_in(keepable(member)) if name == "referrerUrl" else keepable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [keepable(member) for member in value]
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return value if abs(value) <= 2**53 - 1 else 0
    return value.replace("\0", "") if isinstance(value, str) else value
