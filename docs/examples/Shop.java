// The shop's side of `npx pay-checkout serve` (docs/not-javascript.md): Spring, com.standardwebhooks:standardwebhooks.
// shipOnce stands for your code.

@GetMapping("/internal/orders/{id}")
ResponseEntity<?> order(@PathVariable String id, @RequestHeader("Authorization") String given) {
    byte[] expected = ("Bearer " + System.getenv("SHOP_SECRET")).getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected)) {
        return ResponseEntity.status(401).build();
    }
    return orders.find(id)
        .map(order -> ResponseEntity.ok(Map.of("amountInCents", order.totalInCents(), "description", order.title())))
        .orElse(ResponseEntity.notFound().build());
}

@PostMapping("/internal/outcomes")
ResponseEntity<?> outcome(@RequestBody String body, @RequestHeader HttpHeaders headers) throws Exception {
    try {
        var signed = java.net.http.HttpHeaders.of(headers, (name, value) -> true);
        new Webhook(System.getenv("OUTCOMES_SECRET")).verify(body, signed);
    } catch (WebhookVerificationException error) {
        return ResponseEntity.status(401).build();
    }
    JsonNode event = new ObjectMapper().readTree(body);
    if (event.path("hook").asText().equals("onConfirmed")) {
        shipOnce(event.at("/notice/order").asText(), event.at("/notice/key").asText());
    }
    return ResponseEntity.noContent().build();
}
