# The shop's side of `npx pay-checkout serve` (docs/not-javascript.md): Rails, gem install standardwebhooks.
# ship_once stands for your code.

class CheckoutController < ActionController::API
  def order
    expected = "Bearer #{ENV.fetch('SHOP_SECRET')}"
    given = request.headers['Authorization'].to_s
    return head :unauthorized unless ActiveSupport::SecurityUtils.secure_compare(given, expected)

    order = Order.payable.find_by(number: params[:id]) or return head :not_found
    render json: { amountInCents: order.total_in_cents, description: order.title }
  end

  def outcome
    names = %w[webhook-id webhook-timestamp webhook-signature]
    headers = names.to_h { |name| [name, request.headers[name]] }
    event = StandardWebhooks::Webhook.new(ENV.fetch('OUTCOMES_SECRET')).verify(request.raw_post, headers)
    ship_once(event[:notice][:order], event[:notice][:key]) if event[:hook] == 'onConfirmed'
    head :no_content
  rescue StandardWebhooks::WebhookVerificationError
    head :unauthorized
  end
end
