<?php
/**
 * The backend contract in PHP: Basic level plus the offer and the settlement, in one file, with nothing but PHP 8.1 and
 * its standard library. Try it against the sandbox:
 *
 *   npx pay-checkout sandbox --port 4010 --webhook http://127.0.0.1:8000/checkout/webhooks
 *
 *   export SERVICE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox-api-key
 *   export WEBHOOK_SECRET=sandbox-webhook-secret SHOP_ORIGIN=http://127.0.0.1:8000
 *   export ORDER_SECRET=$(openssl rand -hex 32) DATA_DIR=/tmp/checkout-data
 *   php -S 127.0.0.1:8000 backend.php
 *
 *   npx pay-checkout verify http://127.0.0.1:8000/checkout --level basic --order "$(php backend.php token A-1001)"
 *
 * Replace findOrder(), ship() and askAPerson() by your shop, and the files under DATA_DIR by your database. Every
 * minute, from cron, run `php backend.php reconcile`: it finds payments whose payer closed the page, and tells the shop
 * again what it did not take. It exits with 1 when something could not be done.
 */
declare(strict_types=1);

/** Secrets have no default: a published one would be everybody's. */
function setting(string $name, int $shortest = 1): string
{
    $value = (string) getenv($name);
    if (strlen($value) < $shortest) throw new RuntimeException("Set $name ($shortest characters or more).");
    return $value;
}

const MERCHANT = ['name' => 'Mi tienda', 'taxId' => '900123456-8', 'supportEmail' => 'ayuda@tienda.example'];
const CUSTOMER = ['name', 'idType', 'idNumber', 'phone', 'email'];
const METHODS = [
    ['rail' => 'BRE_B', 'keyType' => 'QR_CODE', 'requires' => []],
    ['rail' => 'PSE', 'banks' => [['code' => 'CO_BANCOLOMBIA', 'name' => 'Bancolombia']], 'requires' => CUSTOMER],
];
const FINAL_STATUSES = ['CONFIRMED', 'DECLINED', 'CANCELED'];
const READ_EVERY_S = 2; // an open payin is read from the service at most this often
const LOOK_UP_FOR_S = 30; // how long a payin is looked for whose creation got no clear answer

// --- Your shop ------------------------------------------------------------------------------------------------------

/** The price is decided here and nowhere else; never by the browser. Null: no such order. */
function findOrder(string $id): ?array
{
    return preg_match('/^A-\d+$/', $id) ? ['amountInCents' => 4290000, 'description' => 'Café de origen, 500 g'] : null;
}

/** The order is paid in full. Called again until it returns, so make a repetition harmless. */
function ship(string $orderId, array $attempt): void
{
    error_log("$orderId is paid: ship it");
}

/** Money came that does not fit: another amount, or a second payment. Nothing is shipped for it. */
function askAPerson(string $orderId, array $attempt, string $why): void
{
    error_log("$orderId needs a person: $why, {$attempt['confirmed']} cents by {$attempt['reference']}");
}

// --- What the widget asks -------------------------------------------------------------------------------------------

function route(string $method, string $path): array
{
    if ($method === 'GET' && preg_match('#^/orders/([^/]+)$#', $path, $found)) return showOffer(rawurldecode($found[1]));
    if ($method === 'POST' && $path === '/payins') return createPayin();
    if ($method === 'GET' && preg_match('#^/payins/([0-9a-f]{32})$#', $path, $found)) return showPayin($found[1]);
    if ($method === 'POST' && $path === '/webhooks') return receiveEvent();
    throw new Problem(404, 'not_found');
}

function showOffer(string $token): array
{
    [$orderId, $order] = orderOf($token);
    $attempts = attemptsOf($orderId);
    $current = paying($attempts) ?? (end($attempts) ?: null);
    return [200, offer($order) + ['attempt' => $current ? view($current, $attempts) : null]];
}

function offer(array $order): array
{
    $version = substr(hash('sha256', json_encode([$order['amountInCents'], METHODS])), 0, 32);
    return ['version' => $version, 'amountInCents' => $order['amountInCents'], 'currency' => 'COP',
        'description' => $order['description'], 'merchant' => MERCHANT, 'methods' => METHODS, 'now' => now()];
}

