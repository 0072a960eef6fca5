import type { CustomerField } from '../contract/backend.js';

/**
 * Every word the payer can meet. One flat object per language, in its own file; a page may replace some of them with
 * the `messages` property. Texts with a changing part are functions, so that each language orders its words freely.
 */
export interface Messages extends OpeningMessages, PayingMessages {}

/** Until there is a payment, and when none can be made: in the first download. */
export interface OpeningMessages {
  /** The BCP 47 tag these words are written in; numbers and dates follow it. */
  readonly locale: string;

  // Everywhere
  readonly loading: string;
  readonly back: string;
  readonly retry: string;
  readonly close: string;
  readonly total: string;
  /** Who is paid, where the page does not say. */
  readonly theMerchant: string;
  readonly checkoutLabel: (merchant: string) => string;
  readonly neverAskPassword: string;
  readonly helpTitle: string;
  readonly helpReference: (reference: string) => string;
  readonly offline: string;

  // Choose a method
  readonly chooseTitle: string;
  readonly chooseOne: string;
  /** Both kinds of key as one method. */
  readonly methodBreb: string;
  readonly methodBrebHint: string;
  readonly methodQr: string;
  readonly methodQrHint: string;
  readonly methodKey: string;
  readonly methodKeyHint: string;
  readonly methodPse: string;
  readonly methodPseHint: string;
  readonly methodLink: string;
  readonly methodLinkHint: string;
  readonly methodNeeds: (fields: readonly string[]) => string;
  readonly overBrebLimit: (limit: string, others: boolean) => string;
  /** More than Bre-B carries at all, whatever the bank allows. */
  readonly brebTooMuch: string;
  /** Bre-B refused the payment; PSE has sentences of its own. */
  readonly brebRefused: string;
  /** After what cannot be paid this way: where else, by whether the order has other methods. */
  readonly payElsewhere: (others: boolean) => string;
  readonly noMethods: string;
  readonly continue: string;

  readonly bank: string;
  readonly document: string;
  readonly fields: Readonly<Record<CustomerField, string>>;
  readonly payBreb: string;

  // Creating, preparing, redirecting
  readonly creatingBreb: string;
  readonly creatingPse: string;
  readonly unsafeAddress: string;

  readonly otherMethod: string;

  readonly finish: string;

  readonly goToLink: string;

  // Errors
  readonly errorTitle: string;
  /** A part of the widget could not be fetched. */
  readonly partMissing: string;
  readonly reload: string;
  readonly errors: Readonly<Record<ErrorReason, string>>;
}

/** Since a method was chosen: they come with the screens that show them. */
export interface PayingMessages {
  readonly offlinePaying: string;
  readonly trouble: string;
  readonly amountChanged: (amount: string) => string;

  /** After what did not work this time. */
  readonly payAgain: (others: boolean) => string;

  // Details
  readonly detailsTitleBreb: string;
  readonly detailsTitlePse: string;
  readonly detailsLeadPse: string;
  readonly personType: string;
  readonly individual: string;
  readonly business: string;
  readonly bankPlaceholder: string;
  readonly banksFound: (count: number) => string;
  readonly bankNone: (query: string) => string;
  readonly banksUnavailable: string;
  readonly showBanks: string;
  readonly idTypes: Readonly<Record<'CO_CC' | 'CO_CE' | 'CO_NIT' | 'PASSPORT', string>>;
  readonly idTypeNames: Readonly<Record<'CO_CC' | 'CO_CE' | 'CO_NIT' | 'PASSPORT', string>>;
  /** Documents that people have and the service does not take. */
  readonly documentHint: string;
  readonly businessName: string;
  readonly known: (hint: string) => string;
  readonly phoneHint: string;
  readonly goToBank: string;
  /** Opt-in, with what the payer consents to, and how to take it back. */
  readonly keepDetails: string;
  readonly keepConsent: (merchant: string) => string;
  readonly deleteKept: string;
  readonly keptDeleted: string;
  /** Before the links to the merchant's policies. */
  readonly dataUse: (merchant: string) => string;
  readonly privacyPolicy: string;
  readonly terms: string;
  readonly fieldErrors: Readonly<Record<FieldMessage, string>>;
  readonly errorSummary: (count: number) => string;

  /** A create that is not answered after some seconds. */
  readonly creatingSlow: string;
  readonly preparingTitle: string;
  readonly preparingLead: string;
  readonly stalledTitle: string;
  readonly stalledLead: string;
  readonly stalledBrebTitle: string;
  readonly stalledBrebLead: string;
  readonly redirectingTitle: (bank: string) => string;
  readonly redirectingLead: string;
  readonly redirectLink: string;

