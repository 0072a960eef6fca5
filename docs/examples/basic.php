<?php
/**
 * The Basic level of the backend contract, by hand: one file, PHP 8.1 with PDO and SQLite, which shared hosting has.
 *
 *   npx pay-checkout sandbox --port 4010 --webhook http://127.0.0.1:8000/checkout/webhooks
 *
 *   export SERVICE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox-api-key WEBHOOK_SECRET=sandbox-webhook-secret
 *   export SHOP_ORIGIN=http://127.0.0.1:8000 ORDER_SECRET=$(openssl rand -hex 32) DATABASE=/tmp/checkout.db
 *   php -S 127.0.0.1:8000 basic.php
 *
 *   npx pay-checkout verify http://127.0.0.1:8000/checkout --level basic --order "$(php basic.php token A-1001)"
 *
 * DATABASE is a file outside the folder that the web server serves. Every minute cron runs `php basic.php reconcile`: it
 * finds payments whose event was lost and whose payer is gone.
 */
declare(strict_types=1);

const CUSTOMER = ['name', 'idType', 'idNumber', 'phone', 'email'];
const SHOWN = ['status', 'rail', 'currency', 'reference', 'errorCode', 'createdAt', 'updatedAt', 'resultAt', 'sourceData'];

// --- Your shop. Replace these three. ---------------------------------------------------------------------------------

/** The price, in cents. It is decided here and nowhere else. */
function findOrder(string $orderId): ?int
{
    return preg_match('/^A-\d+$/D', $orderId) ? 4290000 : null;
}

/** Paid in full. It is called again when it threw, or when the process died in it: make a repetition harmless. */
function ship(string $orderId): void
{
    error_log("$orderId is paid: ship it");
}

function askAPerson(string $orderId, string $why): void
{
    error_log("$orderId needs a person: $why");
}

// --- Payins ----------------------------------------------------------------------------------------------------------

