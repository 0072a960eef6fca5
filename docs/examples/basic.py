#!/usr/bin/env python3
"""The Basic level of the backend contract, by hand: one file, Python 3.9 and its standard library.

    npx pay-checkout sandbox --port 4010 --webhook http://127.0.0.1:8000/checkout/webhooks

    export SERVICE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox-api-key WEBHOOK_SECRET=sandbox-webhook-secret
    export SHOP_ORIGIN=http://127.0.0.1:8000 ORDER_SECRET=$(openssl rand -hex 32)
    python3 basic.py

    npx pay-checkout verify http://127.0.0.1:8000/checkout --level basic --order "$(python3 basic.py token A-1001)"

Every minute a schedule runs `python3 basic.py reconcile`: it finds payments whose event was lost and whose payer is gone.
"""
import contextlib, hashlib, hmac, json, os, re, secrets, sqlite3, sys, time, urllib.error, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAMES = ("SERVICE_URL", "SERVICE_API_KEY", "WEBHOOK_SECRET", "SHOP_ORIGIN", "ORDER_SECRET")
missing = [name for name in NAMES if len(os.environ.get(name, "")) < (32 if name == "ORDER_SECRET" else 1)]
if missing:
    sys.exit(f"Set {', '.join(missing)} in the environment (ORDER_SECRET: 32 characters or more).")
SERVICE_URL, SERVICE_API_KEY, WEBHOOK_SECRET, SHOP_ORIGIN, ORDER_SECRET = (os.environ[name] for name in NAMES)
CUSTOMER = ("name", "idType", "idNumber", "phone", "email")
SHOWN = ("status", "rail", "currency", "reference", "errorCode", "createdAt", "updatedAt", "resultAt", "sourceData")


# --- Your shop. Replace these three. ---------------------------------------------------------------------------------
def find_order(order_id):
    """The price, in cents. It is decided here and nowhere else."""
    return 4290000 if re.fullmatch(r"A-\d+", order_id) else None


def ship(order_id):
    """Paid in full. It is called again when it raised, or when the process died in it: make a repetition harmless."""
    print(f"{order_id} is paid: ship it", file=sys.stderr, flush=True)


def ask_a_person(order_id, why):
    print(f"{order_id} needs a person: {why}", file=sys.stderr, flush=True)


# --- Payins -----------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def transaction():
    """One writer at a time: the others wait for it."""
    db = sqlite3.connect(os.environ.get("DATABASE", "checkout.db"), timeout=30, isolation_level=None)
    db.row_factory = sqlite3.Row
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE IF NOT EXISTS payins (id TEXT PRIMARY KEY, key TEXT UNIQUE, wish TEXT, order_id TEXT,"
                   " amount INTEGER, service_id TEXT, payin TEXT, created REAL, read REAL, notice TEXT, claimed REAL DEFAULT 0)")
        yield db
        db.execute("COMMIT")
    finally:
        db.close()


def row_of(payin_id):
    with transaction() as db:
        return db.execute("SELECT * FROM payins WHERE id = ?", (payin_id,)).fetchone() or refuse(404, "not_found")


def create(body, key):
    wish, order_id, amount, details = read_wish(body)
    with transaction() as db:  # 1. stored before the service is called: the same key never makes a second payin
        row = db.execute("SELECT * FROM payins WHERE key = ?", (key,)).fetchone()
        if row is None:
            payin_id = secrets.token_hex(16)
            first = {"reference": payin_id, "status": "PROCESSING", "rail": details["rail"], "currency": "COP",
                     "createdAt": timestamp(), "updatedAt": timestamp(), "sourceData": None}
            db.execute("INSERT INTO payins (id, key, wish, order_id, amount, payin, created, read) VALUES (?,?,?,?,?,?,?,?)",
                       (payin_id, key, wish, order_id, amount, json.dumps(first), time.time(), time.time()))
    if row is not None:
        return refuse(422, "idempotency_mismatch") if row["wish"] != wish else (200 if row["service_id"] else 202, view(row))
    status, payin = service("POST", "/payins", {**details, "amountInCents": amount, "currency": "COP", "reference": payin_id})
    if 400 <= status < 500:  # 2. a refusal is clear; anything else that is no payin is looked up later, by our reference
        close(payin_id, "DECLINED")
        refuse(422, "service_refused")
    learn(payin_id, payin)
    row = row_of(payin_id)
    return 201 if row["service_id"] else 202, view(row)


