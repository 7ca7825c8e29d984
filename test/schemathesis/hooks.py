"""
What a generator cannot know of the service: what there is, whose it is, and how often it may be asked. A request that is wrong on
purpose is sent as it is, for a change could make it right.
"""

import base64
import json
import pathlib
import random
import re
import uuid

import requests
import schemathesis

GIVEN = json.loads(pathlib.Path(__file__).with_name("given.json").read_text())
chosen = random.Random(GIVEN["seed"])
current = {"token": GIVEN["token"], "client": GIVEN["client"], "limited": 0}
former = set()


@schemathesis.hook
def before_call(ctx, case, kwargs):
    key = (case.headers or {}).get("Idempotency-Key")
    # A key that was used with another body is refused (WR-1), so each request with a key that counts has its own.
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if isinstance(case.body, dict) and case.body.get("client_id") == GIVEN["client"][0]:
        del case.body["client_id"]  # It has learnt it of an answer, and would authenticate where it is to do without.
    if is_sound(case):
        make_sound(case)
    if case.method != "GET" and re.match("/api/v2/(webhook|event)|/oauth2/secret", case.path):
        wait_for_limits()
    if case.path.endswith(("/replay", "/test")):
        switch_webhook_on()
    if re.match("/api/(transaction|session)", case.path):
        case.headers["Origin"] = GIVEN["origin"]
    elif case.headers:
        case.headers.pop("Origin", None)  # The local stage takes a request with a foreign one for a web page's.
    use_current_credentials(case)


@schemathesis.hook
def after_call(ctx, case, response):
    is_replayed = "idempotency-replayed" in {name.lower() for name in response.headers}  # It may show a secret that has ended.
    if case.path == "/oauth2/secret" and response.status_code == 201 and not is_replayed:
        current["client"] = [current["client"][0], response.json()["client_secret"]]
        renew_token()  # A token ends with its secret, and two secrets work at most.


def is_sound(case):
    if case.meta is None:
        return False
    # An unknown header or parameter is let pass, so where there is one, nothing else is wrong.
    is_with_unknown = [part and "x-schemathesis-unknown-property" in part for part in (case.headers, case.query)]
    return case.meta.generation.mode.is_positive or any(is_with_unknown)


def make_sound(case):
    """What it names is there, and the caller's own."""
    of_partner = case.path.startswith("/api/v2/")
    own = GIVEN["partners"] if of_partner else GIVEN["sessions"]
    body = of_body(keepable(case.body), own, GIVEN["place"])
    if body is not case.body:  # One that is absent would be judged anew, and be taken for a wrong one.
        case.body = body
    for name, values in {"uuid": own, "page": GIVEN["pages"]}.items():
        if name in (case.path_parameters or {}):
            case.path_parameters[name] = chosen.choice(values)
    query = case.query or {}
    if "uuid" in query:  # A filter beside a uuid is refused (FLT-4).
        query["uuid"] = chosen.choice(own)
        case.query = {name: value for name, value in query.items() if not name.startswith("filter")}
    if "/event" in case.path:  # A link brings the cursor; nobody makes one up.
        query.pop("after", None)
    for name in ("location", "franchise"):
        if name in query:
            query[name] = GIVEN["place"][name]
    if "If-Match" in (case.headers or {}):
        case.headers["If-Match"] = "*"
    if case.operation.label == "POST /api/transaction":  # A session makes twenty: each begins one.
        (case.headers or {}).pop("Authorization", None)


def of_body(body, own, place):
    if not isinstance(body, dict):
        return body
    body.pop("after", None)
    body.pop("isDeleted", None)  # What is deleted is not found by what comes later.
    for name in ("client_id", "client_secret"):  # They stand in Authorization: Basic.
        body.pop(name, None)
    if "subject_token" in body:
        answer = requests.post(f"{GIVEN['issuer']}/token", data={"username": "ada"}, timeout=20)
        body["subject_token"] = answer.json()["id_token"]
        for name in ("actor_token", "actor_token_type"):  # An anonymous session ends with its first sign-in.
            body.pop(name, None)
    if "url" in body:
        body["url"] = GIVEN["webhookUrl"]
    if "transaction" in body:
        body["transaction"] = chosen.choice(own)
    if "location" in body or "franchise" in body:
        body.update(place)
    return body


def switch_webhook_on():
    """Whatever requests before have made of it."""
    url, headers = f"{GIVEN['baseUrl']}/api/v2/webhook", {"Authorization": f"Bearer {current['token']}"}
    webhook = requests.get(url, headers=headers, timeout=20).json()
    if webhook["url"] != GIVEN["webhookUrl"]:
        wait_for_limits()
        requests.put(url, json={"url": GIVEN["webhookUrl"]}, headers=headers, timeout=20)
    if webhook["pausedBy"] is not None:
        wait_for_limits()
        requests.patch(url, json={"paused": False}, headers=headers, timeout=20)


def wait_for_limits():
    """Moves the clock of the stage over a window before its limit is reached, and takes a token for that time."""
    current["limited"] += 1
    if current["limited"] % 6 == 0:
        act = {"do": "clock", "seconds": 3600}
        requests.post(f"{GIVEN['baseUrl']}/stage.json", json=act, timeout=20).raise_for_status()
        renew_token()


def renew_token():
    form = {"grant_type": "client_credentials"}
    answer = requests.post(f"{GIVEN['authUrl']}/oauth2/token", data=form, auth=tuple(current["client"]), timeout=20)
    current["token"] = answer.json()["access_token"]


def use_current_credentials(case):
    """A request may be made of an earlier one, with what was current then; a sound one may have been given any text."""
    sent = (case.headers or {}).get("Authorization")
    now = {"Bearer": f"Bearer {current['token']}", "Basic": basic(current["client"])}
    former.update(now.values())
    if sent in former:
        case.headers["Authorization"] = now[sent.split(" ")[0]]
    elif sent is not None and is_sound(case):
        is_of_session = re.match("/api/(transaction|session)", case.path)
        own_token = f"Bearer {GIVEN['session']}" if is_of_session else now["Bearer"]
        case.headers["Authorization"] = now["Basic"] if case.path.startswith("/oauth2/") else own_token
        case._has_explicit_auth = True  # Otherwise `ignored_auth` takes the credentials for invented ones.


def basic(client):
    return "Basic " + base64.b64encode(":".join(client).encode()).decode()


def page_in(value):
    """The pattern admits more than there are addresses."""
    return "https://shop.example/car" if isinstance(value, str) and value.lower().startswith("http") else value


def keepable(value):
    """JSON Schema knows no bound for numbers and texts of open elements: what cannot be kept exactly is 422 (WR-4)."""
    if isinstance(value, dict):
        return {keepable(name): page_in(keepable(member)) if name == "referrerUrl" else keepable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [keepable(member) for member in value]
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return value if abs(value) <= 2**53 - 1 else 0
    return value.replace("\0", "") if isinstance(value, str) else value
