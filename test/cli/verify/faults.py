"""Breaks full_backend.py on purpose, one thing at a time, for the test of `verify`.

Reads lines of JSON: {"start": {"faults": [...], "env": {...}}} gives {"url": ...}; {"stop": url} ends that one. Each
backend is a module of its own, so that a fault changes no other.
"""
import importlib.util
import itertools
import json
import os
import sys
import threading
import types
from pathlib import Path

BACKEND = Path(__file__).resolve().parent / "full_backend.py"
FAULTS = {}


def fault(patch):
    FAULTS[patch.__name__.replace("_", "-")] = patch
    return patch


def wrap(module, name, change):
    """Puts `change(original, *args)` in the place of a function."""
    original = getattr(module, name)
    setattr(module, name, lambda *args, **more: change(original, *args, **more))


def shown(module, change):
    """Changes what a browser is shown of an attempt."""
    wrap(module, "view", lambda view, attempt, attempts: change({**view(attempt, attempts)}, attempt))


def answered(module, change):
    """Changes the headers of answers: change(handler, kind, headers)."""
    original = module.Handler.answer_headers
    module.Handler.answer_headers = lambda self, kind, data: change(self, kind, original(self, kind, data))


# --- The level ----------------------------------------------------------------------------------------------------


@fault
def basic(m):
    """Not a fault: a Basic backend, which has no offers, no settlement and any number of attempts."""
    names = ["id", "status", "rail", "amountInCents", "confirmedAmountInCents", "currency", "reference"]
    names += ["createdAt", "updatedAt", "sourceData", "errorCode"]
    shown(m, lambda view, _: {name: view[name] for name in names})

    def choose_attempt(original, attempts, body, key, wish, order):
        same = [each for each in attempts if each["key"] == key]
        return (same[0], False) if same else original([], {**body, "replaces": None}, key, wish, order)

    wrap(m, "choose_attempt", choose_attempt)

    def show_payin(attempt_id, _after, _wait):
        attempt = m.refresh(attempt_id)
        if attempt is None:
            raise m.Problem(404, "not_found")
        return 200, m.view(attempt, m.attempts_of(attempt["order_id"]))

    m.show_payin = show_payin
    reply = m.Handler.reply

    def without_offers(self, route):
        if not self.path.startswith("/checkout/orders/"):
            return reply(self, route)
        self.send_response(404)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", "0")
        self.end_headers()

    m.Handler.reply = without_offers


# --- Who may see and pay what -------------------------------------------------------------------------------------


@fault
def ignores_the_signature_of_tokens(m):
    def order_of(token):
        order_id = token.split(".")[0]
        if m.find_order(order_id) is None:
            raise m.Problem(404, "not_found")
        return order_id, m.find_order(order_id)

    m.order_of = order_of


@fault
def sells_orders_that_do_not_exist(m):
    m.order_of = lambda token: (token, m.find_order("A-1"))


@fault
def takes_posts_from_any_site(m):
    m.Handler.refuse_strangers = lambda self: json_only(m, self)


def json_only(m, handler):
    if not handler.headers.get("content-type", "").startswith("application/json"):
        raise m.Problem(415, "unsupported_media_type")


@fault
def takes_text_for_json(m):
    def refuse_strangers(self):
        if self.headers.get("origin") not in (None, m.SHOP_ORIGIN):
            raise m.Problem(403, "origin_not_allowed")

    m.Handler.refuse_strangers = refuse_strangers


@fault
def shows_somebodys_payin_for_an_unknown_id(m):
    def show_payin(original, attempt_id, after, wait):
        latest = m.one("SELECT id FROM attempts ORDER BY created DESC")
        known = m.one("SELECT id FROM attempts WHERE id = ?", attempt_id)
        return original((known or latest)["id"], after, wait)

    wrap(m, "show_payin", show_payin)


@fault
def counts_its_payins(m):
    numbers = itertools.count(1)
    m.secrets = types.SimpleNamespace(token_urlsafe=lambda _: f"checkout-payin-{next(numbers):08d}")


