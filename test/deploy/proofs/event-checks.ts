import assert from 'node:assert/strict';
import { at } from '../../journeys/answers.ts';
import { programOf } from '../../journeys/clients.ts';
import { grantedUuids } from '../../journeys/imported-transactions.ts';
import type { World } from '../../journeys/world.ts';
import { type Received, startReceiver } from '../../support/stage/receivers.ts';
import type { Invoke } from '../functions.ts';
import type { Report } from '../report.ts';
import { agedMs, dormancyMs, type EventPlace, until } from './event-place.ts';

type Proofs = { place: EventPlace; invoke: Invoke; world: World };

/**
 * Events as deployed: stream, index, bus and queues work as the template says, up to a webhook on this machine. Checks move
 * time in the tables instead of waiting for the rest.
 */
export const proveEvents = async (report: Report, { place, invoke, world }: Proofs): Promise<void> => {
  const { clientId } = world.partner;
  const { write } = programOf(world);
  const signature = await place.signatureOf(clientId);
  world.secrets.add(signature);
  const isSigned = ({ headers }: Received) => headers['x-webhook-signature'] === signature;
  const receiver = await startReceiver((one) => (isSigned(one) ? 204 : 401));
  const url = `http://127.0.0.1:${receiver.port}/webhooks`;
  const bodies = (signed: boolean): unknown[] =>
    receiver.received.filter((one) => isSigned(one) === signed).map(({ body }) => JSON.parse(body));
  const whenPosted = (type: string, uuid: string) =>
    until(
      async () =>
        bodies(true).find((body) => at(body, 'detail-type') === type && at(body, 'detail', 'uuid') === uuid),
      (found) => found !== undefined,
      // The schedule calls the sender once a minute.
      90,
    );
  /** What the operator's tool lists of the partner's events, newest first. */
  const listed = async (...options: string[]): Promise<unknown> => {
    const found = await world.operator('events', 'list', '--partner', clientId, ...options);
    return (found as unknown[])[0];
  };
  const change = async (uuid: string) => {
    const answer = await write('PATCH', `/api/v2/transaction/${uuid}`, { extras: [{ name: 'mats' }] });
    assert.equal(answer.status, 200, answer.text);
    return place.whenScheduled(uuid);
  };
  const [byHand = '', paid = '', bySchedule = ''] = [9, 7, 10].map((n) => grantedUuids[n - 1]);
  let message: unknown;

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
  await report.prove('a change schedules its transaction, due when it has rested', async () => {
    const scheduled = await change(byHand);

    const stored = await place.get('Transactions', { uuid: byHand });
    assert.equal(scheduled?.dueAtMs, Number(stored?.updatedAtMs) + dormancyMs);
  });
  await report.prove('interface 6 at rest it is POSTed, signed, and the log has it', async () => {
    await place.setChangedAt(byHand, Date.now() - agedMs);
    await invoke('publish-dormant', { Records: [] });

    message = await whenPosted('TransactionUpdated', byHand);
    assert.equal(at(message, 'source'), 'svc.staging.online-payments');
    assert.equal(at(await listed('--transaction', byHand), 'state'), 'sent');
  });
  await report.prove('interface 6.1 EV-2 a payment is POSTed without a rest', async () => {
    const body = { transaction: paid, type: 1, value: '250.00', status: 1 };
    const answer = await write('POST', '/api/v2/payment', body);

    assert.equal(answer.status, 201, answer.text);
    await whenPosted('TransactionCompleted', paid);
  });
  await report.prove(
    'interface 6.3 what is due is sent by the schedule: nobody calls a function by hand',
    async () => {
      await change(bySchedule);
      await place.setChangedAt(bySchedule, Date.now() - agedMs);

      await whenPosted('TransactionUpdated', bySchedule);
    },
  );
  await report.prove('a dead letter is read into the log, and due again', async () => {
    const sent = await listed('--transaction', byHand);
    const range = { from: `${at(sent, 'from')}`, to: `${at(sent, 'to')}` };
    const delivery = { id: at(message, 'id'), ...range, tries: '0' };
    const event = {
      ...{ id: 'of-the-bus', 'detail-type': 'TransactionUpdated' },
      detail: { to: clientId, message, delivery },
    };
    await place.sendDeadLetter(JSON.stringify(event), {
      ERROR_CODE: 'SDK_CLIENT_ERROR',
      ERROR_MESSAGE: 'Unable to invoke ApiDestination endpoint: status 404',
      RETRY_ATTEMPTS: '0',
    });

    const ofByHand = ['--transaction', byHand];
    const failed = await until(
      () => listed(...ofByHand),
      (found) => at(found, 'state') === 'failed',
    );
    const waiting = await listed(...ofByHand, '--state', 'waiting');
    assert.deepEqual([at(failed, 'reason'), typeof at(waiting, 'at')], ['HTTP_404', 'string']);
  });
  await report.prove('D-09 a webhook that the operator removes leaves nothing at the bus', async () => {
    const removed = await world.operator('partner', 'remove-webhook', 'Harbour systems', '--yes');

    assert.equal(at(removed, 'webhook'), 'off');
    assert.deepEqual(await place.endpointOf(clientId), { targets: [] });
  });
  await receiver.stop();
};
