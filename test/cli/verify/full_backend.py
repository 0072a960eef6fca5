#!/usr/bin/env python3
"""A backend of the Full level in Python, which faults.py breaks for the test of `verify`. Not for a shop: see docs/examples.
"""
import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def setting(name, shortest=1):
    """Secrets have no default: a published one would be everybody's."""
    value = os.environ.get(name, "")
    if len(value) < shortest:
        sys.exit(f"Set {name} in the environment" + (f" ({shortest} characters or more)." if shortest > 1 else "."))
    return value


SERVICE_URL = setting("SERVICE_URL")
SERVICE_API_KEY = setting("SERVICE_API_KEY")
ORDER_SECRET = setting("ORDER_SECRET", 32)
WEBHOOK_SECRET = setting("WEBHOOK_SECRET", 16)
SHOP_ORIGIN = setting("SHOP_ORIGIN")  # where your pages are, for example https://shop.example
DATABASE = os.environ.get("DATABASE", "checkout.db")

MERCHANT = {"name": "Mi tienda", "taxId": "900123456-8", "supportEmail": "ayuda@tienda.example"}
BANKS = [{"code": "CO_BANCOLOMBIA", "name": "Bancolombia"}, {"code": "CO_DAVIVIENDA", "name": "Davivienda"}]
CUSTOMER = ["name", "idType", "idNumber", "phone", "email"]
METHODS = [
    {"rail": "BRE_B", "keyType": "QR_CODE", "requires": []},
    {"rail": "PSE", "banks": BANKS, "requires": CUSTOMER},
]


# --- Your shop ----------------------------------------------------------------------------------------------------


def find_order(order_id):
    """The price is decided here and nowhere else; never by the browser. None: no such order."""
    return {"amountInCents": 4290000, "description": "Café de origen, 500 g"} if re.match(r"A-\d+$", order_id) else None


def ship(order_id, attempt):
    """The order is paid in full. Called again until it returns, so make a repetition harmless."""
    print(f"{order_id} is paid: ship it", flush=True)


def ask_a_person(order_id, attempt, why):
    """Money came that does not fit: another amount, or a second payment. Nothing is shipped for it."""
    print(f"{order_id} needs a person: {why}, {attempt['confirmed']} cents by {attempt['reference']}", flush=True)


# --- What the widget asks -----------------------------------------------------------------------------------------

READ_EVERY_S = 2  # an open payin is read from the service at most this often
RETRY_AFTER_S = 1  # how soon the shop is called again after it failed; then twice as long each time
LOOK_UP_FOR_S = 30  # how long a payin is looked for whose creation got no clear answer
PSE_LOCK_S = 21 * 60  # how long a bank may still take a payment
LIFETIME_S = 15 * 60  # how long a Bre-B key is shown as payable
MAX_ATTEMPTS = 10
FINAL = ("CONFIRMED", "DECLINED", "CANCELED")


def show_offer(token):
    order_id, order = order_of(token)
    attempts = attempts_of(order_id)
    current = paying(attempts) or (attempts[-1] if attempts else None)
    return 200, {**offer(order), "attempt": current and view(current, attempts)}


def offer(order):
    price_and_methods = json.dumps([order["amountInCents"], METHODS]).encode()
    return {
        "version": hashlib.sha256(price_and_methods).hexdigest()[:32],
        "amountInCents": order["amountInCents"],
        "currency": "COP",
        "description": order["description"],
        "merchant": MERCHANT,
        "methods": METHODS,
        "now": iso(),
    }


