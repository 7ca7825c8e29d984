"""
A receiver of webhooks for Python 3.9 or later, without any package:

    SIGNATURES=<your value> SOURCE=svc.staging.online-payments PORT=9000 python3 receiver.py

It verifies a message, stores it in SQLite (DATABASE, by default receiver.db) in one transaction with its id, then answers.
During a rotation SIGNATURES has both values, separated by a space. SHOW_STATE=1 shows what is stored at /state/<uuid>, to
anybody: set it only to try the receiver with `transactions-partner attack --state`. TLS is for the server before it.
"""
import hashlib, hmac, json, os, sqlite3, time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LARGEST = 100_000  # Bytes of a body; a message has at most 59,000.
SECONDS = 2  # For a body, and for the database: the service waits 5 s for the answer.
SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, at REAL);
CREATE TABLE IF NOT EXISTS elements (uuid TEXT, name TEXT, version INTEGER, value TEXT, PRIMARY KEY (uuid, name));
CREATE TABLE IF NOT EXISTS to_read (uuid TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS learnt (value TEXT PRIMARY KEY, at REAL);
"""
KEEP = """INSERT INTO elements VALUES (?, ?, ?, ?) ON CONFLICT (uuid, name) DO UPDATE
SET version = excluded.version, value = excluded.value WHERE excluded.version > version"""


def work(message):
    """Yours: slow work, after the answer. It is not repeated: what must not be lost, `store` puts into a table of yours."""
    print(message["detail-type"], message["detail"].get("uuid", message["id"]), flush=True)


def database():
    db = sqlite3.connect(os.environ.get("DATABASE", "receiver.db"), timeout=SECONDS, isolation_level=None)
    return closing(db)


def is_ours(db, presented):
    """Compares with each accepted value in constant time: yours, and those that verified messages announced."""
    accepted = os.environ["SIGNATURES"].split() + [value for (value,) in db.execute("SELECT value FROM learnt")]
    guess = hashlib.sha256(presented.encode()).digest()
    return any([hmac.compare_digest(guess, hashlib.sha256(one.encode()).digest()) for one in accepted])


def learn(db, announced):
    """The next value, from a verified message. The latest four are kept beside yours, whatever is announced."""
    if announced:
        db.execute("INSERT OR IGNORE INTO learnt VALUES (?, ?)", (announced, time.time()))
    db.execute("DELETE FROM learnt WHERE value NOT IN (SELECT value FROM learnt ORDER BY at DESC LIMIT 4)")


def apply(db, detail, first, last, omitted):
    """Takes what is newer than what is stored, whatever order messages come in. `*` has the version of a deletion."""
    uuid = detail["uuid"]
    versions = dict(db.execute("SELECT name, version FROM elements WHERE uuid = ?", (uuid,)))
    newest = max([0, *versions.values()])
    if detail.get("isDeleted") == 1:
        if last > newest:
            db.execute("DELETE FROM elements WHERE uuid = ?", (uuid,))
            db.execute(KEEP, (uuid, "*", last, None))
        return
    if last > versions.get("*", 0):
        db.executemany(KEEP, [(uuid, name, last, json.dumps(value)) for name, value in detail.items()])
    if first > newest or omitted:  # Something is missing: GET /api/v2/transaction/{uuid}, then delete the row.
        db.execute("INSERT OR IGNORE INTO to_read VALUES (?)", (uuid,))


def store(db, message, header):
    """One transaction for the id and what the message brings; of a copy nothing is stored. Says whether it is new."""
    db.execute("BEGIN IMMEDIATE")
    with db:  # Commits, or undoes all of it.
        learn(db, header("X-Webhook-Signature-Next"))
        is_new = db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (message["id"], time.time())).rowcount == 1
        if is_new and message["detail-type"] == "TransactionUpdated":  # TransactionCompleted is outside the order.
            first, last = int(header("X-Transaction-From-Version")), int(header("X-Transaction-Version"))
            apply(db, message["detail"], first, last, header("X-Transaction-Omitted"))
    return is_new


def read(body):
    """The message, where it is one."""
    message = json.loads(body)
    texts = [message["id"], message["detail-type"], message["source"]]
    if message["detail-type"] == "TransactionUpdated":
        texts.append(message["detail"]["uuid"])
    if not isinstance(message["detail"], dict) or not all(isinstance(text, str) and text for text in texts):
        raise ValueError("Not a message.")
    return message


def receive(db, body, header):
    """The status to answer, and the message where it is new."""
    if not is_ours(db, header("X-Webhook-Signature")):
        return 401, None
    if len(body) > LARGEST:
        return 413, None
    try:
        message = read(body)
    except (ValueError, TypeError, LookupError, RecursionError):
        return 400, None
    if message["source"] != os.environ["SOURCE"]:
        return 400, None
    return 204, message if store(db, message, header) else None


class Handler(BaseHTTPRequestHandler):
    timeout = SECONDS

    def do_POST(self):
        status, new = 500, None  # Where anything fails, nothing is stored, and the service sends it again.
        try:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(max(0, min(length, LARGEST + 1)))
            with database() as db:
                status, new = receive(db, body, lambda name: self.headers.get(name, ""))
        except OSError:  # The body did not come, or not in time.
            status = 408
        finally:
            self.answer(status)
        if new is not None:
            work(new)

    def do_GET(self):
        if "SHOW_STATE" not in os.environ or not self.path.startswith("/state/"):
            return self.answer(405)
        with database() as db:
            rows = db.execute("SELECT name, value FROM elements WHERE uuid = ?", (self.path[len("/state/") :],))
            self.answer(200, json.dumps({name: json.loads(value) for name, value in rows if value}).encode())

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


if __name__ == "__main__":
    with database() as made:
        made.executescript(SCHEMA)
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "9000"))), Handler)
    print(f"Listening on port {server.server_port}", flush=True)
    server.serve_forever()