function createPayin(): array
{
    refuseStrangers();
    $key = $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? '';
    if (!preg_match('/^[\w-]{16,128}$/D', $key)) throw new Problem(400, 'idempotency_key_missing');
    $body = jsonBody('invalid_request');
    [$rail, $details] = readWish($body);
    [$orderId, $order] = orderOf($body['order']);
    if (!isOwn($body['callbackUrl'] ?? null)) throw new Problem(400, 'return_url_not_allowed');
    if (($body['offerVersion'] ?? offer($order)['version']) !== offer($order)['version']) {
        throw new Problem(409, 'offer_changed', ['offer' => offer($order) + ['attempt' => null]]);
    }

    // 1. The intent is stored before the service is called, under a lock: two clicks never make two payins.
    $id = bin2hex(random_bytes(16));
    $isNew = false;
    $fingerprint = json_encode([$rail, $details['breb'] ?? $details['pse'], $body['replaces'] ?? null]);
    $attempts = change($orderId, function (array $attempts) use ($body, $key, $fingerprint, $rail, $order, &$id, &$isNew) {
        $known = knownAttempt($attempts, $body['replaces'] ?? null, $key, $fingerprint);
        $id = $known['id'] ?? $id;
        $isNew = $known === null;
        if ($isNew) $attempts[] = ['id' => $id, 'key' => $key, 'fingerprint' => $fingerprint, 'reference' => "pc-$id",
            'rail' => $rail, 'amount' => $order['amountInCents'], 'description' => $order['description'],
            'status' => 'PROCESSING', 'confirmed' => null, 'paidAt' => null, 'late' => false, 'payin' => [],
            'notice' => null, 'created' => microtime(true), 'read' => microtime(true)];
        return $attempts;
    });
    $attempt = attemptOf($attempts, $id);
    if (!$isNew) return [isset($attempt['payin']['id']) ? 200 : 202, view($attempt, $attempts)];
    file_put_contents(dataFile("payin-$id"), $orderId);

    // 2. The service is asked, for our price and under our reference, which carries our id.
    [$status, $payin] = service('POST', '/payins', $details + [
        'amountInCents' => $attempt['amount'], 'currency' => 'COP', 'rail' => $rail,
        'reference' => $attempt['reference'], 'callbackUrl' => withReturnId($body['callbackUrl'], $id),
    ]);
    $isRefused = $status >= 400 && $status < 500;
    if ($isRefused) $payin = ['status' => 'DECLINED', 'errorCode' => $payin['code'] ?? 'refused'];

    // 3. Its answer is stored. An unclear one is looked up by the reference when somebody asks again.
    $attempts = record($orderId, $id, $payin);
    $shown = view(attemptOf($attempts, $id), $attempts);
    if ($isRefused) throw new Problem(422, 'service_refused', ['attempt' => $shown]);
    return [$shown['sourceData'] ? 201 : 202, $shown];
}

/** The attempt a request is about when there is one already, or null when it may make one. */
function knownAttempt(array $attempts, mixed $replaces, string $key, string $fingerprint): ?array
{
    foreach ($attempts as $known) {
        if ($known['key'] !== $key) continue;
        if ($known['fingerprint'] !== $fingerprint) throw new Problem(422, 'idempotency_mismatch');
        return $known;
    }
    $current = end($attempts) ?: null;
    if ($paid = paying($attempts)) throw new Problem(409, 'already_paid', ['attempt' => view($paid, $attempts)]);
    if ($replaces !== null && $replaces !== ($current['id'] ?? null)) {
        throw new Problem(409, 'not_current', $current ? ['attempt' => view($current, $attempts)] : []);
    }
    return $current && isOpen($current) && $replaces === null ? $current : null;
}

