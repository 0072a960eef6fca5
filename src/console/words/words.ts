import type { LinkFlow, LinkState, PayoutState } from '../../server/console/views.js';
import type { Problem } from '../api.js';
import type { Section } from '../route.js';

/** The console's texts. A language is one object of this shape, so the compiler finds what is missing. */

export type Language = 'es' | 'en';

export interface Words {
  readonly title: string;
  readonly skip: string;
  readonly sections: Readonly<Record<Section, string>>;
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
  readonly back: string;
  readonly retry: string;
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
  readonly facts: Readonly<Record<Fact, string>>;
  readonly payins: Readonly<
    Record<
      | 'title'
      | 'lead'
      | 'filters'
      | 'status'
      | 'rail'
      | 'search'
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
      | 'noEvents'
      | 'linkEvents',
      string
    >
  > & { readonly shown: (count: number, scanned: number) => string };
  readonly payouts: Readonly<
    Record<
      | 'title'
      | 'lead'
      | 'create'
      | 'empty'
      | 'emptyHint'
      | 'formTitle'
      | 'formLead'
      | 'key'
      | 'keyHint'
      | 'amount'
      | 'person'
      | 'lookUp'
      | 'sample'
      | 'keyUnknown'
      | 'keyMalformed'
      | 'amountFault'
      | 'confirmTitle'
      | 'confirmLead'
      | 'discard'
      | 'discarded'
      | 'detail'
      | 'progress',
      string
    >
  > & {
    readonly send: (amount: string) => string;
    readonly states: Readonly<Record<PayoutState, string>>;
    readonly refusals: Readonly<Record<string, string>> & { readonly other: string };
    readonly steps: Readonly<Record<string, string>>;
  };
  readonly customer: Readonly<
    Record<'name' | 'idType' | 'idNumber' | 'idHint' | 'phone' | 'email', string>
  > & { readonly idTypes: Readonly<Record<string, string>> };
  readonly links: Readonly<
    Record<
      | 'title'
      | 'lead'
      | 'create'
      | 'empty'
      | 'emptyHint'
      | 'formTitle'
      | 'flow'
      | 'amount'
      | 'rail'
      | 'bank'
      | 'chooseBank'
      | 'callback'
      | 'submit'
      | 'detail'
      | 'address'
      | 'open'
      | 'qr'
      | 'qrHint'
      | 'events',
      string
    >
  > & {
    readonly flows: Readonly<Record<LinkFlow, string>>;
    readonly flowHints: Readonly<Record<LinkFlow, string>>;
    readonly states: Readonly<Record<LinkState, string>>;
  };
  readonly webhooks: Readonly<
    Record<
      | 'title'
      | 'lead'
      | 'log'
      | 'empty'
      | 'emptyHint'
      | 'forged'
      | 'body'
      | 'deliveries'
      | 'noDeliveries'
      | 'more'
      | 'resend'
      | 'resent'
      | 'mishaps'
      | 'mishapsLead'
      | 'always'
      | 'next',
      string
    >
  > & {
    readonly attempts: (count: number) => string;
    readonly answered: (status: number) => string;
    readonly errors: Readonly<Record<'timeout' | 'unreachable', string>>;
    readonly nextAttempt: (time: string) => string;
    readonly active: (count: number) => string;
  };
  readonly orders: Readonly<
    Record<'title' | 'lead' | 'empty' | 'emptyHint' | 'detail' | 'notices' | 'noNotices' | 'late', string>
  > & {
    readonly noticeCount: (count: number) => string;
    readonly duplicates: (count: number) => string;
  };
}

export type Fact =
  | 'amount'
  | 'confirmed'
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
  | 'customer'
  | 'products';
