"""
A receiver of webhooks for Python 3.9 or later, without any package:

    SIGNATURES=<your value> SOURCE=svc.staging.online-payments HOST=127.0.0.1 PORT=9000 python3 receiver.py

It verifies a message, stores it in SQLite (DATABASE, by default receiver.db) in one transaction with its id, then answers.
During a rotation SIGNATURES has both values, separated by a space. SHOW_STATE=1 shows what is stored at /state/<uuid>, to
anybody: set it only to try the receiver with `transactions-partner attack --state`. TLS is for the server before it.
"""
import hashlib, hmac, json, os, re, socket, sqlite3, threading, time
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LARGEST = 100_000  # Bytes of a body; a message has at most 59,000.
SECONDS = 2  # For a request to arrive, and for the database: the service waits 5 s for the answer.
SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, at REAL);
CREATE TABLE IF NOT EXISTS elements (uuid TEXT, name TEXT, version INTEGER, value TEXT, PRIMARY KEY (uuid, name));
CREATE TABLE IF NOT EXISTS to_read (uuid TEXT PRIMARY KEY);
"""
KEEP = """INSERT INTO elements VALUES (?, ?, ?, ?) ON CONFLICT (uuid, name) DO UPDATE
SET version = excluded.version, value = excluded.value WHERE excluded.version > version"""


def work(message):
    """Yours: slow work, after the answer. It is not repeated: what must not be lost, `store` puts into a table of yours."""
    print(message["detail-type"], message["detail"].get("uuid", message["id"]), flush=True)


def database():
    db = sqlite3.connect(os.environ.get("DATABASE", "receiver.db"), timeout=SECONDS, isolation_level=None)
    return closing(db)


def is_ours(presented):
    """Compares with each of your values in constant time. No message brings a value."""
    guess = hashlib.sha256(presented.encode()).digest()
    accepted = [hashlib.sha256(one.encode()).digest() for one in os.environ["SIGNATURES"].split()]
    return any([hmac.compare_digest(guess, one) for one in accepted])


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
        is_new = db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (message["id"], time.time())).rowcount == 1
        if is_new and message["detail-type"] == "TransactionUpdated":  # TransactionCompleted is outside the order.
            first, last = int(header("X-Transaction-From-Version")), int(header("X-Transaction-Version"))
            apply(db, message["detail"], first, last, header("X-Transaction-Omitted"))
    return is_new


class Refused(Exception):
    """A request that is answered with this status."""

    def __init__(self, status):
        self.status = status


def refuse_unless(condition, status):
    if not condition:
        raise Refused(status)


def exactly(rfile, size):
    part = rfile.read(size)
    refuse_unless(len(part) == size, 408)  # The sender, or its time, ended before.
    return part


def line(rfile):
    text = rfile.readline(1_000)
    refuse_unless(text, 408)
    refuse_unless(text.endswith(b"\r\n"), 400)
    return text


def body_of(rfile, headers):
    """A body of a known length, or in chunks, which http.server does not read (RFC 9112, 6.3 and 7.1)."""
    coding, length = (", ".join(headers.get_all(name, [])) for name in ("Transfer-Encoding", "Content-Length"))
    if not coding:
        refuse_unless(re.fullmatch("[0-9]{0,15}", length), 400)
        size = int(length or 0)
        refuse_unless(size <= LARGEST, 413)
        return exactly(rfile, size)
    refuse_unless(coding.lower() == "chunked" and not length, 400)
    body = bytearray()
    while True:
        head = re.fullmatch(rb"([0-9A-Fa-f]{1,15})[ \t]*(;[^\r\n]*)?\r\n", line(rfile))  # An extension is ignored.
        refuse_unless(head, 400)
        size = int(head[1], 16)
        if size == 0:
            break
        refuse_unless(len(body) + size <= LARGEST, 413)
        body += exactly(rfile, size)
        refuse_unless(exactly(rfile, 2) == b"\r\n", 400)
    while line(rfile) != b"\r\n":  # A trailer is ignored as well.
        pass
    return bytes(body)


def read(body):
    """The message, where it is one."""
    message = json.loads(body)
    texts = [message["id"], message["detail-type"], message["source"]]
    if message["detail-type"] == "TransactionUpdated":
        texts.append(message["detail"]["uuid"])
    if not isinstance(message["detail"], dict) or not all(isinstance(text, str) and text for text in texts):
        raise ValueError("Not a message.")
    return message


def receive(rfile, headers):
    """The status to answer, and the message where it is new. The signature comes first."""
    header = lambda name: headers.get(name, "")
    refuse_unless(is_ours(header("X-Webhook-Signature")), 401)
    body = body_of(rfile, headers)
    try:
        message = read(body)
    except (ValueError, TypeError, LookupError, RecursionError):
        return 400, None
    refuse_unless(message["source"] == os.environ["SOURCE"], 400)
    with database() as db:
        return 204, message if store(db, message, header) else None


class Handler(BaseHTTPRequestHandler):
    timeout = SECONDS  # For each part of a request …

    def setup(self):
        super().setup()
        self.deadline = threading.Timer(SECONDS, self.stop_reading)  # … and for all of them.
        self.deadline.daemon = True
        self.deadline.start()

    def finish(self):
        self.deadline.cancel()
        super().finish()

    def stop_reading(self):
        with suppress(OSError):  # It has ended already.
            self.connection.shutdown(socket.SHUT_RD)

    def do_POST(self):
        status, new = 500, None  # Where anything fails, nothing is stored, and the service sends it again.
        try:
            status, new = receive(self.rfile, self.headers)
        except Refused as refused:
            status = refused.status
        except OSError:  # The body did not come, or not in time.
            status = 408
        finally:
            self.answer(status)
        if new is not None:
            work(new)
        elif status >= 400:
            self.drain()

    def drain(self):
        """Reads what still comes, until SECONDS are over: closing before would take the answer from its sender."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            while self.rfile.read1(65_536):
                pass

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
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "9000")))
    server = ThreadingHTTPServer(address, Handler)
    print(f"Listening on {address[0]}:{server.server_port}", flush=True)
    server.serve_forever()
