import assert from 'node:assert/strict';
import { at, text } from '../../journeys/answers.ts';
import { type Program, programOf } from '../../journeys/clients.ts';
import { eventJourney } from '../../journeys/events.ts';
import { grantedUuids } from '../../journeys/imported-transactions.ts';
import type { World } from '../../journeys/world.ts';
import type { Invoke } from '../functions.ts';
import type { Report } from '../report.ts';
import { eventWorldOf } from './event-journey.ts';
import { dormancyMs, type EventPlace, until } from './event-place.ts';

type Proofs = { place: EventPlace; invoke: Invoke; world: World };

/**
 * Events as deployed: stream, index, bus and queues work as the template says. Checks move time in the tables instead of
 * waiting for the rest; the embedded stage proves the delivery to an endpoint.
 */
export const proveEvents = async (report: Report, { place, invoke, world }: Proofs) => {
  const { clientId } = world.partner;
  const program = programOf(world);
  const [uuid = '', third = '', ...others] = [1, 3, 5, 6].map((number) => grantedUuids[number - 1] ?? '');
  const events = await eventWorldOf({ place, invoke, world, uuids: others });
  const deliveryLogRow = (eventId: string) =>
    place.get('Debounce', { pk: `EV#${eventId}`, sk: `PARTNER#${clientId}` });
  let event: unknown;

  await report.prove('a change schedules its transaction, due when it has rested', async () => {
    await change(program, uuid);
    const scheduled = await place.whenScheduled(uuid);
    const stored = await place.get('Transactions', { uuid });

    assert.equal(scheduled?.dueAtMs, Number(stored?.updatedAtMs) + dormancyMs);
    assert.equal(stored?.version, 2);
  });

  await report.prove("at rest, a tick puts its event on the stage's own bus, for the partner", async () => {
    await events.rest(uuid);
    event = (await events.heardOf(uuid, 1))[0]?.event;

    assert.equal(at(event, 'source'), events.source);
    assert.equal(at(event, 'detail-type'), 'TransactionUpdated');
    assert.equal(at(event, 'detail', 'to'), clientId);
    assert.equal(at(event, 'detail', 'delivery', 'id'), at(event, 'detail', 'message', 'id'));
  });

  await report.prove('what is sent is completed, and the delivery log has it', async () => {
    const completed = await place.debounceRow(uuid);
    const delivery = await deliveryLogRow(text(at(event, 'detail', 'delivery', 'id')));

    assert.deepEqual(
      [completed?.notifiedVersion, completed?.dueAtMs, completed?.inflight],
      [2, undefined, undefined],
    );
    assert.equal(delivery?.state, 'ACCEPTED');
  });

  for (const { title, check } of eventJourney.steps) await report.prove(title, () => check(events));

  await report.prove('a dead letter is read into the delivery log, and due again', async () => {
    const eventId = text(at(event, 'detail', 'delivery', 'id'));
    await place.sendDeadLetter(JSON.stringify(event), {
      ERROR_CODE: 'SDK_CLIENT_ERROR',
      ERROR_MESSAGE: 'Unable to invoke ApiDestination endpoint: status 404',
      RETRY_ATTEMPTS: '0',
    });
    const dead = await until(
      () => deliveryLogRow(eventId),
      (found) => found?.state === 'DEAD',
    );

    assert.deepEqual([dead?.reason, typeof dead?.dueAtMs], ['HTTP_404', 'number']);
  });

  await report.prove(
    'EV-24 a message of the FIFO queue that names a due shard is taken by a worker, and done with',
    async () => {
      await place.askForWorker(3);
      const left = await until(place.shardMessages, (count) => count === 0);

      assert.equal(left, 0);
    },
  );

  await report.prove("the minute's run sends itself delayed ticks", async () => {
    await invoke('publish-dormant', {});

    assert.ok((await place.delayedTicks()) >= 15);
  });

  await report.prove('I20 the reconciler schedules a change whose stream record was lost', async () => {
    await change(program, third);
    await place.whenScheduled(third);
    await place.removeDebounceRow(third);
    const changedAtMs = Date.now() - 61_000;
    await place.setIndexedChangeAt(third, changedAtMs);
    await invoke('reconcile', { lookBackMinutes: 90 });

    assert.equal((await place.debounceRow(third))?.dueAtMs, changedAtMs + dormancyMs);
  });
};

const change = async (program: Program, uuid: string) => {
  const answer = await program.write('PATCH', `/api/v2/transaction/${uuid}`, { extras: [{ name: 'mats' }] });
  assert.equal(answer.status, 200, answer.text);
};
