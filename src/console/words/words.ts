import type { ConsoleSection, LinkFlow, LinkState, PayoutState } from '../../contract/console.js';
import type { Problem } from '../api.js';
import type { ReconcileResult } from '../../server/operations/reconcile.js';
import type { ReviewKind } from '../../server/orders/review.js';

/** The console's texts. A language is one object of this shape, so the compiler finds what is missing. */

export type Language = 'es' | 'en';

export interface Words {
  readonly title: string;
  readonly skip: string;
  readonly sections: Readonly<Record<ConsoleSection, string>>;
  readonly navigation: string;
  readonly otherLanguage: string;
  readonly signOut: string;
  readonly live: string;
  readonly lost: string;
  readonly serviceAway: string;
  readonly testNote: string;
  readonly demo: string;
  readonly loading: string;
  readonly all: string;
  readonly retry: string;
  readonly more: string;
  readonly rowsOf: (first: number, last: number, total: number) => string;
  readonly copy: string;
  readonly copied: string;
  readonly notCopied: string;
  readonly inSandbox: string;
  readonly noValue: string;
  readonly problems: Readonly<Record<Problem, string>>;
  readonly faults: Readonly<Record<string, string>>;
  readonly signIn: Readonly<Record<'title' | 'lead' | 'token' | 'enter' | 'opening', string>>;
  readonly rails: Readonly<Record<string, string>>;
  readonly statuses: Readonly<Record<string, string>>;
  readonly settlements: Readonly<Record<string, string>>;
  readonly keyTypes: Readonly<Record<string, string>>;
  /** What several forms ask for. */
  readonly form: Readonly<
    Record<
      | 'amount'
      | 'amountFault'
      | 'sample'
      | 'optional'
      | 'referenceHint'
      | 'referenceFault'
      | 'noteHint'
      | 'saveNote'
      | 'noteSaved'
      | 'conceptHint',
      string
    >
  >;
  readonly facts: Readonly<Record<Fact, string>>;
  /** Codes of the service and of the kit; one that is not here is shown as it is. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly overview: Readonly<
    Record<
      | 'lead'
      | 'average'
      | 'collected'
      | 'figures'
      | 'byDay'
      | 'day'
      | 'byMethod'
      | 'waits'
      | 'median'
      | 'p90'
      | 'reasons'
      | 'reason'
      | 'times'
      | 'asTable'
      | 'empty'
      | 'emptyHint',
      string
    >
  > & {
    readonly periods: Readonly<Record<'1' | '7' | '30', string>>;
    readonly steps: Readonly<Record<'started' | 'shown' | 'paid' | 'declined' | 'open' | 'failed', string>>;
    readonly payments: (text: string, count: number) => string;
    readonly needsPerson: (count: number) => string;
  };
  readonly health: Readonly<
    Record<
      | 'title'
      | 'well'
      | 'ill'
      | 'work'
      | 'byTicks'
      | 'due'
      | 'notices'
      | 'events'
      | 'speed'
      | 'failures'
      | 'none'
      | 'away',
      string
    >
  > & {
    readonly since: (count: number, time: string) => string;
    readonly calls: (readMs: number, createMs: number) => string;
  };
  readonly review: Readonly<
    Record<
      | 'lead'
      | 'empty'
      | 'emptyHint'
      | 'unmatchedHint'
      | 'open'
      | 'nothingOpen'
      | 'detail'
      | 'sinceLabel'
      | 'nextStep'
      | 'note'
      | 'handled'
      | 'handledDone'
      | 'attempts'
      | 'notices'
      | 'repeat'
      | 'repeated'
      | 'history'
      | 'seeOrder',
      string
    >
  > & {
    readonly kinds: Readonly<Record<ReviewKind, Readonly<Record<'name' | 'story' | 'next', string>>>>;
    readonly events: Readonly<Record<string, string>>;
    readonly items: (count: number) => string;
    readonly since: (time: string) => string;
    readonly unmatched: (count: number) => string;
    readonly waiting: (tries: number) => string;
  };
  readonly attempts: Readonly<
    Record<'lead' | 'csv' | 'filters' | 'from' | 'to' | 'search' | 'empty' | 'emptyHint', string>
  > & {
    readonly states: Readonly<Record<'open' | 'paid' | 'declined' | 'canceled', string>>;
    readonly totals: (count: string, paid: string, money: string) => string;
  };
  readonly reconcile: Readonly<
    Record<'lead' | 'submit' | 'running' | 'stopped' | 'theirs' | 'ours', string>
  > & {
    readonly results: Readonly<Record<ReconcileResult, string>>;
    readonly done: (compared: number, differing: number) => string;
  };
  readonly payins: Readonly<
    Record<
      | 'lead'
      | 'filters'
      | 'apply'
      | 'clear'
      | 'newer'
      | 'older'
      | 'newest'
      | 'pages'
      | 'empty'
      | 'emptyHint'
      | 'shop'
      | 'noMatch'
      | 'noMatchHint'
      | 'fromLink'
      | 'detail'
      | 'events'
      | 'linkEvents',
      string
    >
  > & { readonly shown: (count: number, scanned: number) => string };
  readonly payouts: Readonly<
    Record<
      | 'lead'
      | 'create'
      | 'empty'
      | 'emptyHint'
      | 'formLead'
      | 'key'
      | 'keyHint'
      | 'person'
      | 'lookUp'
      | 'compare'
      | 'keyUnknown'
      | 'keyMalformed'
      | 'confirmTitle'
      | 'confirmLead'
      | 'discard'
      | 'discarded'
      | 'detail'
      | 'events'
      | 'progress',
      string
    >
  > & {
    readonly send: (amount: string) => string;
    readonly states: Readonly<Record<PayoutState, string>>;
    readonly refusals: Readonly<Record<string, string>> & { readonly other: string };
    readonly steps: Readonly<Record<string, string>>;
  };
  readonly returns: Readonly<
    Record<
      | 'title'
      | 'giveBack'
      | 'formLead'
      | 'payer'
      | 'tooMuch'
      | 'seePayin'
      | 'typed'
      | 'found'
      | 'same'
      | 'differs'
      | 'accept',
      string
    >
  > & {
    readonly formTitle: (reference: string) => string;
    readonly returned: (amount: string) => string;
  };
  readonly customer: Readonly<
    Record<'name' | 'idType' | 'idNumber' | 'idHint' | 'phone' | 'email', string>
  > & { readonly idTypes: Readonly<Record<string, string>> };
  readonly links: Readonly<
    Record<
      | 'lead'
      | 'create'
      | 'empty'
      | 'emptyHint'
      | 'flow'
      | 'chooseBank'
      | 'callback'
      | 'submit'
      | 'detail'
      | 'address'
      | 'open'
      | 'whatsApp'
      | 'poster'
      | 'posterLead'
      | 'print'
      | 'another'
      | 'anotherPayer'
      | 'qr'
      | 'qrHint'
      | 'events'
      | 'payins'
      | 'noPayins'
      | 'olderPayins',
      string
    >
  > & {
    readonly flows: Readonly<Record<LinkFlow, string>>;
    readonly flowHints: Readonly<Record<LinkFlow, string>>;
    readonly states: Readonly<Record<LinkState, string>>;
  };
  readonly webhooks: Readonly<
    Record<
      | 'lead'
      | 'empty'
      | 'emptyHint'
      | 'noneYet'
      | 'forged'
      | 'body'
      | 'deliveries'
      | 'noDeliveries'
      | 'resend'
      | 'resent'
      | 'mishaps',
      string
    >
  > & {
    readonly attempts: (count: number) => string;
    readonly answered: (status: number) => string;
    readonly errors: Readonly<Record<'timeout' | 'unreachable', string>>;
    readonly nextAttempt: (time: string) => string;
  };
  readonly orders: Readonly<
    Record<'lead' | 'empty' | 'emptyHint' | 'detail' | 'events' | 'story' | 'noNotices' | 'late', string>
  > & {
    readonly noticeCount: (count: number) => string;
    readonly duplicates: (count: number) => string;
  };
}

export type Fact =
  | 'amount'
  | 'confirmed'
  | 'order'
  | 'payin'
  | 'status'
  | 'rail'
  | 'reference'
  | 'created'
  | 'updated'
  | 'result'
  | 'settlement'
  | 'error'
  | 'chargeback'
  | 'link'
  | 'key'
  | 'keyType'
  | 'bank'
  | 'cus'
  | 'payer'
  | 'document'
  | 'phone'
  | 'email'
  | 'account'
  | 'receiver'
  | 'serviceId'
  | 'expires'
  | 'completed'
  | 'flow'
  | 'products'
  | 'concept'
  | 'note'
  | 'payout'
  | 'returnOf';