def create_payin(body, key):
    if not re.match(r"[\w-]{16,128}$", key or ""):
        raise Problem(400, "idempotency_key_missing")
    wish = read_wish(body)
    order_id, order = order_of(body["order"])
    if not is_own(body.get("callbackUrl")):
        raise Problem(400, "return_url_not_allowed")
    if body.get("offerVersion", offer(order)["version"]) != offer(order)["version"]:
        raise Problem(409, "offer_changed", offer={**offer(order), "attempt": None})

    # 1. The intent is stored before the service is called, in one transaction: two clicks never make two payins.
    with changes() as db:
        attempts = attempts_of(order_id, db)
        attempt, is_new = choose_attempt(attempts, body, key, wish, order)
        if is_new:
            attempt["order_id"], attempt["token"] = order_id, body["order"]
            save(db, attempt)
    if not is_new:
        return 200 if attempt["service_id"] else 202, view(attempt, attempts_of(order_id))

    # 2. The service is asked, for our price and under our reference, which carries our id.
    request = {
        "amountInCents": attempt["amount"],
        "currency": "COP",
        "rail": attempt["rail"],
        "reference": attempt["reference"],
        "callbackUrl": with_return_id(body["callbackUrl"], attempt["id"]),
        **wish["details"],
    }
    status, payin = call_service("POST", "/payins", request)
    if 400 <= status < 500:
        record(attempt["id"], {"status": "DECLINED", "errorCode": (payin or {}).get("code") or "refused"})
        attempts = attempts_of(order_id)
        raise Problem(422, "service_refused", attempt=view(attempt_of(attempts, attempt["id"]), attempts))

    # 3. Its answer is stored. An unclear one is looked up by our reference when somebody asks again.
    record(attempt["id"], payin if status in (200, 201) else None)
    attempts = attempts_of(order_id)
    attempt = attempt_of(attempts, attempt["id"])
    return 201 if attempt["source"] else 202, view(attempt, attempts)


def choose_attempt(attempts, body, key, wish, order):
    """The attempt this request is about, and whether it is a new one."""
    for known in attempts:
        if known["key"] == key:
            if known["fingerprint"] != wish["fingerprint"]:
                raise Problem(422, "idempotency_mismatch")
            return known, False
    current = attempts[-1] if attempts else None
    if paying(attempts):
        raise Problem(409, "already_paid", attempt=view(paying(attempts), attempts))
    if body.get("replaces") and body["replaces"] != (current or {}).get("id"):
        raise Problem(409, "not_current", **({"attempt": view(current, attempts)} if current else {}))
    if current and is_open(current) and not has_lapsed(current) and not body.get("replaces"):
        return current, False
    if current and is_locked(current) and not body.get("override"):
        until = iso(current["created"] + PSE_LOCK_S)
        raise Problem(409, "pse_in_progress", attempt=view(current, attempts), retryAt=until)
    if len(attempts) >= MAX_ATTEMPTS:
        raise Problem(429, "too_many_attempts")
    attempt_id = secrets.token_urlsafe(24)
    return {
        "id": attempt_id,
        "key": key,
        "fingerprint": wish["fingerprint"],
        "reference": f"pc-{attempt_id}",
        "rail": wish["rail"],
        "amount": order["amountInCents"],
        "description": order["description"],
        "status": "PROCESSING",
        "created": time.time(),
        "updated": time.time(),
        "read": 0,
    }, True


def show_payin(attempt_id, after, wait_s):
    """The payin now, or as soon as its version differs from `after`, at the latest after `wait_s` seconds."""
    until = time.monotonic() + min(wait_s, 25)
    while True:
        attempt = refresh(attempt_id)
        if attempt is None:
            raise Problem(404, "not_found")
        shown = view(attempt, attempts_of(attempt["order_id"]))
        left = until - time.monotonic()
        if shown["version"] != after or left <= 0:
            return 200, {**shown, "waited": after is not None and wait_s > 0}
        with changed:
            changed.wait(min(left, READ_EVERY_S))


def receive_event(body, secret):
    """The service signs nothing, so an event is a hint: it only makes us read the payin."""
    if not hmac.compare_digest(WEBHOOK_SECRET.encode(), (secret or "").encode()):
        raise Problem(401, "webhook_unauthorized")
    event = parse(body, "webhook_unreadable")
    data = event.get("data") if isinstance(event.get("data"), dict) else {}
    attempt = one("SELECT * FROM attempts WHERE reference = ?", str(data.get("reference")))
    if attempt:
        refresh(attempt["id"], at_once=True)
    return 200, {"received": True}


# --- What is known of an order ------------------------------------------------------------------------------------


