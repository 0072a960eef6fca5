<?php
/**
 * The backend contract in PHP: Basic level plus the offer, in one file, with nothing but PHP 8.1 and its standard
 * library. Try it:
 *
 *   npx pay-checkout sandbox
 *   php -S 127.0.0.1:8000 backend.php
 *   npx pay-checkout verify http://127.0.0.1:8000/checkout --level basic --order "$(php backend.php token A-1001)"
 *
 * Replace findOrder() and onPaid() by your shop, and the files under DATA_DIR by your database. Every minute, from
 * cron, run `php backend.php reconcile`: it finds payments whose payer closed the page.
 */
declare(strict_types=1);

define('SERVICE_URL', getenv('SERVICE_URL') ?: 'http://127.0.0.1:4010');
define('SERVICE_API_KEY', getenv('SERVICE_API_KEY') ?: 'sandbox-api-key');
define('ORDER_SECRET', getenv('ORDER_SECRET') ?: 'only for trying it out, never for real money');
define('WEBHOOK_SECRET', getenv('WEBHOOK_SECRET') ?: 'sandbox-webhook-secret');
define('SHOP_ORIGIN', getenv('SHOP_ORIGIN') ?: 'http://127.0.0.1:8000');
define('DATA_DIR', getenv('DATA_DIR') ?: sys_get_temp_dir() . '/pay-checkout-php');
const MERCHANT = ['name' => 'Mi tienda', 'taxId' => '900123456-8', 'supportEmail' => 'ayuda@tienda.example'];

/** Your order. The price is decided here and nowhere else; never by the browser. */
function findOrder(string $id): ?array
{
    return preg_match('/^A-\d+$/', $id) ? ['amountInCents' => 4290000, 'description' => 'Café de origen, 500 g'] : null;
}

/** Goods ship here. It may be called again for the same order: make that harmless. */
function onPaid(string $orderId, array $attempt): void
{
    error_log("$orderId is paid by {$attempt['reference']}");
}

// --- What the widget asks -------------------------------------------------------------------------------------------

function handle(string $method, string $path): never
{
    if ($method === 'GET' && preg_match('#^/orders/([^/]+)$#', $path, $found)) showOffer(rawurldecode($found[1]));
    if ($method === 'POST' && $path === '/payins') createPayin();
    if ($method === 'GET' && preg_match('#^/payins/([0-9a-f]{32})$#', $path, $found)) showPayin($found[1]);
    if ($method === 'POST' && $path === '/webhooks') receiveEvent();
    problem('not_found', 404);
}

function showOffer(string $token): never
{
    [$orderId, $order] = orderOf($token);
    $attempts = change($orderId, fn(array $attempts) => $attempts);
    $current = paying($attempts) ?? end($attempts) ?: null;
    answer(200, offer($order) + ['attempt' => $current ? view($current, $attempts, $token) : null]);
}

function offer(array $order): array
{
    $methods = [
        ['rail' => 'BRE_B', 'keyType' => 'QR_CODE', 'requires' => []],
        ['rail' => 'PSE', 'banks' => [['code' => 'CO_BANCOLOMBIA', 'name' => 'Bancolombia']],
            'requires' => ['name', 'idType', 'idNumber', 'phone', 'email']],
    ];
    $version = substr(hash('sha256', json_encode([$order['amountInCents'], $methods])), 0, 32);
    return ['version' => $version, 'amountInCents' => $order['amountInCents'], 'currency' => 'COP',
        'description' => $order['description'], 'merchant' => MERCHANT, 'methods' => $methods, 'now' => now()];
}

