/**
 * What is broken in turn in the backend of full_backend.py (see faults.py), and the checks that must find it,
 * with the sandbox behind it, and no other check. Where no play is named, none is played. A level that is left out does
 * not promise what the fault breaks.
 */
interface PlantedFault {
  readonly fault: string;
  readonly full?: readonly string[];
  readonly basic?: readonly string[];
  /** Its page has another origin. */
  readonly isElsewhere?: true;
}

/** A fault that both levels find by the same checks. */
const both = (fault: string, ...ids: string[]): PlantedFault => ({ fault, full: ids, basic: ids });
const full = (fault: string, ...ids: string[]): PlantedFault => ({ fault, full: ids });
const elsewhere = (fault: string, ...ids: string[]): PlantedFault => ({
  ...both(fault, ...ids),
  isElsewhere: true,
});

/** The same, where the play of two payments fails too: only Full knows of duplicates. */
const money = (fault: string, ...ids: string[]): PlantedFault => ({
  fault,
  full: [...ids, 'play-duplicate'],
  basic: ids,
});

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  both('ignores-the-signature-of-tokens', 'order-token'),
  both('sells-orders-that-do-not-exist', 'unknown-order', 'order-token'),
  both('takes-posts-from-any-site', 'foreign-origin'),
  both('takes-text-for-json', 'content-type'),
  both('shows-somebodys-payin-for-an-unknown-id', 'unknown-id'),
  full('counts-its-payins', 'ids'),
  full('sends-payers-anywhere', 'return-url'),
  both('takes-the-price-from-the-browser', 'no-amount'),
  { fault: 'writes-pesos-where-cents-belong', full: ['price', 'service-amount'], basic: ['service-amount'] },
  full('asks-for-less-than-the-offer-says', 'price'),
  both('asks-the-service-for-another-amount', 'service-amount'),
  both('writes-amounts-as-text', 'create'),
  both('changes-the-amount-later', 'status'),
  {
    fault: 'forgets-idempotency-keys',
    full: ['idempotency-mismatch'],
    basic: ['idempotency', 'service-once'],
  },
  both('makes-two-payins-of-two-requests-at-once', 'idempotency', 'service-once'),
  both('needs-no-idempotency-key', 'key-required'),
  full('takes-a-key-for-another-request', 'idempotency-mismatch'),
  both('answers-200-for-201', 'create'),
  both('fails-at-a-broken-body', 'body-checked'),
  full('leaves-the-return-id-out', 'return-id'),
  both('adds-a-second-return-id', 'return-id'),
  both('leaves-the-reference-out', 'create'),
  full('opens-a-second-payin-for-a-second-tab', 'one-attempt'),
  full('replaces-any-payin', 'replace'),
  full('leaves-the-open-payin-out-of-the-offer', 'resume'),
  full('takes-old-offers', 'offer-changed'),
  full('never-changes-the-version', 'version', 'play-paid'),
  full('changes-the-version-at-every-read', 'waiting'),
  full('claims-to-have-waited', 'waiting'),
  both('shows-the-payers-data', 'private'),
  both('shows-the-payers-data-with-pse-only', 'private'),
  both('shows-the-organization', 'private'),
  both('lets-answers-be-cached', 'headers'),
  both('calls-json-a-page', 'headers'),
  { fault: 'refuses-in-its-own-format', full: ['unknown-order', 'order-token', 'errors'], basic: ['errors'] },
  both('refuses-with-another-status', 'errors'),
  both('refuses-with-words-of-its-own', 'errors'),
  both('takes-events-from-anybody', 'webhook-header'),
  both('refuses-events-it-does-not-know', 'webhook-event'),
  both('fails-at-an-unreadable-event', 'webhook-unreadable'),
  both('believes-events', 'webhook-forged'),
  money('ships-at-every-event', 'play-paid', 'play-late', 'play-underpaid'),
  elsewhere('asks-for-credentials-before-a-preflight', 'cors-preflight'),
  elsewhere('forgets-the-key-among-allowed-headers', 'cors-preflight'),
  elsewhere('lets-pages-read-only-what-went-well', 'cors-answers'),
  elsewhere('repeats-any-origin-with-cookies', 'cors-strangers'),
  both('takes-an-unknown-status-for-paid', 'play-unknown-status'),
  full('calls-half-the-price-paid', 'play-underpaid'),
  money('ships-whatever-is-confirmed', 'play-underpaid'),
  money('asks-nobody-about-money-that-does-not-fit', 'play-underpaid'),
  both('hides-what-was-confirmed', 'play-underpaid'),
  both('takes-declined-for-the-end', 'play-late'),
  both('learns-by-events-alone', 'play-declined', 'play-unknown-status'),
  full('sells-a-paid-order-again', 'play-paid'),
  full('forgets-payins-that-were-replaced', 'play-duplicate'),
  full('says-nothing-of-a-second-payment', 'play-duplicate'),
  money(
    'forgets-what-the-shop-did-not-take',
    'play-paid',
    'play-late',
    'play-underpaid',
    'play-unknown-status',
  ),
  money('never-tells-the-shop', 'play-paid', 'play-late', 'play-underpaid', 'play-unknown-status'),
];
