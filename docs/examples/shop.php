<?php
/**
 * A shop in PHP beside `npx pay-checkout serve`: it says what an order costs, and ships what is paid.
 *
 *   export SHOP_SECRET=$(openssl rand -hex 32) OUTCOMES_SECRET="whsec_$(openssl rand -base64 32)" DATABASE=/tmp/shop.db
 *   php -S 127.0.0.1:8000 shop.php
 */
declare(strict_types=1);

/** Stands for your database. */
const ORDERS = ['A-1042' => ['amountInCents' => 12500000, 'description' => '2 bolsas de café']];

/** The key is the same when a notice comes again: it is stored with what was done, in one transaction. */
function shipOnce(string $order, string $key): void
{
    $db = new PDO('sqlite:' . getenv('DATABASE'), options: [PDO::ATTR_TIMEOUT => 30]);
    $db->exec('BEGIN IMMEDIATE');
    $db->exec('CREATE TABLE IF NOT EXISTS shipped (key TEXT PRIMARY KEY, order_id TEXT)');
    $insert = $db->prepare('INSERT OR IGNORE INTO shipped VALUES (?, ?)');
    $insert->execute([$key, $order]);
    if ($insert->rowCount() === 1) error_log("$order is paid: ship it");
    $db->exec('COMMIT');
}

/** Standard Webhooks: over id, time and the body as it came, and not older than five minutes. */
function isSigned(string $body): bool
{
    [$id, $time] = [$_SERVER['HTTP_WEBHOOK_ID'] ?? '', $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? ''];
    $key = base64_decode(substr((string) getenv('OUTCOMES_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return abs(time() - (int) $time) < 300 && array_filter($given, fn($each) => hash_equals($expected, $each)) !== [];
}

$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/internal/outcomes') { // this order is paid
    $body = (string) file_get_contents('php://input');
    if (!isSigned($body)) exit(http_response_code(401));
    $event = json_decode($body, true);
    if ($event['hook'] === 'onConfirmed') shipOnce($event['notice']['order'], $event['notice']['key']);
    http_response_code(204);
} elseif (str_starts_with($path, '/internal/orders/')) { // what does this order cost?
    if (!hash_equals('Bearer ' . getenv('SHOP_SECRET'), $_SERVER['HTTP_AUTHORIZATION'] ?? '')) exit(http_response_code(401));
    $order = ORDERS[rawurldecode(substr($path, strlen('/internal/orders/')))] ?? exit(http_response_code(404));
    header('Content-Type: application/json');
    echo json_encode($order);
} else {
    http_response_code(404);
}