def refresh(attempt_id, at_once=False):
    """Reads the payin from the service unless that was done a moment ago. A read is what proves a payment."""
    attempt = one("SELECT * FROM attempts WHERE id = ?", attempt_id)
    if attempt is None or attempt["status"] == "CONFIRMED" or not (is_open(attempt) or at_once):
        return attempt
    if not at_once and time.time() - attempt["read"] < READ_EVERY_S:
        return attempt
    if attempt["service_id"]:
        status, payin = call_service("GET", "/payins/" + urllib.parse.quote(attempt["service_id"], safe=""))
        record(attempt_id, payin if status == 200 else None)
    else:
        record(attempt_id, look_up(attempt))
    return one("SELECT * FROM attempts WHERE id = ?", attempt_id)


def look_up(attempt):
    """After a creation without a clear answer: the newest payins, by our reference."""
    status, page = call_service("GET", "/payins?limit=100")
    for payin in (page or {}).get("data", []):
        if payin.get("reference") == attempt["reference"]:
            return payin
    # It was never made. Nobody has seen a key or an address of it, so nobody can pay it.
    is_over = status == 200 and time.time() - attempt["created"] > LOOK_UP_FOR_S
    return {"status": "CANCELED", "errorCode": "not_created"} if is_over else None


def record(attempt_id, payin):
    """Takes in what the service says, if it is about what we asked for. Nothing of the payer is stored."""
    with changes() as db:
        attempt = dict(db.execute("SELECT * FROM attempts WHERE id = ?", (attempt_id,)).fetchone())
        attempt["read"] = time.time()
        if payin and fits(payin, attempt):
            learn(db, attempt, payin)
        save(db, attempt)
    with changed:
        changed.notify_all()


def fits(payin, attempt):
    if "id" not in payin:
        return True  # our own finding: refused, or never made
    asked = attempt["amount"]
    return (
        payin.get("reference") == attempt["reference"]
        and payin.get("currency") == "COP"
        and in_cents(payin.get("amountInCents"), payin.get("amount"), asked) == asked
    )


def in_cents(cents, amount, asked):
    """The field in cents decides. Some answers lack it: then `amount`, which may be pesos or cents."""
    if cents is not None or amount is None:
        return cents
    return asked if amount == asked else round(amount * 100)


def learn(db, attempt, payin):
    """A status never goes back: open, then declined or canceled, then paid. One that nobody knows is open."""
    status = payin.get("status")
    attempt["service_id"] = payin.get("id") or attempt.get("service_id")
    attempt["source"] = json.dumps(source_of(payin)) if payin.get("sourceData") else attempt.get("source")
    if attempt["status"] == "CONFIRMED" or status not in FINAL or status == attempt["status"]:
        return
    attempt["late"] = int(attempt["status"] in FINAL or has_lapsed(attempt))
    attempt.update(status=status, error=payin.get("errorCode"), result=payin.get("resultAt"), updated=time.time())
    if status != "CONFIRMED":
        return
    confirmed = in_cents(payin.get("confirmedAmountInCents"), payin.get("confirmedAmount"), attempt["amount"])
    attempt["confirmed"] = attempt["amount"] if confirmed is None else confirmed
    # What the shop must be told is stored with the payment itself, so that no crash can part them.
    notice = ("duplicate" if paying(attempts_of(attempt["order_id"], db)) else judge(attempt))
    attempt["paid"] = time.time()
    attempt["verdict"] = notice
    db.execute("INSERT INTO notices VALUES (?, ?, 0, 0)", (attempt["id"], notice))


def judge(attempt):
    """The rule: ship when the payment is CONFIRMED *and* what was confirmed equals the price."""
    order = find_order(attempt["order_id"])
    price = order["amountInCents"] if order else attempt["amount"]
    return "paid" if attempt["confirmed"] == price else "amount_differs"


def tell_the_shop():
    """Delivers what the shop has not taken yet. One that fails is tried again later and holds up no other."""
    for notice in many("SELECT * FROM notices WHERE due <= ?", time.time()):
        attempt = one("SELECT * FROM attempts WHERE id = ?", notice["attempt"])
        try:
            if notice["kind"] == "paid":
                ship(attempt["order_id"], attempt)
            else:
                ask_a_person(attempt["order_id"], attempt, notice["kind"])
        except Exception as error:  # whatever your code raises, the notice stays
            print(f"{attempt['order_id']}: {type(error).__name__}, trying again later", file=sys.stderr, flush=True)
            due = time.time() + min(3600, RETRY_AFTER_S * 2 ** notice["tries"])
            with changes() as db:
                db.execute("UPDATE notices SET tries = tries + 1, due = ? WHERE attempt = ?", (due, attempt["id"]))
            continue
        with changes() as db:
            db.execute("DELETE FROM notices WHERE attempt = ?", (attempt["id"],))