  // Bre-B
  readonly brebTitle: string;
  readonly brebLeadQr: string;
  readonly brebLeadKey: string;
  readonly key: string;
  readonly exactAmount: string;
  readonly copy: string;
  readonly copyKey: string;
  readonly copyAmount: string;
  readonly copied: string;
  readonly keyCopied: string;
  readonly amountCopied: string;
  readonly copyFailed: string;
  /** The same where there is a keyboard. */
  readonly copyFailedKeys: string;
  readonly sendExactly: (amount: string) => string;
  readonly qrAlt: (amount: string) => string;
  readonly saveQr: string;
  readonly shareQr: string;
  readonly enlargeQr: string;
  readonly showQr: string;
  readonly qrFailed: string;
  readonly qrSaved: string;
  readonly qrSaveFailed: string;
  readonly phoneTitle: string;
  readonly phoneFailed: string;
  readonly phoneLead: string;
  readonly phoneQrAlt: string;
  /** On the device that has the bank's app too: the apps that the merchant names. */
  readonly whichApp: string;
  readonly whichAppHint: string;
  readonly steps: string;
  readonly stepOpen: string;
  readonly stepOpenApp: (app: string, path: string) => string;
  readonly stepPay: string;
  readonly stepPayKey: string;
  readonly stepConfirm: (payee: string | null) => string;
  /** On the device that has the bank's app too. */
  readonly stepReturn: string;
  readonly waitingPayment: string;
  readonly expiresIn: (time: string) => string;
  readonly expiresSoon: (minutes: number) => string;
  readonly alreadyPaid: string;
  readonly checking: string;
  readonly notYet: string;
  readonly newKey: string;
  /** Opens `newKeyLead` and the button for another key. */
  readonly keyTrouble: string;
  readonly newKeyLead: string;
  readonly doNotPayTwice: string;
  /** The same where a bank may still have the payment. */
  readonly onlyIfNotAuthorised: string;
  /** In a tab whose key is no longer the one to pay. */
  readonly replacedElsewhere: string;
  readonly showCurrent: string;
  readonly earlierWatched: string;
  readonly inProgress: string;

  // Lapsed
  readonly lapseChecking: string;
  readonly lapsedTitle: string;
  readonly lapsedLead: string;

  // Back from the bank, pending
  readonly verifyingTitle: string;
  /** The same for a payer who comes back from the hosted page. */
  readonly verifyingTitleLink: string;
  readonly verify: string;
  readonly verifyingLead: string;
  readonly pendingTitle: string;
  readonly pendingLead: string;
  readonly pendingPse: (parts: PendingParts) => string;
  readonly pendingCheckDebit: string;
  readonly checkStatus: string;
  readonly stillPending: string;
  readonly continueToBank: string;
  readonly notAuthorised: string;
  /** Declares it, on the way to another method. */
  readonly notAuthorisedOther: string;
  readonly pseLocked: (time: string) => string;

  // Outcomes
  readonly confirmedTitle: string;
  readonly confirmedLead: (merchant: string) => string;
  readonly lateLead: (merchant: string) => string;
  readonly differsTitle: string;
  readonly differsLead: (received: string, asked: string) => string;
  /** Too little, where the rest can be paid. */
  readonly differsLess: (received: string, asked: string, rest: string) => string;
  readonly differsMore: (received: string, asked: string, excess: string, merchant: string) => string;
  readonly payRest: (rest: string) => string;
  /** On the way to paying the rest. */
  readonly payingRest: (received: string) => string;
  readonly duplicateTitle: string;
  readonly duplicateLead: (merchant: string) => string;
  readonly paymentsTotal: string;
  readonly paymentsMissing: string;
  readonly paymentsExcess: string;
  readonly paidByOther: string;
  readonly declinedTitle: string;
  readonly canceledTitle: string;
  /** No payment was made: nobody declined it, because no bank was asked. */
  readonly notStartedTitle: string;
  readonly notStartedLead: (method: string) => string;
  readonly canceledLead: string;
  readonly reasons: Readonly<Record<DeclineReason, string>>;
  readonly receipt: string;
  readonly receiptState: string;
  readonly states: Readonly<Record<ReceiptState, string>>;
  readonly receiptAmount: string;
  readonly receiptAsked: string;
  readonly receiptMethod: string;
  readonly receiptBank: string;
  readonly receiptReference: string;
  readonly receiptCus: string;
  readonly receiptDate: string;
  readonly receiptMerchant: string;
  /** Opens the rest of the receipt. */
  readonly receiptMore: string;
  readonly receiptDescription: string;
  readonly taxId: (taxId: string) => string;
  readonly print: string;
  readonly saveReceipt: string;
  readonly shareReceipt: string;
  readonly receiptSaved: string;
  readonly receiptSaveFailed: string;
  /** In place of the last button, where the page does nothing with it. */
  readonly canClose: string;
  readonly tryAgain: string;

  // Payment links
  readonly linkTitle: string;
  readonly linkLead: string;
  readonly linkAddress: string;
  readonly copyLink: string;
  readonly linkCopied: string;
  readonly shareLink: string;
  readonly linkQrAlt: string;
  readonly linkExpiresIn: (time: string) => string;
  readonly linkExpiresSoon: (minutes: number) => string;
  readonly linkExpiredTitle: string;
  readonly linkExpiredLead: string;
  readonly newLink: string;

  // Leaving an open payment
  readonly leaveTitle: string;
  readonly leaveLead: string;
  readonly leaveStay: string;
  readonly leaveClose: string;
}

/** What is wrong with a field, said as how to fix it. */
export type FieldMessage =
  | 'required'
  | 'bank'
  | 'name'
  | 'CO_CC'
  | 'CO_CE'
  | 'CO_NIT'
  | 'nitCheckDigit'
  | 'PASSPORT'
  | 'phone'
  | 'email'
  | 'refused';

/** `DIFFERS` and `TWICE` are approved too, and say what is particular about it. */
export type ReceiptState = 'APPROVED' | 'DIFFERS' | 'TWICE' | 'REJECTED' | 'PENDING' | 'CANCELED';

export type DeclineReason = 'declined' | 'bank_unavailable' | 'limit_exceeded' | 'service_refused';

/** Why the payer cannot go on; each text says what to do next. */
export type ErrorReason =
  'notFound' | 'network' | 'unavailable' | 'busy' | 'tooManyAttempts' | 'refused' | 'setup' | 'unexpected';

export interface PendingParts {
  readonly reference: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly cus: string | null;
}
