import { isDeepStrictEqual } from 'node:util';
import type { Life, Members, Owner, PartnerRecord, State } from './evidence.ts';

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

/** The dormancy, and the least time between two events of a transaction (interface 6.3, 8). */
export const dormancyMs = 120_000;

/**
 * EV-10: the first version that partners are notified of. Of an import it is the first change; of a checkout that began
 * empty, the first change of anything but its location.
 */
export const notifyFromVersion = ({ beganAs, changes }: Pick<Life, 'beganAs' | 'changes'>): number => {
  if (beganAs !== 'get-or-create') return beganAs === 'imported' ? 2 : 1;
  const contentOf = (change: Life['changes'][number] | undefined) => ({
    ...change?.state,
    ndMeta: undefined,
  });
  const empty = contentOf(changes[0]);
  const first = changes.findIndex((change) => !isDeepStrictEqual(contentOf(change), empty));
  return (first === -1 ? changes.length : first) + 1;
};

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
  isMeantFor(partner, owner) && partner?.webhookPaused === undefined;

/** The tables of interface 2.3 and 2.4: an element has all members of its table, null if unknown (SHAPE-1). */
const tables = {
  payments:
    'id transaction_id hash token reference provider_references type product_identifier value status message is_selected settings details transaction_completed_at created_at created_by updated_at updated_by gateway_id',
  deliveryCollection:
    'is_default is_live lead_time method order price hash preferred_date delivery_date delivery_status minDate maxDate type units originalPrice',
};

const wholeOf = (table: keyof typeof tables, element: Members): Members =>
  Object.fromEntries(tables[table].split(' ').map((name) => [name, element[name] ?? null]));

/** What a message shows of an element: a removed one is null, removed payments are [] (EV-9). */
export const shownOf = (state: State, name: ElementName, showsTokens: boolean): unknown => {
  const element = state[name];
  if (name === 'deliveryCollection' && element) return wholeOf(name, element as Members);
  if (name !== 'payments') return element ?? null;
  return (state.payments ?? []).map((payment) => ({
    ...wholeOf(name, payment),
    ...(showsTokens ? {} : { token: null }),
  }));
};
