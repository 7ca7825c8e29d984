import { expect, test } from '@jest/globals';
import { readRecord } from '../../../../functions/capture-change/record.ts';
import { isEmptyCheckout } from '../../../../functions/shared/domain/transaction/empty-checkout.ts';
import { flushDue } from '../../../../functions/shared/publish/flush.ts';
import { address, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aClock } from '../../../support/builders/manual-clock.ts';
import { aBus, aPublishing, memoryStores } from '../../../support/memory/publishing.ts';

const partner = aPartner({ grants: [{ group: 'G' }], webhookUrl: 'https://acme.example/' });

/** Each member that a checkout may send, alone, and the elements that its event has. */
const members: [object, string[]][] = [
  [{ vehicle: { make: 'Ford' } }, ['vehicle']],
  [{ extras: { mats: 1 } }, ['extras']],
  [{ deliveryCollection: { method: 'delivery' } }, ['deliveryCollection']],
  [{ financeProposal: { term: 48 } }, ['financeProposal']],
  [{ valuation: { mileage: 10 } }, ['valuation']],
  [{ customer: { firstName: 'Ada' } }, ['customer']],
  [{ selectedPaymentMethod: { name: 'card' } }, []],
  [{ financeDefaults: { term: 12 } }, []],
  [{ priceAdjustment: { payment: true, priceRule: false } }, []],
  [{ externalRedirect: 1 }, []],
  [{ incentive: true }, []],
  [{ document_id: '1' }, []],
  [{ preselectedPaymentMethod: 'card' }, []],
  [{ referrerUrl: 'https://shop.example/' }, []],
  [{ guestEmail: 'a@b.example' }, []],
];

/** A session's requests to V1, and the members of each `detail` that a partner is sent when the checkout is dormant. */
const aNotifiedCheckout = async () => {
  const clock = aClock();
  const { transactions, requests, debounceRows, deliveryLog } = memoryStores(clock.now);
  const v1 = await aV1({ transactions, requests, clock: clock.now });
  let token: string | undefined;
  const send = async (method: string, path: string, body?: object) => {
    const headers = {
      Origin: shop,
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const answer = await v1.ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    token = answer.token;
    await capture(answer.body.uuid);
    return answer.body.uuid as string;
  };
  const capture = async (uuid: string) => {
    const { version, notifyFromVersion, elementVersions } = (await transactions.byUuid(uuid)) ?? {};
    const numbers = { version: { N: String(version) }, notifyFromVersion: { N: String(notifyFromVersion) } };
    const versions = Object.entries(elementVersions ?? {}).map(([part, at]) => [part, { N: String(at) }]);
    const NewImage = { ...numbers, elementVersions: { M: Object.fromEntries(versions) } };
    const read = readRecord({ dynamodb: { Keys: { uuid: { S: uuid } }, NewImage } }, clock.now());
    if (!read.ok) return;
    const { changedAtMs, ...change } = read.value;
    await debounceRows.recordChange({ ...change, dueAtMs: changedAtMs + 120_000 });
  };
  const partners = {
    ofOwners: async () => [partner],
    byClientIds: async () => new Map([[partner.clientId, partner]]),
  };
  const rest = async () => {
    clock.pass({ seconds: 121 });
    const bus = aBus();
    const deps = aPublishing({ bus, transactions, debounceRows, deliveryLog, partners, clock: clock.now });
    await flushDue(deps, { beginUntilMs: clock.now().getTime() + 6_000 });
    return bus.taken.map(({ message }) => Object.keys(JSON.parse(message).detail).toSorted());
  };
  const isSwept = async (uuid: string) => {
    const stored = await transactions.byUuid(uuid);
    return stored !== undefined && isEmptyCheckout(stored);
  };
  return { send, rest, isSwept };
};

test.each(members)(
  'EV-10 V1-8 %j alone is sent, by PATCH and by POST, and not swept',
  async (body, elements) => {
    const checkout = await aNotifiedCheckout();
    const opened = await checkout.send('GET', address);
    await checkout.send('PATCH', `${address}/${opened}`, body);
    const posted = await checkout.send('POST', address, body);

    const sent = ['ndMeta', 'status', 'uuid', ...elements].toSorted();
    expect(await checkout.rest()).toEqual([sent, sent]);
    expect(await Promise.all([opened, posted].map(checkout.isSwept))).toEqual([false, false]);
  },
);

test('EV-10 V1-8 a GET, a POST of a location, and moves notify nobody and are swept', async () => {
  const checkout = await aNotifiedCheckout();
  const opened = await checkout.send('GET', address);
  const placed = await checkout.send('POST', address, { location: 'south', franchise: 'F1' });

  await checkout.send('PATCH', `${address}/${opened}`, { location: 'south' });
  await checkout.send('PUT', `${address}/${opened}`, { location: 'north' });

  expect(await checkout.rest()).toEqual([]);
  expect(await Promise.all([opened, placed].map(checkout.isSwept))).toEqual([true, true]);
});