function showPayin(string $id): array
{
    $orderId = @file_get_contents(dataFile("payin-$id"));
    if ($orderId === false) throw new Problem(404, 'not_found');
    try {
        $attempts = refresh($orderId, $id);
    } catch (RuntimeException) {
        $attempts = attemptsOf($orderId); // the service cannot be reached: what is known is still true
    }
    return [200, view(attemptOf($attempts, $id), $attempts)];
}

/** The service signs nothing, so an event is a hint: it only makes us read the payin. */
function receiveEvent(): array
{
    if (!hash_equals(setting('WEBHOOK_SECRET', 16), $_SERVER['HTTP_X_WEBHOOK_SECRET'] ?? '')) {
        throw new Problem(401, 'webhook_unauthorized');
    }
    $event = jsonBody('webhook_unreadable');
    $reference = $event['data']['reference'] ?? '';
    if (is_string($reference) && preg_match('/^pc-([0-9a-f]{32})$/D', $reference, $found)) {
        $orderId = @file_get_contents(dataFile("payin-$found[1]"));
        if ($orderId !== false) refresh($orderId, $found[1], true);
    }
    return [200, ['received' => true]];
}

// --- What is known of an order --------------------------------------------------------------------------------------

/** Reads the payin from the service unless that was done a moment ago. A read is what proves a payment. */
function refresh(string $orderId, string $id, bool $atOnce = false): array
{
    $attempts = attemptsOf($orderId);
    $attempt = attemptOf($attempts, $id);
    if ($attempt['status'] === 'CONFIRMED') return $attempts;
    if (!$atOnce && (!isOpen($attempt) || microtime(true) - $attempt['read'] < READ_EVERY_S)) return $attempts;
    [$status, $payin] = isset($attempt['payin']['id'])
        ? service('GET', '/payins/' . rawurlencode($attempt['payin']['id']))
        : lookUp($attempt);
    $attempts = record($orderId, $id, $status === 200 ? $payin : null);
    if ($status === 0 || $status >= 400) throw new RuntimeException("The service answered $status to a read.");
    return $attempts;
}

/** After a creation without a clear answer: the newest payins, by our reference. */
function lookUp(array $attempt): array
{
    [$status, $page] = service('GET', '/payins?limit=100');
    foreach ($page['data'] ?? [] as $payin) {
        if (($payin['reference'] ?? null) === $attempt['reference']) return [200, $payin];
    }
    // It was never made. Nobody has seen a key or an address of it, so nobody can pay it.
    $isOver = $status === 200 && microtime(true) - $attempt['created'] > LOOK_UP_FOR_S;
    return [$status, $isOver ? ['status' => 'CANCELED', 'errorCode' => 'not_created'] : null];
}

/** Takes in what the service says, if it is about what we asked for, and then tells the shop. */
function record(string $orderId, string $id, ?array $payin): array
{
    $attempts = change($orderId, function (array $attempts) use ($orderId, $id, $payin) {
        foreach ($attempts as $at => $attempt) {
            if ($attempt['id'] !== $id) continue;
            $isSettled = paying($attempts) !== null;
            $attempts[$at]['read'] = microtime(true);
            if ($payin && fits($payin, $attempt)) $attempts[$at] = learn($attempts[$at], $payin, $orderId, $isSettled);
        }
        return $attempts;
    });
    return tellTheShop($orderId, $attempts);
}

function fits(array $payin, array $attempt): bool
{
    if (!isset($payin['id'])) return true; // our own finding: the service refused
    $amount = inCents($payin['amountInCents'] ?? null, $payin['amount'] ?? null, $attempt['amount']);
    return $payin['reference'] === $attempt['reference'] && $payin['currency'] === 'COP' && $amount === $attempt['amount'];
}

/** The field in cents decides. Some answers lack it: then `amount`, which may be pesos or cents. */
function inCents(?int $cents, int|float|null $amount, int $asked): ?int
{
    if ($cents !== null || $amount === null) return $cents;
    return $amount == $asked ? $asked : (int) round($amount * 100);
}

