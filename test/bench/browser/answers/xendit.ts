import { type Backend, CODE_TEXT, json, NO_PICTURE } from './backend.js';

/** A session with one QR channel, as Xendit's gateway describes it; its test data of the same package is the model. */
export function openXendit(): Backend {
  let paid = false;
  const now = new Date();
  const session = () => ({
    payment_session_id: 'ps-661f87c614802d6c402cd82d',
    created: now.toISOString(),
    updated: now.toISOString(),
    status: paid ? 'COMPLETED' : 'ACTIVE',
    reference_id: 'A-1042',
    description: 'Café de origen',
    currency: 'IDR',
    amount: 49_900,
    country: 'ID',
    expires_at: new Date(now.getTime() + 30 * 60_000).toISOString(),
    session_type: 'PAY',
    mode: 'COMPONENTS',
    locale: 'en',
    business_id: '661f87c614802d6c402cd82d',
    customer_id: 'cust-1',
    capture_method: 'AUTOMATIC',
    allow_save_payment_method: 'DISABLED',
    items: [],
    ...(paid ? { payment_request_id: 'pr-1' } : {}),
  });
  const request = () => ({
    payment_request_id: 'pr-1',
    status: paid ? 'SUCCEEDED' : 'REQUIRES_ACTION',
    channel_code: 'QRIS',
    session_token_request_id: 'tr-1',
    actions: [
      {
        type: 'PRESENT_TO_CUSTOMER',
        descriptor: 'QR_STRING',
        value: CODE_TEXT,
        action_title: 'Pay with QR Code',
        action_subtitle: 'Scan the QR code below',
        action_graphic: '',
        instructions: null,
      },
    ],
  });
  return {
    orders: [`session-${'0123456789abcdef'.repeat(2)}-pl-cHVibGlj-c2lnbmF0dXJl`],
    answer({ url }) {
      const { host, pathname } = new URL(url);
      if (host !== 'checkout-ui-gateway.xendit.co') return undefined;
      if (pathname.endsWith('/payment_requests')) return json(request());
      if (pathname.endsWith('/poll')) {
        return json({
          session: session(),
          payment_request: request(),
          ...(paid ? { succeeded_channel: { channel_code: 'QRIS', logo_url: '' } } : {}),
        });
      }
      return json({ session: session(), ...merchant });
    },
    settle: () => void (paid = true),
    close: () => {},
  };
}

const merchant = {
  business: { name: 'Tienda', country_of_operation: 'Indonesia', merchant_profile_picture_url: '' },
  customer: {
    type: 'INDIVIDUAL',
    id: 'cust-1',
    email: 'p**@example.com',
    mobile_number: null,
    phone_number: null,
    individual_detail: { given_names: 'P***', surname: 'P***' },
  },
  payment_methods: [],
  channels: [
    {
      brand_name: 'QRIS',
      channel_code: 'QRIS',
      brand_logo_url: NO_PICTURE,
      ui_group: 'qr',
      pm_type: 'QR_CODE',
      allow_pay_without_save: true,
      allow_save: false,
      brand_color: '#000000',
      min_amount: 1_000,
      max_amount: 100_000_000,
      requires_customer_details: false,
      form: [],
      instructions: ['Scan the code with the app of your bank'],
    },
  ],
  channel_ui_groups: [{ id: 'qr', label: 'QR', icon_url: NO_PICTURE }],
};