function createPayin(): never
{
    $key = $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? '';
    if (!preg_match('/^[\w-]{16,128}$/', $key)) problem('idempotency_key_missing', 400);
    $body = json_decode(file_get_contents('php://input', length: 16384), true);
    $rail = $body['rail'] ?? null;
    $detail = $rail === 'PSE' ? ($body['pse']['bank'] ?? null) : ($body['breb']['keyType'] ?? null);
    if (!is_string($body['order'] ?? null) || !in_array($rail, ['BRE_B', 'PSE'], true) || !is_string($detail)) {
        problem('invalid_request', 400);
    }
    [$orderId, $order] = orderOf($body['order']);
    if (!isOwn($body['callbackUrl'] ?? null)) problem('return_url_not_allowed', 400);
    if (isset($body['offerVersion']) && $body['offerVersion'] !== offer($order)['version']) {
        problem('offer_changed', 409, ['offer' => offer($order) + ['attempt' => null]]);
    }

    // 1. The intent is stored before the service is called, under a lock: two clicks never make two payins.
    $id = bin2hex(random_bytes(16));
    $fingerprint = [$rail, $detail, $body['replaces'] ?? null];
    $isNew = false;
    $refusal = null;
    $attempts = change($orderId, function (array $attempts) use ($body, $key, $fingerprint, $order, $rail, &$id, &$isNew, &$refusal) {
        foreach ($attempts as $known) {
            if ($known['key'] !== $key) continue;
            $id = $known['id'];
            if ($known['fingerprint'] !== $fingerprint) $refusal = ['idempotency_mismatch', 422, null];
            return $attempts;
        }
        $current = end($attempts) ?: null;
        if ($paid = paying($attempts)) $refusal = ['already_paid', 409, $paid];
        elseif (isset($body['replaces']) && $body['replaces'] !== ($current['id'] ?? null)) {
            $refusal = ['not_current', 409, $current];
        } elseif ($current && !isset($body['replaces']) && isOpen($current)) $id = $current['id'];
        else {
            $isNew = true;
            $attempts[] = ['id' => $id, 'key' => $key, 'fingerprint' => $fingerprint, 'reference' => "pc-$id",
                'rail' => $rail, 'amountInCents' => $order['amountInCents'], 'description' => $order['description'],
                'createdAt' => now(), 'readAt' => microtime(true), 'payin' => null];
        }
        return $attempts;
    });
    $about = $refusal[2] ?? null;
    if ($refusal) problem($refusal[0], $refusal[1], $about ? ['attempt' => view($about, $attempts, $body['order'])] : []);
    $attempt = attemptOf($attempts, $id);
    if (!$isNew) answer($attempt['payin'] ? 200 : 202, view($attempt, $attempts, $body['order']));
    file_put_contents(DATA_DIR . "/payin-$id", $body['order']);

    // 2. The service is asked, for our price and under our reference, which carries our id.
    [$back, $hash] = explode('#', $body['callbackUrl'] . '#', 3);
    $back .= (str_contains($back, '?') ? '&' : '?') . "pay-return=$id" . ($hash === '' ? '' : "#$hash");
    [$status, $payin] = service('POST', '/payins', array_filter([
        'amountInCents' => $order['amountInCents'], 'currency' => 'COP', 'rail' => $rail,
        'reference' => $attempt['reference'], 'callbackUrl' => $back,
        'breb' => $rail === 'BRE_B' ? ['keyType' => $detail] : null,
        'pse' => $rail === 'PSE' ? ['bank' => $detail, 'personType' => $body['pse']['personType'] ?? 'INDIVIDUAL'] : null,
        'inlineCustomer' => $body['inlineCustomer'] ?? null,
    ]));
    if ($status >= 400 && $status < 500) $payin = ['status' => 'DECLINED', 'errorCode' => $payin['code'] ?? 'refused'];

    // 3. Its answer is stored. An unclear one is looked up by the reference when somebody asks again.
    $attempts = keep($orderId, $id, $payin);
    $shown = view(attemptOf($attempts, $id), $attempts, $body['order']);
    if ($status >= 400 && $status < 500) problem('service_refused', 422, ['attempt' => $shown]);
    answer($shown['sourceData'] ? 201 : 202, $shown);
}

function showPayin(string $id): never
{
    $token = @file_get_contents(DATA_DIR . "/payin-$id");
    if ($token === false) problem('not_found', 404);
    $attempts = refresh(orderOf($token)[0], $id);
    answer(200, view(attemptOf($attempts, $id), $attempts, $token));
}

