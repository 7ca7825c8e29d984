import { type Answer, at, hasStatus, isTrue, listAt, within } from './answer.ts';
import type { Check } from './check.ts';
import { guestOf, jsonOf, lists, programOf } from './clients.ts';
import type { Guest, Visit } from './visit.ts';

/** Everything of a run is of this group, which no shop has. */
const group = 'smoke';
/** No page can have it: `invalid` is reserved (RFC 2606). */
const origin = 'https://smoke.invalid';

type Operator = Guest['operator'];

/** Makes the partner and the storefront of a run, by the operator's tool and its record. */
export const welcomeGuest = async (
  operator: Operator,
  { id, receiver }: { id: string; receiver?: string | undefined },
): Promise<Guest> => {
  const name = `${group}-${id}`;
  await openStorefront(operator);
  const webhook = receiver === undefined ? [] : ['--webhook-url', receiver];
  try {
    const made = await operator('partner', 'create', '--name', name, '--grant', `group=${group}`, ...webhook);
    const text = (member: string) => String(within(made, member));
    const credentials = { clientId: text('clientId'), clientSecret: text('clientSecret') };
    return { ...credentials, name, origin, signature: text('webhookSignature'), operator };
  } catch (error) {
    await closeStorefront(operator);
    throw error;
  }
};

/** A shop of this group would lose its transactions to the farewell. */
const openStorefront = async (operator: Operator) => {
  const others = ((await operator('storefront', 'list')) as { name?: string; group?: string }[])
    .filter((one) => one.group === group && one.name !== group)
    .map((one) => one.name);
  if (others.length > 0)
    throw new Error(`The group "${group}" has storefronts of others: ${others.join(', ')}`);
  const estate = ['--group', group, '--franchise', group, '--location', group, '--branch', group];
  await operator('storefront', 'create', '--name', group, ...estate, '--origin', origin);
};

const closeStorefront = (operator: Operator) => operator('storefront', 'delete', group, '--yes');

/** The last check of a run, whatever became of the others: what they made goes, also what a run that died has left. */
export const farewell: Check = {
  title: 'DEL-1 RUN-4 what the run has made is deleted again, and its partner and its storefront are gone',
  unless: ({ guest }) => (guest ? undefined : 'it has made nothing'),
  look: async (visit) => {
    const { name, operator } = guestOf(visit);
    try {
      const deletions = await deleteAll(visit);
      return [
        ...deletions.map((answer) => hasStatus(answer, 200)),
        isTrue('an empty list', (await totalOf(visit)) === 0, `${await totalOf(visit)} transactions`),
      ];
    } finally {
      await operator('partner', 'delete', name, '--yes');
      await closeStorefront(operator);
    }
  },
  mend: `\`operator partner delete\` and \`operator storefront delete ${group}\` take the rest away; the next run deletes what is left in group ${group}`,
};

const deleteAll = async (visit: Visit): Promise<Answer[]> => {
  const reader = await programOf(visit);
  const writer = await programOf(visit, 'nop2/write');
  const uuids = await allUuids(reader.ask);
  return Promise.all(
    uuids.map((uuid) => writer.ask(`${lists}/${uuid}`, { method: 'PATCH', ...jsonOf({ isDeleted: 1 }) })),
  );
};

/** A run makes a handful; a page holds fifty. */
const allUuids = async (ask: (path: string) => Promise<Answer>): Promise<string[]> => {
  const page = await ask(`${lists}?per-page=50&fields=uuid`);
  return listAt(page, 'data').map((one) => String(within(one, 'uuid')));
};

const totalOf = async (visit: Visit) => at(await (await programOf(visit)).ask(lists), '_meta', 'totalCount');
