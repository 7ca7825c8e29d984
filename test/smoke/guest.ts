import assert from 'node:assert/strict';
import { at, text } from '../journeys/answers.ts';
import { programOf } from '../journeys/clients.ts';
import type { Credentials, Reach, Shop, World } from '../journeys/world.ts';

/** Everything of a run is of this group, which no shop has. */
const group = 'smoke';

export const smokeShop: Shop = {
  // No page can have it: `invalid` is reserved (RFC 2606).
  origin: 'https://smoke.invalid',
  owner: { group, franchise: group, branch: group, location: group, groupSoftware: group },
};

type Operator = Reach['operator'];

/** The partner of a run. */
export type Guest = Credentials & {
  name: string;
  /** What its webhooks are signed with. */
  signature: string;
};

/** Makes the storefront and the partner of a run. */
export const welcomeGuest = async (operator: Operator, id: string, receiver?: string): Promise<Guest> => {
  await openStorefront(operator);
  const name = `${group}-${id}`;
  try {
    const webhook = receiver === undefined ? [] : ['--webhook-url', receiver];
    const words = ['--name', name, '--grant', `group=${group}`, ...webhook];
    const made = await operator('partner', 'create', ...words);
    const member = (of: string) => text(at(made, of));
    const credentials = { clientId: member('clientId'), clientSecret: member('clientSecret') };
    return { ...credentials, name, signature: member('webhookSignature') };
  } catch (fault) {
    await closeStorefront(operator);
    throw fault;
  }
};

/** A shop of this group would lose its transactions to the farewell. */
const openStorefront = async (operator: Operator) => {
  const all = (await operator('storefront', 'list')) as { name?: string; group?: string }[];
  const others = all.filter((one) => one.group === group && one.name !== group).map(({ name }) => name);
  assert.deepEqual(others, [], `The group "${group}" has storefronts of others: ${others.join(', ')}`);
  const estate = ['--group', group, '--franchise', group, '--location', group, '--branch', group];
  const origin = ['--group-software', group, '--origin', smokeShop.origin];
  await operator('storefront', 'create', '--name', group, ...estate, ...origin);
};

const closeStorefront = (operator: Operator) => operator('storefront', 'delete', group, '--yes');

/** Deletes all transactions of the group, also those that a run which died has left, then the partner and the storefront. */
export const sendAway = async (world: World, { name }: Guest): Promise<void> => {
  try {
    const { uuids, write, total } = programOf(world);
    for (const uuid of await uuids('per-page=50&fields=uuid')) {
      const { status } = await write('PATCH', `/api/v2/transaction/${uuid}`, { isDeleted: 1 });
      assert.equal(status, 200, `${uuid} is not deleted`);
    }
    assert.equal(await total(), 0, 'transactions that are left: the next run deletes them');
  } finally {
    await world.operator('partner', 'delete', name, '--yes');
    await closeStorefront(world.operator);
  }
};