/** The service signs nothing, so an event is a hint: it only makes us read the payin. */
function receiveEvent(): never
{
    if (!hash_equals(WEBHOOK_SECRET, $_SERVER['HTTP_X_WEBHOOK_SECRET'] ?? '')) problem('webhook_unauthorized', 401);
    $event = json_decode(file_get_contents('php://input', length: 524288), true);
    if (!is_array($event)) problem('webhook_unreadable', 400);
    $reference = $event['data']['reference'] ?? '';
    if (is_string($reference) && preg_match('/^pc-([0-9a-f]{32})$/', $reference, $found)) {
        $token = @file_get_contents(DATA_DIR . "/payin-$found[1]");
        if ($token !== false) refresh(orderOf($token)[0], $found[1]);
    }
    answer(200, ['received' => true]);
}

// --- What is known of an order --------------------------------------------------------------------------------------

/** Reads an open payin from the service, at most every two seconds, and keeps what it says. */
function refresh(string $orderId, string $id): array
{
    $attempts = change($orderId, fn(array $attempts) => $attempts);
    $attempt = attemptOf($attempts, $id);
    if (!isOpen($attempt) || microtime(true) - $attempt['readAt'] < 2) return $attempts;
    [$status, $payin] = isset($attempt['payin']['id'])
        ? service('GET', '/payins/' . rawurlencode($attempt['payin']['id']))
        : [200, lookUp($attempt['reference'])];
    return keep($orderId, $id, $status === 200 ? $payin : null);
}

/** After a creation without a clear answer: the newest payins, by our reference. */
function lookUp(string $reference): ?array
{
    [, $page] = service('GET', '/payins?limit=100');
    foreach ($page['data'] ?? [] as $payin) if ($payin['reference'] === $reference) return $payin;
    return null;
}

/** Only a payin that is about what we asked for is believed. Nothing of the payer is stored. */
function keep(string $orderId, string $id, ?array $payin): array
{
    $justPaid = null;
    $attempts = change($orderId, function (array $attempts) use ($id, $payin, &$justPaid) {
        foreach ($attempts as &$attempt) {
            if ($attempt['id'] !== $id) continue;
            $attempt['readAt'] = microtime(true);
            $fits = !isset($payin['id']) || ($payin['reference'] === $attempt['reference']
                && ($payin['amountInCents'] ?? null) === $attempt['amountInCents']);
            if (!$payin || !$fits || !isOpen($attempt)) continue;
            unset($payin['inlineCustomer'], $payin['organizationId']);
            $attempt['payin'] = $payin;
            if ($payin['status'] === 'CONFIRMED') $justPaid = $attempt;
        }
        return $attempts;
    });
    if ($justPaid) onPaid($orderId, $justPaid);
    return $attempts;
}

function isOpen(array $attempt): bool
{
    return !in_array($attempt['payin']['status'] ?? '', ['CONFIRMED', 'DECLINED', 'CANCELED'], true);
}

function paying(array $attempts): ?array
{
    foreach ($attempts as $attempt) if (($attempt['payin']['status'] ?? '') === 'CONFIRMED') return $attempt;
    return null;
}

function attemptOf(array $attempts, string $id): array
{
    foreach ($attempts as $attempt) if ($attempt['id'] === $id) return $attempt;
    problem('not_found', 404);
}