/** A status never goes back: open, then declined or canceled, then paid. One that nobody knows is open. */
function learn(array $attempt, array $payin, string $orderId, bool $isSettled): array
{
    // A list of what is kept, so that nothing of the payer is stored.
    $kept = ['id', 'sourceData', 'errorCode', 'updatedAt', 'resultAt'];
    $attempt['payin'] = array_intersect_key($payin, array_flip($kept)) + $attempt['payin'];
    $status = $payin['status'] ?? '';
    if ($attempt['status'] === 'CONFIRMED' || !in_array($status, FINAL_STATUSES, true)) return $attempt;
    $attempt['late'] = !isOpen($attempt) && $status === 'CONFIRMED';
    $attempt['status'] = $status;
    if ($status !== 'CONFIRMED') return $attempt;
    $attempt['paidAt'] = microtime(true);
    $attempt['confirmed'] = inCents($payin['confirmedAmountInCents'] ?? null, $payin['confirmedAmount'] ?? null,
        $attempt['amount']) ?? $attempt['amount'];
    // The rule: ship when the payment is CONFIRMED *and* what was confirmed equals the price. The notice is stored with
    // the payment, so that no crash can part them.
    $price = findOrder($orderId)['amountInCents'] ?? $attempt['amount'];
    $attempt['verdict'] = $attempt['confirmed'] === $price ? 'paid' : 'amount_differs';
    $attempt['notice'] = $isSettled ? 'duplicate' : $attempt['verdict'];
    return $attempt;
}

/** What the shop does not take stays, and is told again by the next read or reconcile. */
function tellTheShop(string $orderId, array $attempts): array
{
    foreach ($attempts as $attempt) {
        if ($attempt['notice'] === null) continue;
        try {
            $attempt['notice'] === 'paid'
                ? ship($orderId, $attempt)
                : askAPerson($orderId, $attempt, $attempt['notice']);
        } catch (Throwable $error) {
            error_log("$orderId: " . $error::class . ', trying again later');
            continue;
        }
        $attempts = change($orderId, fn(array $all) => array_map(
            fn(array $each) => $each['id'] === $attempt['id'] ? ['notice' => null] + $each : $each, $all));
    }
    return $attempts;
}

/** Reads what nobody watches. One that cannot be read does not keep the others from being read. */
function reconcile(): int
{
    $failures = 0;
    foreach (glob(dataFile('payin-*')) as $file) {
        $orderId = (string) file_get_contents($file);
        $id = substr(basename($file), strlen('payin-'));
        try {
            $attempt = attemptOf(tellTheShop($orderId, attemptsOf($orderId)), $id);
            $age = microtime(true) - $attempt['created'];
            $wasDeclined = !isOpen($attempt) && isset($attempt['payin']['id']);
            // Banks change their mind for a day; nobody pays a key after thirty.
            if ($wasDeclined && $age < 86400 && microtime(true) - $attempt['read'] > 300) refresh($orderId, $id, true);
            elseif ($age < 30 * 86400) refresh($orderId, $id);
            if (attemptOf(attemptsOf($orderId), $id)['notice'] !== null) $failures++;
        } catch (Throwable $error) {
            error_log("payin $id: {$error->getMessage()}");
            $failures++;
        }
    }
    return $failures === 0 ? 0 : 1;
}

function isOpen(array $attempt): bool
{
    return !in_array($attempt['status'], FINAL_STATUSES, true);
}

/** The payment that settled the order: the first that arrived. */
function paying(array $attempts): ?array
{
    $paid = array_filter($attempts, fn(array $each) => $each['status'] === 'CONFIRMED');
    usort($paid, fn(array $one, array $other) => $one['paidAt'] <=> $other['paidAt']);
    return $paid[0] ?? null;
}

function attemptOf(array $attempts, string $id): array
{
    foreach ($attempts as $attempt) if ($attempt['id'] === $id) return $attempt;
    throw new Problem(404, 'not_found');
}