/** One writer at a time: the others wait for it. */
function transaction(callable $work): mixed
{
    $db = new PDO('sqlite:' . setting('DATABASE'), options: [PDO::ATTR_TIMEOUT => 30, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
    $db->exec('BEGIN IMMEDIATE');
    $db->exec('CREATE TABLE IF NOT EXISTS payins (id TEXT PRIMARY KEY, key TEXT UNIQUE, wish TEXT, order_id TEXT,'
        . ' amount INTEGER, service_id TEXT, payin TEXT, created REAL, read REAL, notice TEXT, claimed REAL DEFAULT 0)');
    $result = $work(function (string $sql, mixed ...$values) use ($db): PDOStatement {
        $statement = $db->prepare($sql);
        $statement->execute($values);
        return $statement;
    });
    $db->exec('COMMIT');
    return $result;
}

function rowOf(string $id): array
{
    return transaction(fn($sql) => $sql('SELECT * FROM payins WHERE id = ?', $id)->fetch()) ?: refuse(404, 'not_found');
}

function create(array $body, string $key): array
{
    [$wish, $orderId, $amount, $details] = readWish($body);
    $id = bin2hex(random_bytes(16));
    // 1. Stored before the service is called: the same key never makes a second payin.
    $known = transaction(function ($sql) use ($id, $key, $wish, $orderId, $amount, $details) {
        $known = $sql('SELECT * FROM payins WHERE key = ?', $key)->fetch();
        $now = gmdate('Y-m-d\TH:i:s\Z');
        $first = ['reference' => $id, 'status' => 'PROCESSING', 'rail' => $details['rail'], 'currency' => 'COP',
            'createdAt' => $now, 'updatedAt' => $now, 'sourceData' => null];
        if (!$known) $sql('INSERT INTO payins (id, key, wish, order_id, amount, payin, created, read) VALUES (?,?,?,?,?,?,?,?)',
            $id, $key, $wish, $orderId, $amount, json_encode($first), microtime(true), microtime(true));
        return $known;
    });
    if ($known && $known['wish'] !== $wish) refuse(422, 'idempotency_mismatch');
    if ($known) return [$known['service_id'] ? 200 : 202, view($known)];
    [$status, $payin] = service('POST', '/payins',
        $details + ['amountInCents' => $amount, 'currency' => 'COP', 'reference' => $id]);
    // 2. A refusal is clear. Anything else that is no payin is looked up later, by our reference.
    if ($status >= 400 && $status < 500) {
        close($id, 'DECLINED');
        refuse(422, 'service_refused');
    }
    learn($id, $payin);
    $row = rowOf($id);
    return [$row['service_id'] ? 201 : 202, view($row)];
}

/** Reads the payin from the service, which is what proves a payment; one reader at a time, every two seconds. */
function refresh(string $id, bool $atOnce = false): array
{
    $row = rowOf($id);
    $now = microtime(true);
    $isPaid = json_decode($row['payin'], true)['status'] === 'CONFIRMED';
    $mayRead = !$isPaid && transaction(fn($sql) => $sql('UPDATE payins SET read = ? WHERE id = ? AND read < ?',
        $now, $id, $now - ($atOnce ? 0 : 2))->rowCount());
    if ($mayRead && $row['service_id']) learn($id, service('GET', '/payins/' . rawurlencode($row['service_id']))[1]);
    elseif ($mayRead) { // the answer to its creation was lost
        [$status, $page] = service('GET', '/payins?limit=100');
        $found = array_filter($page['data'] ?? [], fn($each) => ($each['reference'] ?? '') === $id);
        learn($id, reset($found) ?: null);
        if ($status === 200 && !$found && $now - $row['created'] > 60) close($id, 'CANCELED'); // never made: nobody saw a key
    }
    tellTheShop($id);
    return rowOf($id);
}

/** Keeps what the service says, if it is about what we asked for. What is to be done is decided with it, once. */
function learn(string $id, ?array $payin): void
{
    if ($payin !== null) transaction(function ($sql) use ($id, $payin) {
        $row = $sql('SELECT * FROM payins WHERE id = ?', $id)->fetch();
        $before = json_decode($row['payin'], true);
        $about = [$payin['reference'] ?? '', $payin['currency'] ?? '', inCents($payin, 'amount', $row['amount'])];
        if ($about !== [$id, 'COP', $row['amount']]) return;
        $kept = array_filter(array_intersect_key($payin, array_flip(SHOWN)), fn($each) => $each !== null) + $before;
        if ($before['status'] === 'CONFIRMED') $kept['status'] = 'CONFIRMED'; // a payment is never taken back
        elseif ($kept['status'] === 'CONFIRMED') { // a status that nobody knows is not this one
            $confirmed = $kept['confirmedAmountInCents'] = inCents($payin, 'confirmedAmount', $row['amount']);
            $isSecond = $sql('SELECT 1 FROM payins WHERE order_id = ? AND notice IS NOT NULL', $row['order_id'])->fetch();
            $notice = $confirmed === findOrder($row['order_id']) ? 'ship' : "$confirmed cents";
            $sql('UPDATE payins SET notice = ? WHERE id = ?', $isSecond ? 'a second payment' : $notice, $id);
        }
        $sql('UPDATE payins SET payin = ?, service_id = ? WHERE id = ?', json_encode($kept), $payin['id'], $id);
    });
}

function close(string $id, string $status): void
{
    transaction(fn($sql) => $sql("UPDATE payins SET payin = json_set(payin, '$.status', ?) WHERE id = ? AND service_id IS NULL", $status, $id));
}

/** Claims the notice first: of all polls and events at once, one ships. A claim of a process that died lapses. */
function tellTheShop(string $id): void
{
    $claim = fn($sql) => $sql('UPDATE payins SET claimed = ? WHERE id = ? AND notice IS NOT NULL AND claimed < ?',
        microtime(true), $id, microtime(true) - 60)->rowCount();
    if (!transaction($claim)) return;
    $row = rowOf($id);
    $done = 0;
    try {
        $row['notice'] === 'ship' ? ship($row['order_id']) : askAPerson($row['order_id'], $row['notice']);
        $done = PHP_FLOAT_MAX; // never claimed again
    } finally {
        transaction(fn($sql) => $sql('UPDATE payins SET claimed = ? WHERE id = ?', $done, $id));
    }
}

/** Some answers lack the field in cents; `amount` may be pesos or cents. */
function inCents(array $payin, string $name, int $asked): ?int
{
    [$cents, $amount] = [$payin["{$name}InCents"] ?? null, $payin[$name] ?? null];
    if ($cents !== null || $amount === null) return $cents;
    return $amount == $asked ? $asked : (int) round($amount * 100);
}

/** A list of what is shown was kept, so nothing of the payer or of the account reaches a browser. */
function view(array $row): array
{
    return ['id' => $row['id'], 'amountInCents' => $row['amount']] + json_decode($row['payin'], true);
}

function readWish(array $body): array
{
    [$rail, $token, $callback] = [$body['rail'] ?? null, $body['order'] ?? null, $body['callbackUrl'] ?? null];
    $detail = $rail === 'PSE' ? ($body['pse']['bank'] ?? null) : ($body['breb']['keyType'] ?? null);
    $isWhole = is_string($token) && is_string($detail) && is_string($callback) && in_array($rail, ['BRE_B', 'PSE'], true);
    if (!$isWhole) refuse(400, 'invalid_request');
    $orderId = substr($token, 0, (int) strrpos($token, '.'));
    $amount = hash_equals(token($orderId), $token) ? findOrder($orderId) : null;
    if ($amount === null) refuse(404, 'not_found');
    // The character after the origin: with @ or . it would be another site's address.
    $origin = setting('SHOP_ORIGIN');
    if (!preg_match('~^' . preg_quote($origin, '~') . '(?:[/?#][^\\\\]*)?$~D', $callback)) refuse(400, 'return_url_not_allowed');
    $details = ['rail' => $rail, 'callbackUrl' => $callback];
    if ($rail === 'BRE_B') $details['breb'] = ['keyType' => $detail];
    else {
        $person = $body['pse']['personType'] ?? null;
        $customer = array_filter(array_intersect_key((array) ($body['inlineCustomer'] ?? []), array_flip(CUSTOMER)), 'is_string');
        if (!in_array($person, ['INDIVIDUAL', 'BUSINESS'], true) || count($customer) < count(CUSTOMER)) refuse(400, 'invalid_request');
        $details += ['pse' => ['bank' => $detail, 'personType' => $person], 'inlineCustomer' => $customer];
    }
    return [json_encode([$orderId, $rail, $detail]), $orderId, $amount, $details];
}

// --- HTTP ------------------------------------------------------------------------------------------------------------

/** [status, payin]; no payin when there was no clear answer. Redirects are not followed: they would get the API key. */
function service(string $method, string $path, ?array $body = null): array
{
    $context = stream_context_create(['http' => ['method' => $method, 'timeout' => 10, 'ignore_errors' => true,
        'follow_location' => 0, 'header' => ['x-api-key: ' . setting('SERVICE_API_KEY'), 'content-type: application/json'],
        'content' => $body === null ? '' : json_encode($body)]]);
    $text = @file_get_contents(setting('SERVICE_URL') . $path, false, $context);
    $status = $text === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
    $answer = json_decode((string) $text, true);
    return [$status, $status >= 200 && $status < 300 && is_array($answer) ? $answer : null];
}

function setting(string $name): string
{
    $value = (string) getenv($name);
    return strlen($value) >= ($name === 'ORDER_SECRET' ? 32 : 1) ? $value : throw new RuntimeException("Set $name in the environment.");
}

function token(string $orderId): string
{
    return $orderId . '.' . substr(hash_hmac('sha256', $orderId, setting('ORDER_SECRET')), 0, 32);
}

final class Problem extends Exception {}

function refuse(int $status, string $code): never
{
    throw new Problem($code, $status);
}

function jsonBody(string $code): array
{
    $body = json_decode(file_get_contents('php://input', length: 65536), true);
    return is_array($body) ? $body : refuse(400, $code);
}

function route(string $method, string $path): array
{
    if ($method === 'GET' && preg_match('#^/checkout/payins/([0-9a-f]{32})$#D', $path, $found)) return [200, view(refresh($found[1]))];
    if ($method === 'POST' && $path === '/checkout/payins') {
        if (($_SERVER['HTTP_ORIGIN'] ?? setting('SHOP_ORIGIN')) !== setting('SHOP_ORIGIN')) refuse(403, 'origin_not_allowed');
        if (!str_starts_with(strtolower($_SERVER['CONTENT_TYPE'] ?? ''), 'application/json')) refuse(415, 'unsupported_media_type');
        $key = $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? '';
        return create(preg_match('/^[\w-]{16,128}$/D', $key) ? jsonBody('invalid_request') : refuse(400, 'idempotency_key_missing'), $key);
    }
    if ($method === 'POST' && $path === '/checkout/webhooks') {
        if (!hash_equals(setting('WEBHOOK_SECRET'), $_SERVER['HTTP_X_WEBHOOK_SECRET'] ?? '')) refuse(401, 'webhook_unauthorized');
        $reference = jsonBody('webhook_unreadable')['data']['reference'] ?? null; // a hint: it only makes us read the payin
        try {
            if (is_string($reference)) refresh($reference, true);
        } catch (Problem) { /* not a payin of ours */ }
        return [200, ['received' => true]];
    }
    return str_contains($path, '/payins') ? refuse(404, 'not_found') : [404, null]; // no offers at this level
}

if (PHP_SAPI === 'cli') {
    if (($argv[1] ?? '') === 'token') {
        echo token($argv[2]);
        exit;
    }
    $recent = transaction(fn($sql) => $sql('SELECT id FROM payins WHERE created > ?', microtime(true) - 30 * 86400)->fetchAll());
    foreach ($recent as $row) refresh($row['id']);
    exit;
}
$type = 'application/json';
try {
    [$status, $body] = route($_SERVER['REQUEST_METHOD'], (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
} catch (Throwable $error) {
    if (!$error instanceof Problem) error_log($error->getMessage());
    [$status, $code] = $error instanceof Problem ? [$error->getCode(), $error->getMessage()] : [500, 'internal_error'];
    [$type, $body] = ['application/problem+json', ['title' => strtr($code, '_', ' '), 'status' => $status, 'code' => $code]];
}
http_response_code($status);
header("Content-Type: $type");
header('Cache-Control: no-store');
if ($body !== null) echo json_encode($body);
