// The shop's side of `npx pay-checkout serve` (docs/not-javascript.md): dotnet add package StandardWebhooks.
// ShipOnce stands for your code.

app.MapGet("/internal/orders/{id}", (string id, HttpRequest request) =>
{
    var expected = Encoding.UTF8.GetBytes($"Bearer {Environment.GetEnvironmentVariable("SHOP_SECRET")}");
    var given = Encoding.UTF8.GetBytes(request.Headers.Authorization.ToString());
    if (!CryptographicOperations.FixedTimeEquals(given, expected)) return Results.Unauthorized();
    var order = FindOrder(id);
    return order is null
        ? Results.NotFound()
        : Results.Json(new { amountInCents = order.TotalInCents, description = order.Title });
});

app.MapPost("/internal/outcomes", async (HttpRequest request) =>
{
    using var reader = new StreamReader(request.Body);
    var body = await reader.ReadToEndAsync();
    try
    {
        new StandardWebhook(Environment.GetEnvironmentVariable("OUTCOMES_SECRET")!).Verify(body, request.Headers);
    }
    catch (WebhookVerificationException)
    {
        return Results.Unauthorized();
    }
    var message = JsonNode.Parse(body)!;
    if ((string?)message["hook"] == "onConfirmed")
    {
        await ShipOnce((string)message["notice"]!["order"]!, (string)message["notice"]!["key"]!);
    }
    return Results.NoContent();
});