/** The attempt as a browser may see it: a list of what is shown, so that nothing slips through. */
function view(array $attempt, array $attempts): array
{
    $payin = $attempt['payin'];
    $paid = paying($attempts);
    $payments = count(array_filter($attempts, fn(array $each) => $each['status'] === 'CONFIRMED'));
    $source = array_intersect_key($payin['sourceData'] ?? [],
        array_flip(['keyType', 'keyString', 'qrString', 'checkoutUrl', 'bank', 'pseUrl', 'cus']));
    $visible = array_map(fn(array $each) => [$each['id'], $each['status'], $each['confirmed'], $each['payin']], $attempts);
    return [
        'kind' => 'PAYIN', 'id' => $attempt['id'], 'order' => orderToken($attempt['orderId']),
        'reference' => $attempt['reference'], 'status' => $attempt['status'], 'rail' => $attempt['rail'],
        'amountInCents' => $attempt['amount'], 'confirmedAmountInCents' => $attempt['confirmed'], 'currency' => 'COP',
        'sourceData' => $source ?: null, 'errorCode' => $payin['errorCode'] ?? null,
        'createdAt' => now($attempt['created']), 'updatedAt' => $payin['updatedAt'] ?? now($attempt['created']),
        'resultAt' => $payin['resultAt'] ?? null, 'late' => $attempt['late'],
        'merchant' => MERCHANT, 'description' => $attempt['description'],
        'settlement' => ['state' => ['paid' => 'PAID', 'amount_differs' => 'AMOUNT_DIFFERS'][$paid['verdict'] ?? ''] ?? 'OPEN',
            'by' => $paid['id'] ?? null, 'duplicate' => $payments > 1],
        'version' => substr(hash('sha256', json_encode($visible)), 0, 32), 'now' => now(),
    ];
}

/** Changes an order's attempts under a lock, so that two requests take turns. Your database has transactions. */
function change(string $orderId, callable $decide): array
{
    $file = fopen(dataFile('order-' . hash('sha256', $orderId) . '.json'), 'c+');
    flock($file, LOCK_EX);
    try {
        $before = json_decode(stream_get_contents($file) ?: '[]', true);
        $after = array_map(fn(array $each) => $each + ['orderId' => $orderId], $decide($before));
        if ($after !== $before) {
            rewind($file);
            ftruncate($file, 0);
            fwrite($file, json_encode($after));
        }
        return $after;
    } finally {
        fclose($file);
    }
}

function attemptsOf(string $orderId): array
{
    return change($orderId, fn(array $attempts) => $attempts);
}

function dataFile(string $name): string
{
    $folder = setting('DATA_DIR');
    if (!is_dir($folder)) @mkdir($folder, 0700, true);
    return "$folder/$name";
}

// --- Tokens, addresses, requests ------------------------------------------------------------------------------------

/** What the page puts into the element's `order`: signed, so that orders cannot be guessed. */
function orderToken(string $orderId): string
{
    return $orderId . '.' . substr(hash_hmac('sha256', $orderId, setting('ORDER_SECRET', 32)), 0, 32);
}

/** The order behind a token, or the same 404 whatever is wrong. */
function orderOf(string $token): array
{
    $orderId = substr($token, 0, (int) strrpos($token, '.'));
    $order = hash_equals(orderToken($orderId), $token) ? findOrder($orderId) : null;
    return $order ? [$orderId, $order] : throw new Problem(404, 'not_found');
}

/** What the payer chose, checked: the rail, and what the service needs for it. An amount is not even looked at. */
function readWish(array $body): array
{
    $rail = $body['rail'] ?? null;
    $detail = $rail === 'PSE' ? ($body['pse']['bank'] ?? null) : ($body['breb']['keyType'] ?? null);
    if (!is_string($body['order'] ?? null) || !in_array($rail, ['BRE_B', 'PSE'], true) || !is_string($detail)) {
        throw new Problem(400, 'invalid_request');
    }
    if ($rail === 'BRE_B') {
        return $detail === 'QR_CODE' ? [$rail, ['breb' => ['keyType' => $detail]]] : throw new Problem(422, 'method_unavailable');
    }
    if (!in_array($detail, array_column(METHODS[1]['banks'], 'code'), true)) throw new Problem(422, 'method_unavailable');
    $customer = array_intersect_key((array) ($body['inlineCustomer'] ?? []), array_flip(CUSTOMER));
    if (count(array_filter($customer, 'is_string')) < count(CUSTOMER)) throw new Problem(400, 'invalid_request');
    $person = ($body['pse']['personType'] ?? '') === 'COMPANY' ? 'COMPANY' : 'INDIVIDUAL';
    return [$rail, ['pse' => ['bank' => $detail, 'personType' => $person], 'inlineCustomer' => $customer]];
}

