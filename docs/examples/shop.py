#!/usr/bin/env python3
"""A shop in Python beside `npx pay-checkout serve`: it says what an order costs, and ships what is paid.

    export SHOP_SECRET=$(openssl rand -hex 32) OUTCOMES_SECRET="whsec_$(openssl rand -base64 32)"
    python3 shop.py
"""
import base64, hashlib, hmac, json, os, sqlite3, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SHOP_SECRET, OUTCOMES_SECRET = os.environ["SHOP_SECRET"], os.environ["OUTCOMES_SECRET"]
ORDERS = {"A-1042": {"amountInCents": 12500000, "description": "2 bolsas de café"}}  # stands for your database


def ship_once(order, key):
    """The key is the same when a notice comes again: it is stored with what was done, in one transaction."""
    with sqlite3.connect(os.environ.get("DATABASE", "shop.db"), timeout=30) as db:
        db.execute("CREATE TABLE IF NOT EXISTS shipped (key TEXT PRIMARY KEY, order_id TEXT)")
        if db.execute("INSERT OR IGNORE INTO shipped VALUES (?, ?)", (key, order)).rowcount:
            print(f"{order} is paid: ship it", flush=True)


def is_signed(headers, body):
    """Standard Webhooks: over id, time and the body as it came, and not older than five minutes."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(OUTCOMES_SECRET.removeprefix("whsec_"))
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    is_recent = abs(time.time() - int(headers.get("webhook-timestamp") or 0)) < 300
    given = (headers["webhook-signature"] or "").encode().split()
    return is_recent and any(hmac.compare_digest(expected, each) for each in given)


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):  # what does this order cost?
        is_serve = hmac.compare_digest((self.headers["authorization"] or "").encode(), f"Bearer {SHOP_SECRET}".encode())
        order = ORDERS.get(self.path.removeprefix("/internal/orders/"))
        self.answer(401 if not is_serve else 200 if order else 404, order if is_serve else None)

    def do_POST(self):  # this order is paid
        body = self.rfile.read(int(self.headers["content-length"] or 0))
        if self.path != "/internal/outcomes" or not is_signed(self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        if event["hook"] == "onConfirmed":
            ship_once(event["notice"]["order"], event["notice"]["key"])
        self.answer(204)

    def answer(self, status, body=None):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode() if body else b"")


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Shop).serve_forever()