def refresh(payin_id, at_once=False):
    """Reads the payin from the service, which is what proves a payment; one reader at a time, every two seconds."""
    row = row_of(payin_id)
    if json.loads(row["payin"])["status"] != "CONFIRMED":
        with transaction() as db:
            asked = db.execute("UPDATE payins SET read = ? WHERE id = ? AND read < ?",
                               (time.time(), payin_id, time.time() - (0 if at_once else 2))).rowcount
        if asked and row["service_id"]:
            learn(payin_id, service("GET", f"/payins/{urllib.parse.quote(row['service_id'])}")[1])
        elif asked:  # the answer to its creation was lost
            status, page = service("GET", "/payins?limit=100")
            found = [each for each in (page or {}).get("data", []) if each.get("reference") == payin_id]
            learn(payin_id, found[0] if found else None)
            if status == 200 and not found and time.time() - row["created"] > 60:
                close(payin_id, "CANCELED")  # never made: nobody saw a key of it
    tell_the_shop(payin_id)
    return row_of(payin_id)


def learn(payin_id, payin):
    """Keeps what the service says, if it is about what we asked for. What is to be done is decided with it, once."""
    with transaction() as db:
        row = db.execute("SELECT * FROM payins WHERE id = ?", (payin_id,)).fetchone()
        before = json.loads(row["payin"])
        asked = payin and in_cents(payin, "amount", row["amount"])
        if not payin or (payin["reference"], payin["currency"], asked) != (payin_id, "COP", row["amount"]):
            return
        kept = {**before, **{name: payin[name] for name in SHOWN if payin.get(name) is not None}}
        if before["status"] == "CONFIRMED":
            kept["status"] = "CONFIRMED"  # a payment is never taken back
        elif kept["status"] == "CONFIRMED":  # a status that nobody knows is not this one
            confirmed = kept["confirmedAmountInCents"] = in_cents(payin, "confirmedAmount", row["amount"])
            others = db.execute("SELECT 1 FROM payins WHERE order_id = ? AND notice IS NOT NULL", (row["order_id"],)).fetchone()
            notice = "a second payment" if others else "ship" if confirmed == find_order(row["order_id"]) else f"{confirmed} cents"
            db.execute("UPDATE payins SET notice = ? WHERE id = ?", (notice, payin_id))
        db.execute("UPDATE payins SET payin = ?, service_id = ? WHERE id = ?", (json.dumps(kept), payin["id"], payin_id))


def close(payin_id, status):
    with transaction() as db:
        db.execute("UPDATE payins SET payin = json_set(payin, '$.status', ?) WHERE id = ? AND service_id IS NULL", (status, payin_id))


def tell_the_shop(payin_id):
    """Claims the notice first: of all polls and events at once, one ships. A claim of a process that died lapses."""
    with transaction() as db:
        claimed = db.execute("UPDATE payins SET claimed = ? WHERE id = ? AND notice IS NOT NULL AND claimed < ?",
                             (time.time(), payin_id, time.time() - 60)).rowcount
    if not claimed:
        return
    row, done = row_of(payin_id), 0
    try:
        ship(row["order_id"]) if row["notice"] == "ship" else ask_a_person(row["order_id"], row["notice"])
        done = sys.float_info.max  # never claimed again
    finally:
        with transaction() as db:
            db.execute("UPDATE payins SET claimed = ? WHERE id = ?", (done, payin_id))


def in_cents(payin, name, asked):
    """Some answers lack the field in cents; `amount` may be pesos or cents."""
    cents, amount = payin.get(f"{name}InCents"), payin.get(name)
    return cents if cents is not None or amount is None else asked if amount == asked else round(amount * 100)


def view(row):
    """A list of what is shown, so that nothing of the payer or of the account reaches a browser."""
    return {**json.loads(row["payin"]), "id": row["id"], "amountInCents": row["amount"]}


