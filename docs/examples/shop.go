// The shop's side of `npx pay-checkout serve` (docs/not-javascript.md): go get github.com/standard-webhooks/standard-webhooks/libraries.
// shipOnce stands for your code.

func order(w http.ResponseWriter, r *http.Request) {
	expected := "Bearer " + os.Getenv("SHOP_SECRET")
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte(expected)) != 1 {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	order, found := findOrder(r.PathValue("id"))
	if !found {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"amountInCents": order.TotalInCents, "description": order.Title})
}

func outcome(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	webhook, secretErr := standardwebhooks.NewWebhook(os.Getenv("OUTCOMES_SECRET"))
	if err != nil || secretErr != nil || webhook.Verify(body, r.Header) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct {
		Hook   string
		Notice struct{ Order, Key string }
	}
	if json.Unmarshal(body, &event) == nil && event.Hook == "onConfirmed" {
		if err := shipOnce(event.Notice.Order, event.Notice.Key); err != nil {
			w.WriteHeader(http.StatusInternalServerError) // it is sent again
			return
		}
	}
	w.WriteHeader(http.StatusNoContent)
}
