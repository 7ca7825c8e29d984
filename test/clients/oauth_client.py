"""A program with requests-oauthlib or Authlib, as its first argument says: reads one JSON request a line, answers each in one."""

import json
import os
import sys

from requests.auth import HTTPBasicAuth

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

SCOPE = ["nop2/read", "nop2/write"]


class RequestsOauthlib:
    """It has no words for introspection and revocation: both are forms, sent by its own session."""

    def __init__(self, auth_url, client_id, client_secret):
        from oauthlib.oauth2 import BackendApplicationClient
        from requests_oauthlib import OAuth2Session

        self.auth_url = auth_url
        self.auth = HTTPBasicAuth(client_id, client_secret)
        self.session = OAuth2Session(client=BackendApplicationClient(client_id=client_id, scope=SCOPE))

    def fetch(self):
        return self.session.fetch_token(f"{self.auth_url}/oauth2/token", auth=self.auth)["access_token"]

    def use(self, token, url):
        self.session.token = {"access_token": token, "token_type": "Bearer"}
        return self.session.get(url).status_code

    def introspect(self, token):
        return self.form("introspect", token).json()["active"]

    def revoke(self, token):
        self.form("revoke", token)

    def form(self, endpoint, token):
        url = f"{self.auth_url}/oauth2/{endpoint}"
        answer = self.session.post(url, data={"token": token}, auth=self.auth, withhold_token=True)
        answer.raise_for_status()
        return answer


class Authlib:
    def __init__(self, auth_url, client_id, client_secret):
        from authlib.integrations.requests_client import OAuth2Session

        self.auth_url = auth_url
        self.session = OAuth2Session(client_id, client_secret, scope=" ".join(SCOPE))

    def fetch(self):
        url = f"{self.auth_url}/oauth2/token"
        return self.session.fetch_token(url, grant_type="client_credentials")["access_token"]

    def use(self, token, url):
        self.session.token = {"access_token": token, "token_type": "Bearer"}
        return self.session.get(url).status_code

    def introspect(self, token):
        answer = self.session.introspect_token(f"{self.auth_url}/oauth2/introspect", token=token)
        answer.raise_for_status()
        return answer.json()["active"]

    def revoke(self, token):
        self.session.revoke_token(f"{self.auth_url}/oauth2/revoke", token=token).raise_for_status()


LIBRARIES = {"requests-oauthlib": RequestsOauthlib, "Authlib": Authlib}


def answer_to(asked):
    client = LIBRARIES[sys.argv[1]](asked["authUrl"], asked["clientId"], asked["clientSecret"])
    step, token = asked["step"], asked.get("token")
    if step == "fetch":
        return client.fetch()
    if step == "use":
        return client.use(token, asked["url"])
    return getattr(client, step)(token)


for line in sys.stdin:
    try:
        answer = {"value": answer_to(json.loads(line))}
    except Exception as fault:
        answer = {"fault": f"{type(fault).__name__}: {fault}"}
    print(json.dumps(answer), flush=True)