def read_wish(body):
    rail, callback = body.get("rail"), body.get("callbackUrl")
    detail = (body.get("pse" if rail == "PSE" else "breb") or {}).get("bank" if rail == "PSE" else "keyType")
    if rail not in ("BRE_B", "PSE") or not all(isinstance(each, str) for each in (body.get("order"), detail, callback)):
        refuse(400, "invalid_request")
    order_id = body["order"].rpartition(".")[0]
    amount = find_order(order_id) if hmac.compare_digest(token(order_id).encode(), body["order"].encode()) else None
    if amount is None:
        refuse(404, "not_found")
    if urllib.parse.urlsplit(callback)[:2] != urllib.parse.urlsplit(SHOP_ORIGIN)[:2] or "\\" in callback:
        refuse(400, "return_url_not_allowed")
    details = {"rail": rail, "callbackUrl": callback}
    if rail == "BRE_B":
        details["breb"] = {"keyType": detail}
    else:
        person, customer = body["pse"].get("personType"), body.get("inlineCustomer") or {}
        if person not in ("INDIVIDUAL", "BUSINESS") or not all(isinstance(customer.get(name), str) for name in CUSTOMER):
            refuse(400, "invalid_request")
        details.update(pse={"bank": detail, "personType": person}, inlineCustomer={name: customer[name] for name in CUSTOMER})
    return json.dumps([order_id, rail, detail]), order_id, amount, details


# --- HTTP -------------------------------------------------------------------------------------------------------------
class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # it would carry the API key to another address


def service(method, path, body=None):
    """(status, payin); no payin when there was no clear answer."""
    request = urllib.request.Request(SERVICE_URL + path, None if body is None else json.dumps(body).encode(), method=method,
                                     headers={"x-api-key": SERVICE_API_KEY, "content-type": "application/json"})
    try:
        with urllib.request.build_opener(NoRedirects).open(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, None
    except (OSError, ValueError):
        return 0, None


class Problem(Exception):
    pass


def refuse(status, code):
    raise Problem(status, code)


def token(order_id):
    return f"{order_id}.{hmac.new(ORDER_SECRET.encode(), order_id.encode(), hashlib.sha256).hexdigest()[:32]}"


def timestamp():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def route(self):
        length = int(self.headers.get("content-length") or 0)
        text = self.rfile.read(min(length, 65536))
        path = urllib.parse.urlsplit(self.path).path
        found = re.fullmatch(r"/checkout/payins/([0-9a-f]{32})", path)
        if self.command == "GET" and found:
            return 200, view(refresh(found[1]))
        if self.command == "POST" and path == "/checkout/payins":
            if self.headers.get("origin", SHOP_ORIGIN) != SHOP_ORIGIN:
                refuse(403, "origin_not_allowed")
            if not self.headers.get("content-type", "").lower().startswith("application/json"):
                refuse(415, "unsupported_media_type")
            key = self.headers.get("idempotency-key", "")
            if not re.fullmatch(r"[\w-]{16,128}", key):
                refuse(400, "idempotency_key_missing")
            return create(self.json(text, "invalid_request"), key)
        if self.command == "POST" and path == "/checkout/webhooks":
            if not hmac.compare_digest(self.headers.get("x-webhook-secret", "").encode(), WEBHOOK_SECRET.encode()):
                refuse(401, "webhook_unauthorized")
            data = self.json(text, "webhook_unreadable").get("data")  # a hint: it only makes us read the payin
            reference = data.get("reference") if isinstance(data, dict) else None
            with contextlib.suppress(Problem):
                refresh(str(reference), at_once=True)
            return 200, {"received": True}
        return refuse(404, "not_found") if "/payins" in path else (404, None)  # no offers at this level

    def json(self, text, code):
        with contextlib.suppress(ValueError):
            body = json.loads(text)
            if isinstance(body, dict):
                return body
        return refuse(400, code)

    def answer(self):
        content = "application/json"
        try:
            status, body = self.route()
        except Problem as problem:
            status, content = problem.args[0], "application/problem+json"
            body = {"title": problem.args[1].replace("_", " "), "status": status, "code": problem.args[1]}
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in (("content-type", content), ("cache-control", "no-store"), ("content-length", str(len(text)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


def reconcile():
    with transaction() as db:
        rows = db.execute("SELECT id FROM payins WHERE created > ?", (time.time() - 30 * 86400,)).fetchall()
    for row in rows:
        refresh(row["id"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["token"]:
        print(token(sys.argv[2]), end="")
    elif sys.argv[1:2] == ["reconcile"]:
        reconcile()
    else:
        server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Handler)
        print(f"Checkout on http://127.0.0.1:{server.server_port}", flush=True)
        server.serve_forever()