def reconcile():
    """Reads what nobody watches: payers close pages, events get lost, and banks change their mind for a day."""
    day_ago = time.time() - 86400
    for row in many("SELECT * FROM attempts WHERE status NOT IN ('CONFIRMED') AND created > ?", day_ago - 29 * 86400):
        age = time.time() - row["created"]
        pause = READ_EVERY_S if age < 60 else 15 if age < 1800 else 3600
        if is_open(row) and time.time() - row["read"] >= pause:
            refresh(row["id"])
        elif row["service_id"] and row["created"] > day_ago and time.time() - row["read"] >= 300:
            refresh(row["id"], at_once=True)


def work(every_s=1):
    while True:
        for task in (reconcile, tell_the_shop):
            try:
                task()
            except Exception as error:  # the next round tries again
                print(f"{task.__name__}: {error!r}", file=sys.stderr, flush=True)
        time.sleep(every_s)


def is_open(attempt):
    return attempt["status"] not in FINAL


def has_lapsed(attempt):
    return attempt["rail"] == "BRE_B" and time.time() > attempt["created"] + LIFETIME_S


def is_locked(attempt):
    """Once the bank's address was handed out, the payer may be paying there."""
    has_address = bool(json.loads(attempt["source"] or "{}").get("pseUrl"))
    return is_open(attempt) and has_address and time.time() < attempt["created"] + PSE_LOCK_S


def paying(attempts):
    """The payment that settled the order: the first that arrived."""
    paid = [each for each in attempts if each["status"] == "CONFIRMED"]
    return min(paid, key=lambda each: each["paid"]) if paid else None


def attempt_of(attempts, attempt_id):
    return next(each for each in attempts if each["id"] == attempt_id)


def view(attempt, attempts):
    """The attempt as a browser may see it: a list of what is shown, so that nothing slips through."""
    paid = paying(attempts)
    settlement = {
        "state": {None: "OPEN", "paid": "PAID"}.get(paid and paid["verdict"], "AMOUNT_DIFFERS"),
        "by": paid and paid["id"],
        "duplicate": sum(each["status"] == "CONFIRMED" for each in attempts) > 1,
    }
    visible = [[each["id"], each["status"], each["confirmed"], each["source"]] for each in attempts]
    return {
        "kind": "PAYIN",
        "id": attempt["id"],
        "order": attempt["token"],
        "reference": attempt["reference"],
        "status": attempt["status"],
        "rail": attempt["rail"],
        "amountInCents": attempt["amount"],
        "confirmedAmountInCents": attempt["confirmed"],
        "currency": "COP",
        "sourceData": json.loads(attempt["source"]) if attempt["source"] else None,
        "errorCode": attempt["error"],
        "createdAt": iso(attempt["created"]),
        "updatedAt": iso(attempt["updated"]),
        "resultAt": attempt["result"],
        "expiresAt": iso(attempt["created"] + LIFETIME_S) if attempt["rail"] == "BRE_B" else None,
        "late": bool(attempt["late"]),
        "merchant": MERCHANT,
        "description": attempt["description"],
        "settlement": settlement,
        "version": hashlib.sha256(json.dumps(visible).encode()).hexdigest()[:32],
        "now": iso(),
    }


def source_of(payin):
    shown = ("keyType", "keyString", "qrString", "checkoutUrl", "bank", "pseUrl", "cus")
    return {name: value for name, value in payin["sourceData"].items() if name in shown}


# --- The database -------------------------------------------------------------------------------------------------

