import assert from 'node:assert/strict';
import { at } from '../../journeys/answers.ts';
import { programOf } from '../../journeys/clients.ts';
import { grantedUuids } from '../../journeys/imported-transactions.ts';
import type { World } from '../../journeys/world.ts';
import { type Received, startReceiver } from '../../support/stage/receivers.ts';
import type { Invoke } from '../functions.ts';
import type { Report } from '../report.ts';
import { agedMs, type EventPlace, until } from './event-place.ts';

const [, , , , , , , , ninth = '', tenth = ''] = grantedUuids;

type Proofs = { place: EventPlace; invoke: Invoke; world: World };

/** A webhook arrives at this machine: what the operator has recorded, the deployed `keep-endpoints` makes of the bus. */
export const proveWebhooks = async (report: Report, { place, invoke, world }: Proofs): Promise<void> => {
  const { clientId } = world.partner;
  const signature = await place.signatureOf(clientId);
  world.secrets.add(signature);
  const isSigned = ({ headers }: Received) => headers['x-webhook-signature'] === signature;
  const receiver = await startReceiver((one) => (isSigned(one) ? 204 : 401));
  const url = `http://127.0.0.1:${receiver.port}/webhooks`;
  const bodies = (signed: boolean): unknown[] =>
    receiver.received.filter((one) => isSigned(one) === signed).map(({ body }) => JSON.parse(body));
  const whenPosted = (uuid: string, withinSeconds?: number) =>
    until(
      async () => bodies(true).find((body) => at(body, 'detail', 'uuid') === uuid),
      (found) => found !== undefined,
      withinSeconds,
    );

  /** A change of a transaction that has rested since. */
  const changeLongAgo = async (uuid: string) => {
    const extras = [{ name: 'mats' }];
    const answer = await programOf(world).write('PATCH', `/api/v2/transaction/${uuid}`, { extras });
    assert.equal(answer.status, 200, answer.text);
    await place.whenScheduled(uuid);
    await place.setChangedAt(uuid, Date.now() - agedMs);
  };

  await report.prove(
    'D-09 a webhook that the operator sets is checked, and then the bus has what it needs',
    async () => {
      const set = await world.operator('partner', 'set-webhook', 'Harbour systems', '--url', url);

      // A queue delivers at least once, and a payment of a journey before may be sent once the webhook is on.
      const tests = (signed: boolean) =>
        bodies(signed).filter((body) => at(body, 'detail-type') === 'WebhookTest').length;
      assert.equal(at(set, 'webhook'), 'on');
      assert.ok(tests(true) > 0);
      assert.equal(tests(false), tests(true));
    },
  );
  await report.prove(
    'interface 6 a change is POSTed to the partner, signed, as the message alone',
    async () => {
      await changeLongAgo(ninth);
      await invoke('publish-dormant', { Records: [] });

      assert.equal(at(await whenPosted(ninth), 'detail-type'), 'TransactionUpdated');
    },
  );
  await report.prove(
    'interface 6.3 what is due is sent by the schedule: nobody calls a function by hand',
    async () => {
      await changeLongAgo(tenth);
      // The rule of each minute starts the ticks.
      assert.equal(at(await whenPosted(tenth, 90), 'detail-type'), 'TransactionUpdated');
    },
  );
  await report.prove('D-09 a webhook that the operator removes leaves nothing at the bus', async () => {
    const removed = await world.operator('partner', 'remove-webhook', 'Harbour systems', '--yes');

    assert.equal(at(removed, 'webhook'), 'off');
    assert.deepEqual(await place.endpointOf(clientId), { targets: [] });
  });
  await receiver.stop();
};