@fault
def sends_payers_anywhere(m):
    m.is_own = lambda url: isinstance(url, str)


# --- Price --------------------------------------------------------------------------------------------------------


@fault
def takes_the_price_from_the_browser(m):
    def choose_attempt(original, attempts, body, key, wish, order):
        price = body.get("amountInCents", order["amountInCents"])
        return original(attempts, body, key, wish, {**order, "amountInCents": price})

    wrap(m, "choose_attempt", choose_attempt)


@fault
def writes_pesos_where_cents_belong(m):
    shown(m, lambda view, _: {**view, "amountInCents": view["amountInCents"] // 100})


@fault
def asks_for_less_than_the_offer_says(m):
    def choose_attempt(original, attempts, body, key, wish, order):
        return original(attempts, body, key, wish, {**order, "amountInCents": order["amountInCents"] - 100})

    wrap(m, "choose_attempt", choose_attempt)


@fault
def asks_the_service_for_another_amount(m):
    def call_service(original, method, path, body=None):
        return original(method, path, {**body, "amountInCents": body["amountInCents"] - 100} if body else None)

    wrap(m, "call_service", call_service)
    m.fits = lambda payin, attempt: True


@fault
def writes_amounts_as_text(m):
    shown(m, lambda view, _: {**view, "amountInCents": str(view["amountInCents"])})


@fault
def changes_the_amount_later(m):
    def show_payin(original, *args):
        status, body = original(*args)
        return status, {**body, "amountInCents": body["amountInCents"] + 1}

    wrap(m, "show_payin", show_payin)


# --- Creating -----------------------------------------------------------------------------------------------------


@fault
def forgets_idempotency_keys(m):
    keys = itertools.count(1)

    def choose_attempt(original, attempts, body, key, wish, order):
        return original(attempts, body, f"{key}-{next(keys)}", wish, order)

    wrap(m, "choose_attempt", choose_attempt)


@fault
def makes_two_payins_of_two_requests_at_once(m):
    """Looks for the key before it waits for its turn."""
    seen = threading.local()
    both = threading.Barrier(2)
    keys = itertools.count(1)

    def create_payin(original, body, key):
        order_id = str(body.get("order")).rpartition(".")[0]
        seen.attempts = m.attempts_of(order_id)
        try:
            both.wait(0.3)
        except threading.BrokenBarrierError:
            both.reset()
        try:
            return original(body, key)
        finally:
            seen.attempts = None

    def attempts_of(original, order_id, db=None):
        early = getattr(seen, "attempts", None)
        return original(order_id, db) if db is None or early is None else early

    def save(original, db, attempt):
        # Its database does not say that a key is unique.
        original(db, {**attempt, "key": f"{attempt['key']} {next(keys)}"})

    def choose_attempt(original, attempts, *more):
        return original([{**each, "key": each["key"].split(" ")[0]} for each in attempts], *more)

    wrap(m, "attempts_of", attempts_of)
    wrap(m, "choose_attempt", choose_attempt)
    wrap(m, "save", save)
    wrap(m, "create_payin", create_payin)


@fault
def needs_no_idempotency_key(m):
    keys = itertools.count(1)
    wrap(m, "create_payin", lambda original, body, key: original(body, key or f"made-up-by-the-backend-{next(keys)}"))


@fault
def takes_a_key_for_another_request(m):
    def read_wish(original, body):
        return {**original(body), "fingerprint": "the same"}

    wrap(m, "read_wish", read_wish)


@fault
def answers_200_for_201(m):
    def create_payin(original, body, key):
        _, answer = original(body, key)
        return 200, answer

    wrap(m, "create_payin", create_payin)


@fault
def fails_at_a_broken_body(m):
    def parse(original, text, code="invalid_request"):
        return original(text, code) if code != "invalid_request" else json.loads(text)

    wrap(m, "parse", parse)


@fault
def leaves_the_return_id_out(m):
    m.with_return_id = lambda url, _: url


@fault
def adds_a_second_return_id(m):
    m.with_return_id = lambda url, attempt_id: url.replace("?", f"?pay-return=of-the-page&pay-return={attempt_id}&")


@fault
def leaves_the_reference_out(m):
    shown(m, lambda view, _: {name: value for name, value in view.items() if name != "reference"})


# --- One attempt at a time ----------------------------------------------------------------------------------------


def replacing(m, wish_of):
    def choose_attempt(original, attempts, body, key, wish, order):
        if any(each["key"] == key for each in attempts) or not attempts:
            return original(attempts, body, key, wish, order)
        return original(attempts, {**body, "replaces": wish_of(body, attempts)}, key, wish, order)

    wrap(m, "choose_attempt", choose_attempt)


@fault
def opens_a_second_payin_for_a_second_tab(m):
    replacing(m, lambda body, attempts: body.get("replaces", attempts[-1]["id"]))


@fault
def replaces_any_payin(m):
    replacing(m, lambda body, attempts: body.get("replaces") and attempts[-1]["id"])


@fault
def leaves_the_open_payin_out_of_the_offer(m):
    wrap(m, "show_offer", lambda original, token: (200, {**original(token)[1], "attempt": None}))


@fault
def takes_old_offers(m):
    wrap(m, "create_payin", lambda original, body, key: original(without(body, "offerVersion"), key))


def without(members, name):
    return {key: value for key, value in members.items() if key != name}


@fault
def never_changes_the_version(m):
    shown(m, lambda view, _: {**view, "version": "1"} if "version" in view else view)


@fault
def changes_the_version_at_every_read(m):
    versions = itertools.count(1)
    shown(m, lambda view, _: {**view, "version": str(next(versions))} if "version" in view else view)


@fault
def claims_to_have_waited(m):
    def show_payin(original, attempt_id, after, _wait):
        status, body = original(attempt_id, None, 0)
        return status, {**body, "waited": after is not None}

    wrap(m, "show_payin", show_payin)


# --- What must not be shown, and how answers look -----------------------------------------------------------------


@fault
def shows_the_payers_data(m):
    shown(m, lambda view, _: {**view, "inlineCustomer": {"idNumber": "1234"}})


@fault
def shows_the_payers_data_with_pse_only(m):
    payers = []

    def read_wish(original, body):
        payers.append((body.get("inlineCustomer") or {}).get("name"))
        return original(body)

    wrap(m, "read_wish", read_wish)
    shown(m, lambda view, attempt: {**view, "payer": payers[-1]} if attempt["rail"] == "PSE" else view)


@fault
def shows_the_organization(m):
    shown(m, lambda view, _: {**view, "organizationId": "org-1"})


@fault
def lets_answers_be_cached(m):
    answered(m, lambda _self, _kind, headers: {**headers, "cache-control": "max-age=60"})


@fault
def calls_json_a_page(m):
    answered(m, lambda _self, kind, headers: headers if "problem" in kind else {**headers, "content-type": "text/html"})


@fault
def refuses_in_its_own_format(m):
    answered(m, lambda _self, kind, headers: {**headers, "content-type": "application/json"} if "problem" in kind else headers)


@fault
def refuses_with_another_status(m):
    original = m.Problem.__init__

    def init(self, status, code, **more):
        original(self, 400 if code == "unsupported_media_type" else status, code, **more)

    m.Problem.__init__ = init


@fault
def refuses_with_words_of_its_own(m):
    original = m.Problem.__init__

    def init(self, status, code, **more):
        original(self, status, code, **more)
        if code == "idempotency_key_missing":
            self.body["code"] = "no_key"

    m.Problem.__init__ = init


# --- Events -------------------------------------------------------------------------------------------------------


@fault
def takes_events_from_anybody(m):
    wrap(m, "receive_event", lambda original, body, _secret: original(body, m.WEBHOOK_SECRET))


@fault
def refuses_events_it_does_not_know(m):
    def receive_event(original, body, secret):
        answer = original(body, secret)
        if not str(m.parse(body, "webhook_unreadable").get("event")).startswith("payin."):
            raise m.Problem(400, "webhook_unreadable")
        return answer

    wrap(m, "receive_event", receive_event)


@fault
def fails_at_an_unreadable_event(m):
    def receive_event(original, body, secret):
        return original(json.dumps(json.loads(body)) if secret == m.WEBHOOK_SECRET else body, secret)

    wrap(m, "receive_event", receive_event)


@fault
def believes_events(m):
    def receive_event(original, body, secret):
        answer = original(body, secret)
        data = json.loads(body).get("data", {})
        attempt = m.one("SELECT * FROM attempts WHERE reference = ?", str(data.get("reference")))
        if attempt and data.get("status") == "CONFIRMED":
            m.record(attempt["id"], {**data, "id": attempt["service_id"], "amountInCents": attempt["amount"]})
        return answer

    wrap(m, "receive_event", receive_event)


@fault
def ships_at_every_event(m):
    def receive_event(original, body, secret):
        answer = original(body, secret)
        reference = str(json.loads(body).get("data", {}).get("reference"))
        attempt = m.one("SELECT * FROM attempts WHERE reference = ? AND status = 'CONFIRMED'", reference)
        if attempt:
            m.ship(attempt["order_id"], attempt)
        return answer

    wrap(m, "receive_event", receive_event)


# --- Pages of another origin --------------------------------------------------------------------------------------


@fault
def asks_for_credentials_before_a_preflight(m):
    route = m.Handler.route

    def guarded(self):
        if self.command == "OPTIONS":
            raise m.Problem(401, "webhook_unauthorized")
        return route(self)

    m.Handler.route = guarded


@fault
def forgets_the_key_among_allowed_headers(m):
    def change(_self, _kind, headers):
        allowed = "access-control-allow-headers"
        return {**headers, allowed: "content-type"} if allowed in headers else headers

    answered(m, change)


@fault
def lets_pages_read_only_what_went_well(m):
    def change(_self, kind, headers):
        return without(headers, "access-control-allow-origin") if "problem" in kind else headers

    answered(m, change)


@fault
def repeats_any_origin_with_cookies(m):
    def change(self, _kind, headers):
        origin = self.headers.get("origin")
        if origin is None:
            return headers
        return {**headers, "access-control-allow-origin": origin, "access-control-allow-credentials": "true"}

    answered(m, change)


# --- Money --------------------------------------------------------------------------------------------------------


@fault
def takes_an_unknown_status_for_paid(m):
    def learn(original, db, attempt, payin):
        is_unknown = payin.get("status") not in (*m.FINAL, "PENDING", "PROCESSING")
        return original(db, attempt, {**payin, "status": "CONFIRMED"} if is_unknown else payin)

    wrap(m, "learn", learn)


@fault
def calls_half_the_price_paid(m):
    m.judge = lambda attempt: "paid"


@fault
def ships_whatever_is_confirmed(m):
    m.ask_a_person = lambda order_id, attempt, why: m.ship(order_id, attempt)


@fault
def asks_nobody_about_money_that_does_not_fit(m):
    m.ask_a_person = lambda *_: None


@fault
def hides_what_was_confirmed(m):
    shown(m, lambda view, _: {**view, "confirmedAmountInCents": None})


@fault
def takes_declined_for_the_end(m):
    def refresh(original, attempt_id, at_once=False):
        attempt = m.one("SELECT * FROM attempts WHERE id = ?", attempt_id)
        return attempt if attempt and not m.is_open(attempt) else original(attempt_id, at_once)

    wrap(m, "refresh", refresh)


@fault
def learns_by_events_alone(m):
    def refresh(original, attempt_id, at_once=False):
        return original(attempt_id, at_once) if at_once else m.one("SELECT * FROM attempts WHERE id = ?", attempt_id)

    wrap(m, "refresh", refresh)


@fault
def sells_a_paid_order_again(m):
    def choose_attempt(original, attempts, body, key, wish, order):
        unpaid = [each for each in attempts if each["status"] != "CONFIRMED"]
        return original(unpaid, body, key, wish, order)

    wrap(m, "choose_attempt", choose_attempt)


@fault
def forgets_payins_that_were_replaced(m):
    def refresh(original, attempt_id, at_once=False):
        attempt = m.one("SELECT * FROM attempts WHERE id = ?", attempt_id)
        is_current = attempt and m.attempts_of(attempt["order_id"])[-1]["id"] == attempt_id
        return original(attempt_id, at_once) if is_current else attempt

    wrap(m, "refresh", refresh)


@fault
def says_nothing_of_a_second_payment(m):
    def unsaid(view, _):
        return {**view, "settlement": {**view["settlement"], "duplicate": False}} if "settlement" in view else view

    shown(m, unsaid)


@fault
def forgets_what_the_shop_did_not_take(m):
    a_shop_that_fails_at_first(m)

    def tell_the_shop(original):
        original()
        with m.changes() as db:
            db.execute("DELETE FROM notices")

    wrap(m, "tell_the_shop", tell_the_shop)


@fault
def a_shop_that_fails_at_first(m):
    """Not a fault of the backend: it has to tell the shop again."""
    failed = set()

    def fail_once(original, order_id, attempt, *more):
        if attempt["id"] not in failed:
            failed.add(attempt["id"])
            raise RuntimeError("the shop is closed")
        return original(order_id, attempt, *more)

    wrap(m, "ship", fail_once)
    wrap(m, "ask_a_person", fail_once)


@fault
def never_tells_the_shop(m):
    m.tell_the_shop = lambda: None


# --- Running them -------------------------------------------------------------------------------------------------


class Shop:
    """Stands in for ship() and ask_a_person(), and says at /shop/{token} what it was asked to do."""

    def __init__(self, m):
        self.shipped, self.reviewed = {}, {}
        m.ship = lambda order_id, _attempt: self.count(self.shipped, order_id)
        m.ask_a_person = lambda order_id, _attempt, _why: self.count(self.reviewed, order_id)
        route = m.Handler.route

        def with_shop(handler):
            if not handler.path.startswith("/shop/"):
                return route(handler)
            order_id = handler.path[len("/shop/"):].split(".")[0]
            return 200, {"shipped": self.shipped.get(order_id, 0), "review": self.reviewed.get(order_id, 0)}

        m.Handler.route = with_shop

    @staticmethod
    def count(counts, order_id):
        counts[order_id] = counts.get(order_id, 0) + 1


def in_haste(connect):
    """Nothing here outlives a crash of the machine, so no commit waits for the disk."""
    db = connect()
    db.execute("PRAGMA synchronous = OFF")
    return db


def start(names, env):
    os.environ.update(env)
    spec = importlib.util.spec_from_file_location("backend", BACKEND)
    m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m)
    m.READ_EVERY_S = m.RETRY_AFTER_S = 0.05
    wrap(m, "connect", in_haste)
    Shop(m)
    for name in names:
        FAULTS[name](m)
    ended = threading.Event()

    def work():
        while not ended.wait(0.1):
            m.reconcile()
            m.tell_the_shop()

    m.work = work
    server = m.serve(0)
    m.SHOP_ORIGIN = f"http://127.0.0.1:{server.server_port}" if env["SHOP_ORIGIN"] == "own" else env["SHOP_ORIGIN"]
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

    def stop():
        ended.set()
        server.shutdown()
        server.server_close()

    return f"http://127.0.0.1:{server.server_port}", stop


def main():
    running = {}
    for line in sys.stdin:
        command = json.loads(line)
        if "start" in command:
            url, stop = start(command["start"]["faults"], command["start"]["env"])
            running[url] = stop
            print(json.dumps({"url": url}), flush=True)
        else:
            running.pop(command["stop"])()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