SCHEMA = """
CREATE TABLE IF NOT EXISTS attempts (
  id TEXT PRIMARY KEY, order_id TEXT NOT NULL, token TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
  reference TEXT NOT NULL UNIQUE, rail TEXT NOT NULL, amount INTEGER NOT NULL, description TEXT,
  status TEXT NOT NULL, confirmed INTEGER, verdict TEXT, late INTEGER, service_id TEXT, source TEXT, error TEXT,
  created REAL NOT NULL, updated REAL NOT NULL, result TEXT, paid REAL, read REAL NOT NULL,
  UNIQUE (order_id, key)
);
CREATE TABLE IF NOT EXISTS notices (attempt TEXT PRIMARY KEY, kind TEXT NOT NULL, tries INTEGER NOT NULL, due REAL);
"""
changed = threading.Condition()


def connect():
    db = sqlite3.connect(DATABASE, timeout=10, isolation_level=None)
    db.row_factory = sqlite3.Row
    return db


@contextmanager
def changes():
    """A transaction that holds the write lock from its start, so that two requests take turns."""
    db = connect()
    try:
        db.execute("BEGIN IMMEDIATE")
        yield db
        db.execute("COMMIT")
    finally:
        db.close()  # without COMMIT nothing of it stays


def many(query, *values):
    db = connect()
    try:
        return [dict(row) for row in db.execute(query, values)]
    finally:
        db.close()


def one(query, *values):
    return next(iter(many(query, *values)), None)


def attempts_of(order_id, db=None):
    query = "SELECT * FROM attempts WHERE order_id = ? ORDER BY created"
    return [dict(row) for row in db.execute(query, (order_id,))] if db else many(query, order_id)


def save(db, attempt):
    names = ", ".join(attempt)
    places = ", ".join(f":{name}" for name in attempt)
    changes = ", ".join(f"{name} = :{name}" for name in attempt)
    db.execute(f"INSERT INTO attempts ({names}) VALUES ({places}) ON CONFLICT (id) DO UPDATE SET {changes}", attempt)


# --- Tokens, addresses, requests ----------------------------------------------------------------------------------


def order_token(order_id):
    """What the page puts into the element's `order`: signed, so that orders cannot be guessed."""
    signature = hmac.new(ORDER_SECRET.encode(), order_id.encode(), "sha256").hexdigest()[:32]
    return f"{order_id}.{signature}"


def order_of(token):
    """The order behind a token, or the same 404 whatever is wrong."""
    order_id = str(token).rpartition(".")[0]
    is_ours = hmac.compare_digest(order_token(order_id).encode(), str(token).encode())
    order = find_order(order_id) if is_ours else None
    if order is None:
        raise Problem(404, "not_found")
    return order_id, order


def read_wish(body):
    """What the payer chose, checked. An amount in the body is not even looked at."""
    rail = body.get("rail")
    detail = body.get("pse" if rail == "PSE" else "breb")
    name = "bank" if rail == "PSE" else "keyType"
    if rail not in ("BRE_B", "PSE") or not isinstance(body.get("order"), str) or not isinstance(detail, dict):
        raise Problem(400, "invalid_request")
    if not isinstance(detail.get(name), str):
        raise Problem(400, "invalid_request", errors=[{"field": name, "code": "required"}])
    allowed = [bank["code"] for bank in BANKS] if rail == "PSE" else ["QR_CODE"]
    if detail[name] not in allowed:
        raise Problem(422, "method_unavailable")
    if rail == "BRE_B":
        details = {"breb": {"keyType": detail["keyType"]}}
    else:
        given = body.get("inlineCustomer") if isinstance(body.get("inlineCustomer"), dict) else {}
        missing = [name for name in CUSTOMER if not isinstance(given.get(name), str)]
        if missing:
            errors = [{"field": f"inlineCustomer.{each}", "code": "required"} for each in missing]
            raise Problem(400, "invalid_request", errors=errors)
        person = "BUSINESS" if detail.get("personType") == "BUSINESS" else "INDIVIDUAL"
        details = {
            "pse": {"bank": detail["bank"], "personType": person},
            "inlineCustomer": {name: given[name] for name in CUSTOMER},
        }
    return {"rail": rail, "details": details, "fingerprint": json.dumps([rail, detail[name], body.get("replaces")])}


def is_own(url):
    """Payers are sent back to this shop only."""
    return isinstance(url, str) and (url == SHOP_ORIGIN or url.startswith(SHOP_ORIGIN + "/"))