/** The attempt as a browser may see it: a list of what is shown, so that nothing slips through. */
function view(array $attempt, array $attempts, string $token): array
{
    $payin = $attempt['payin'] ?? [];
    $known = ['PENDING', 'CONFIRMED', 'DECLINED', 'CANCELED'];
    $paid = paying($attempts);
    $got = $paid['payin']['confirmedAmountInCents'] ?? $paid['amountInCents'] ?? null;
    $count = count(array_filter($attempts, fn($each) => ($each['payin']['status'] ?? '') === 'CONFIRMED'));
    $source = array_intersect_key($payin['sourceData'] ?? [],
        array_flip(['keyType', 'keyString', 'qrString', 'checkoutUrl', 'bank', 'pseUrl', 'cus']));
    return [
        'kind' => 'PAYIN', 'id' => $attempt['id'], 'order' => $token, 'reference' => $attempt['reference'],
        // A status nobody knows is open, never paid.
        'status' => in_array($payin['status'] ?? '', $known, true) ? $payin['status'] : 'PROCESSING',
        'rail' => $attempt['rail'], 'amountInCents' => $attempt['amountInCents'], 'currency' => 'COP',
        'confirmedAmountInCents' => $payin['confirmedAmountInCents'] ?? null,
        'sourceData' => $source ?: null, 'errorCode' => $payin['errorCode'] ?? null,
        'createdAt' => $attempt['createdAt'], 'updatedAt' => $payin['updatedAt'] ?? $attempt['createdAt'],
        'resultAt' => $payin['resultAt'] ?? null, 'merchant' => MERCHANT, 'description' => $attempt['description'],
        'settlement' => ['state' => !$paid ? 'OPEN' : ($got === $paid['amountInCents'] ? 'PAID' : 'AMOUNT_DIFFERS'),
            'by' => $paid['id'] ?? null, 'duplicate' => $count > 1],
        'version' => md5(json_encode(array_column($attempts, 'payin', 'id'))), 'now' => now(),
    ];
}

/** Changes an order's attempts under a lock, so that two requests take turns. Your database has transactions. */
function change(string $orderId, callable $decide): array
{
    if (!is_dir(DATA_DIR)) mkdir(DATA_DIR, 0700, true);
    $file = fopen(DATA_DIR . '/order-' . hash('sha256', $orderId) . '.json', 'c+');
    flock($file, LOCK_EX);
    $before = json_decode(stream_get_contents($file) ?: '[]', true);
    $after = $decide($before);
    if ($after !== $before) {
        rewind($file);
        ftruncate($file, 0);
        fwrite($file, json_encode($after));
    }
    fclose($file);
    return $after;
}

// --- Tokens, HTTP ---------------------------------------------------------------------------------------------------

/** What the page puts into the element's `order`: signed, so that orders cannot be guessed. */
function orderToken(string $orderId): string
{
    return $orderId . '.' . substr(hash_hmac('sha256', $orderId, ORDER_SECRET), 0, 32);
}

/** The order behind a token, or the same 404 whatever is wrong. */
function orderOf(string $token): array
{
    $orderId = substr($token, 0, (int) strrpos($token, '.'));
    $order = hash_equals(orderToken($orderId), $token) ? findOrder($orderId) : null;
    return $order ? [$orderId, $order] : problem('not_found', 404);
}

/** Payers are sent back to this shop only. */
function isOwn(mixed $url): bool
{
    return is_string($url) && ($url === SHOP_ORIGIN || str_starts_with($url, SHOP_ORIGIN . '/'));
}

/** [status, body]; status 0 when there was no answer. */
function service(string $method, string $path, ?array $body = null): array
{
    $context = stream_context_create(['http' => [
        'method' => $method, 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0,
        'header' => ['x-api-key: ' . SERVICE_API_KEY, 'content-type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
    ]]);
    $text = @file_get_contents(SERVICE_URL . $path, false, $context);
    $status = $text === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
    $answer = json_decode((string) $text, true);
    return [$status, $status < 500 && is_array($answer) ? $answer : null];
}

function problem(string $code, int $status, array $more = []): never
{
    $title = ucfirst(str_replace('_', ' ', $code));
    answer($status, compact('title', 'status', 'code') + $more, 'application/problem+json');
}

function answer(int $status, array $body, string $type = 'application/json'): never
{
    http_response_code($status);
    header("Content-Type: $type");
    header('Cache-Control: no-store');
    header('X-Content-Type-Options: nosniff');
    exit(json_encode($body));
}

function now(): string
{
    return gmdate('Y-m-d\TH:i:s\Z');
}

if (PHP_SAPI === 'cli') {
    if (($argv[1] ?? '') === 'token') exit(orderToken($argv[2] ?? ''));
    foreach (glob(DATA_DIR . '/payin-*') as $file) {
        refresh(orderOf(file_get_contents($file))[0], substr(basename($file), strlen('payin-')));
    }
    exit;
}
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
str_starts_with($path, '/checkout/')
    ? handle($_SERVER['REQUEST_METHOD'], substr($path, strlen('/checkout')))
    : problem('not_found', 404);
