/** What reading untrusted text gives: the good value, or a stable code that says why there is none. */
export type Parsed<Value extends object, Reason extends string> =
  ({ readonly ok: true } & Readonly<Value>) | Refused<Reason>;

export interface Refused<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}

export const refuse = <Reason extends string>(reason: Reason): Refused<Reason> => ({ ok: false, reason });