def with_return_id(url, attempt_id):
    """The widget knows by `pay-return` which payment the payer comes back from. There is one, before any `#`."""
    address, hash_sign, rest = url.partition("#")
    page, _, query = address.partition("?")
    pairs = [pair for pair in query.split("&") if pair and not pair.startswith("pay-return=")]
    return f"{page}?{'&'.join([*pairs, f'pay-return={attempt_id}'])}{hash_sign}{rest}"


def call_service(method, path, body=None):
    """(status, body); status 0 when there was no answer."""
    headers = {"x-api-key": SERVICE_API_KEY, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVICE_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            print("The service refuses SERVICE_API_KEY.", file=sys.stderr, flush=True)
        with error:
            try:
                return error.code, json.load(error)
            except ValueError:
                return error.code, None
    except (OSError, ValueError):
        return 0, None


def iso(at=None):
    moment = datetime.fromtimestamp(time.time() if at is None else at, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def parse(text, code="invalid_request"):
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Problem(400, code)
    return value


class Problem(Exception):
    """A refusal: its code is what the widget acts on."""

    def __init__(self, status, code, **more):
        super().__init__(code)
        self.status, self.body = status, {"title": code.replace("_", " "), "status": status, "code": code, **more}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self):
        self.reply(self.route)

    do_POST = do_OPTIONS = do_GET

    def route(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        path = urllib.parse.unquote(url.path)
        if not path.startswith("/checkout/"):
            raise Problem(404, "not_found")
        _, what, *rest = path[len("/checkout"):].split("/")
        if self.command == "OPTIONS":
            return 204, None
        if self.command == "POST":
            body = self.read_body()
            if what == "payins" and not rest:
                self.refuse_strangers()
                return create_payin(parse(body), self.headers.get("idempotency-key"))
            if what == "webhooks" and not rest:
                return receive_event(body, self.headers.get("x-webhook-secret"))
        if self.command == "GET" and len(rest) == 1:
            if what == "orders":
                return show_offer(rest[0])
            if what == "payins":
                wait = query.get("wait", "")
                return show_payin(rest[0], query.get("after"), int(wait) if re.match(r"\d{1,4}$", wait) else 0)
        raise Problem(404, "not_found")

    def read_body(self):
        size = self.headers.get("content-length", "")
        if not size.isdigit() or int(size) > 65536:
            self.close_connection = True
            raise Problem(413, "payload_too_large")
        return self.rfile.read(int(size))

    def refuse_strangers(self):
        """A page of another site can post text without asking first; JSON it cannot."""
        if self.headers.get("origin") not in (None, SHOP_ORIGIN):
            raise Problem(403, "origin_not_allowed")
        if not self.headers.get("content-type", "").lower().startswith("application/json"):
            raise Problem(415, "unsupported_media_type")

    def reply(self, route):
        kind = "application/json"
        try:
            status, body = route()
        except Problem as problem:
            status, body, kind = problem.status, problem.body, "application/problem+json"
        except Exception as error:
            print(f"{self.command}: {error!r}", file=sys.stderr, flush=True)
            status, body, kind = 500, Problem(500, "internal_error").body, "application/problem+json"
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in self.answer_headers(kind, data).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def answer_headers(self, kind, data):
        headers = {"content-length": str(len(data)), "cache-control": "no-store", "x-content-type-options": "nosniff"}
        if data:
            headers["content-type"] = kind
        if self.headers.get("origin") == SHOP_ORIGIN:  # your pages may be on another host than this backend
            headers["access-control-allow-origin"] = SHOP_ORIGIN
            headers["access-control-allow-headers"] = "content-type, idempotency-key"
            headers["vary"] = "origin"
        return headers

    def log_message(self, *_):
        pass  # addresses carry tokens, which do not belong in a log


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a browser that hung up is no fault of ours
            super().handle_error(request, client_address)


def serve(port):
    db = connect()
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(SCHEMA)
    db.close()
    threading.Thread(target=work, daemon=True).start()
    return Server(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    if sys.argv[1:2] == ["token"]:
        print(order_token(sys.argv[2]), end="")
    else:
        server = serve(int(os.environ.get("PORT", "8000")))
        print(f"Checkout on http://127.0.0.1:{server.server_port}/checkout", flush=True)
        server.serve_forever()
