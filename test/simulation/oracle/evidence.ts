/** Members of a JSON object. */
export type Members = { readonly [name: string]: unknown };

/** Who owns a transaction (interface 2.2). */
export type Owner = { group?: string; franchise?: string; location?: string };

/** A transaction as it was written (interface 2.1). */
export type State = Members & {
  uuid: string;
  status: number;
  isDeleted: number;
  ndMeta?: Owner;
  payments?: readonly Members[];
};

/** A state of a transaction from `atMs` on; `writtenMs` is when it was written, by the clock of the writer. */
export type Change = { atMs: number; writtenMs: number; state: State };

/** A transaction from its beginning: its first state is version 1, and each further one counts one more. */
export type Life = { uuid: string; beganAs: 'entered' | 'imported' | 'get-or-create'; changes: Change[] };

/** What the operator has on record about a partner. */
export type PartnerRecord = {
  enabled: boolean;
  oauthScopes: readonly string[];
  grants: readonly { group: string; franchise?: string; location?: string }[];
  showsPaymentTokens: boolean;
  webhookUrl?: string;
  webhookPaused?: string;
};

/** A partner's record from `atMs` on; it is absent when the partner is gone. `isServed`: its events leave, or are kept yet. */
export type PartnerChange = { atMs: number; clientId: string; partner?: PartnerRecord; isServed: boolean };

/** What the headers beside a message say. */
type Headers = { id: string; from: number; to: number; omitted: string };

/** A message that was put on the bus for a partner. `isAgain`: it is of what the partner was owed. */
export type Sent = Headers & {
  atMs: number;
  clientId: string;
  type: string;
  body: string;
  isAgain: boolean;
};

/** A message that reached a partner's endpoint and was answered with 2xx. */
export type Received = Headers & { atMs: number; clientId: string; body: string };

/** An entry that the bus refused. */
type Refused = { id: string; clientId: string; uuid: string; from: number; to: number };

/** Whom a publication was meant for when it was made. */
type Publication = { atMs: number; id: string; uuid: string; clientIds: readonly string[] };

/** What one partner is owed in the end, and why. */
export type Owed = {
  clientId: string;
  uuid: string;
  type: string;
  from: number;
  to: number;
  reason: string;
};

/** What may be expected of a world. */
type Terms = {
  source: string;
  /** How long the effects of a decision may last. */
  graceMs: number;
  /** How long a write may be under way. */
  writeMs: number;
  /** By how much two clocks may differ. */
  skewMs: number;
  /** How late an update and a completion may be; absent where so much goes wrong that nothing is promised. */
  within?: { updatedMs: number; completedMs: number; lostRecordMs: number };
};

/** Everything that was seen from outside in a world. Times are milliseconds of true virtual time, but in messages. */
export type Evidence = {
  epochMs: number;
  lives: readonly Life[];
  partners: readonly PartnerChange[];
  publications: readonly Publication[];
  sent: readonly Sent[];
  received: readonly Received[];
  refused: readonly Refused[];
  /** Partners whose endpoints were unwell at some time. */
  unwell: ReadonlySet<string>;
  /** Transactions whose stream record was lost. */
  lostRecords: ReadonlySet<string>;
  owed: readonly Owed[];
  terms: Terms;
};

/** Something that must not be. */
export type Verdict = { invariant: string; what: string; uuid?: string; atMs?: number };
