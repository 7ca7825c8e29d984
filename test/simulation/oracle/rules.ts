import type { Members, Owner, PartnerRecord, State } from './evidence.ts';

/** What `detail` may contain beside `ndMeta`, `uuid` and `status` (interface 6.2). */
export const elementNames = [
  'vehicle',
  'customer',
  'valuation',
  'extras',
  'payments',
  'financeProposal',
  'deliveryCollection',
] as const;
type ElementName = (typeof elementNames)[number];

/** Without so long an update a transaction is dormant, and so far apart are its events (interface 6.3, 8). */
export const dormancyMs = 120_000;

/** What an import or a get-or-create began with is told to nobody (EV-10). */
export const silentVersions = { entered: 0, imported: 1, 'get-or-create': 1 } as const;

/** A grant is a rectangle: what it names must be equal, what it does not name is not restricted (interface 6.4). */
const isWithin = (owner: Owner, grant: Owner) =>
  (['group', 'franchise', 'location'] as const).every(
    (dimension) => grant[dimension] === undefined || grant[dimension] === owner[dimension],
  );

/** Whether events about transactions of this owner are for the partner, now or when it is resumed. */
export const isMeantFor = (partner: PartnerRecord | undefined, owner: Owner | undefined): boolean =>
  partner !== undefined &&
  owner !== undefined &&
  partner.enabled &&
  partner.webhookUrl !== undefined &&
  partner.oauthScopes.includes('nop2/read') &&
  partner.grants.some((grant) => isWithin(owner, grant));

/** Whether the partner may be sent them now. */
export const mayBeSent = (partner: PartnerRecord | undefined, owner: Owner | undefined): boolean =>
  isMeantFor(partner, owner) && partner?.webhookPaused !== true;

/** What a message shows of an element: a removed one is null, removed payments are [] (EV-9). */
export const shownOf = (state: State, name: ElementName, showsTokens: boolean): unknown => {
  if (name !== 'payments') return state[name] ?? null;
  return (state.payments ?? []).map(
    (payment): Members => ({ ...payment, token: showsTokens ? (payment.token ?? null) : null }),
  );
};