/** A page of another site can post text without asking first; JSON it cannot. */
function refuseStrangers(): void
{
    $origin = $_SERVER['HTTP_ORIGIN'] ?? null;
    if ($origin !== null && $origin !== setting('SHOP_ORIGIN')) throw new Problem(403, 'origin_not_allowed');
    if (!str_starts_with(strtolower($_SERVER['CONTENT_TYPE'] ?? ''), 'application/json')) {
        throw new Problem(415, 'unsupported_media_type');
    }
}

function jsonBody(string $code): array
{
    $body = json_decode(file_get_contents('php://input', length: 65536), true);
    return is_array($body) ? $body : throw new Problem(400, $code);
}

/** Payers are sent back to this shop only. */
function isOwn(mixed $url): bool
{
    return is_string($url) && ($url === setting('SHOP_ORIGIN') || str_starts_with($url, setting('SHOP_ORIGIN') . '/'));
}

/** The widget knows by `pay-return` which payment the payer comes back from. There is one, before any `#`. */
function withReturnId(string $url, string $id): string
{
    [$address, $hash] = explode('#', "$url#", 3);
    [$page, $query] = explode('?', "$address?", 3);
    $pairs = array_filter(explode('&', $query), fn(string $pair) => $pair !== '' && !str_starts_with($pair, 'pay-return='));
    return "$page?" . implode('&', [...$pairs, "pay-return=$id"]) . ($hash === '' ? '' : "#$hash");
}

/** [status, body]; status 0 when there was no answer. */
function service(string $method, string $path, ?array $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $method, 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0,
        'header' => ['x-api-key: ' . setting('SERVICE_API_KEY'), 'content-type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
    ]]);
    $text = @file_get_contents(setting('SERVICE_URL') . $path, false, $context);
    $status = $text === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
    if ($status === 401 || $status === 403) error_log('The service refuses SERVICE_API_KEY.');
    $answer = json_decode((string) $text, true);
    return [$status, $status < 500 && is_array($answer) ? $answer : null];
}

/** A refusal: its code is what the widget acts on. */
final class Problem extends Exception
{
    public function __construct(public readonly int $status, string $code, public readonly array $more = [])
    {
        parent::__construct($code);
    }

    public function body(): array
    {
        $code = $this->getMessage();
        return ['title' => str_replace('_', ' ', $code), 'status' => $this->status, 'code' => $code] + $this->more;
    }
}

function now(?float $at = null): string
{
    return gmdate('Y-m-d\TH:i:s\Z', (int) ($at ?? microtime(true)));
}

function answer(): void
{
    $type = 'application/json';
    try {
        $path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
        if (!str_starts_with($path, '/checkout/')) throw new Problem(404, 'not_found');
        [$status, $body] = route($_SERVER['REQUEST_METHOD'], substr($path, strlen('/checkout')));
    } catch (Throwable $error) {
        if (!$error instanceof Problem) error_log($error->getMessage());
        $problem = $error instanceof Problem ? $error : new Problem(500, 'internal_error');
        [$status, $body, $type] = [$problem->status, $problem->body(), 'application/problem+json'];
    }
    http_response_code($status);
    header("Content-Type: $type");
    header('Cache-Control: no-store');
    header('X-Content-Type-Options: nosniff');
    echo json_encode($body);
}

if (PHP_SAPI !== 'cli') {
    answer();
    return;
}
try {
    [, $command, $orderId] = $argv + ['', '', ''];
    if ($command === 'token') echo orderToken($orderId);
    elseif ($command === 'reconcile') exit(reconcile());
    else throw new RuntimeException('Usage: php backend.php token ORDER, or php backend.php reconcile');
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
