import assert from 'node:assert/strict';
import { at, text } from './answers.ts';
import type { Deployed } from './deployed.ts';
import { grantedUuids } from './estate.ts';
import { type EventPlace, until } from './event-place.ts';
import type { Invoke } from './functions.ts';
import type { Report } from './report.ts';

type Proofs = { place: EventPlace; invoke: Invoke; token: string; clientId: string };

/** Longer ago than the two minutes of interface 6.3. */
const agedMs = 130_000;

/**
 * Way 2 as deployed: stream, index, bus and queues do what the template says. Time is moved in the tables, since nobody waits
 * for two minutes here; delivery to an endpoint is proved on the embedded stage.
 */
export const proveEvents = async (report: Report, deployed: Deployed, proofs: Proofs) => {
  const { place, invoke, token, clientId } = proofs;
  const [uuid = '', other = '', third = ''] = grantedUuids;
  const cursorKey = (of: string) => ({ pk: `TX#${of}`, sk: 'NOTIFY' });
  const cursor = (of: string) => place.get('Debounce', cursorKey(of));
  const send = (method: string, path: string, body: object) =>
    deployed.send(`${deployed.baseUrl}/api/v2${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const change = async (of: string) => {
    const { status, text: said } = await send('PATCH', `/transaction/${of}`, { extras: [{ name: 'mats' }] });
    assert.equal(status, 200, said);
  };
  const nextEvent = await place.listen();
  let event: unknown;

  await report.prove('events 5: a change arms its transaction, due 120 s after it', async () => {
    await change(uuid);
    const armed = await until(
      () => cursor(uuid),
      (found) => found?.dueAtMs !== undefined,
    );
    const stored = await place.get('Transactions', { uuid });

    assert.equal(armed?.dueAtMs, Number(stored?.updatedAtMs) + 120_000);
    assert.equal(stored?.version, 2);
  });

  await report.prove('6.3: before it rests, a tick tells nobody', async () => {
    await invoke('publish-dormant', { Records: [] });

    assert.equal((await cursor(uuid))?.notifiedVersion, undefined);
  });

  await report.prove(
    'events 7: at rest, a tick puts its event on the stage’s own bus, for the partner',
    async () => {
      await place.set(
        'Partners',
        { pk: `PARTNER#${clientId}`, sk: 'PROFILE' },
        'partner.webhookUrl',
        'https://a.example/',
      );
      const changedAtMs = Date.now() - agedMs;
      await place.set('Transactions', { uuid }, 'updatedAtMs', changedAtMs);
      await place.set('Debounce', cursorKey(uuid), 'dueAtMs', changedAtMs + 120_000);
      await invoke('publish-dormant', { Records: [] });
      event = await nextEvent();

      assert.equal(at(event, 'source'), 'svc.staging.online-payments');
      assert.equal(at(event, 'detail-type'), 'TransactionUpdated');
      assert.equal(at(event, 'detail', 'to'), clientId);
      assert.deepEqual(Object.keys(Object(at(event, 'detail', 'message', 'detail'))).sort(), [
        'extras',
        'ndMeta',
        'status',
        'uuid',
      ]);
      assert.equal(at(event, 'detail', 'delivery', 'id'), at(event, 'detail', 'message', 'id'));
      assert.deepEqual(
        [at(event, 'detail', 'delivery', 'from'), at(event, 'detail', 'delivery', 'to')],
        ['1', '2'],
      );
    },
  );

  await report.prove('events 5: what is sent is settled, and the ledger has it', async () => {
    const settled = await cursor(uuid);
    const eventId = text(at(event, 'detail', 'delivery', 'id'));
    const delivery = await place.get('Debounce', { pk: `EV#${eventId}`, sk: `PARTNER#${clientId}` });

    assert.deepEqual(
      [settled?.notifiedVersion, settled?.dueAtMs, settled?.inflight],
      [2, undefined, undefined],
    );
    assert.equal(delivery?.state, 'ACCEPTED');
  });

  await report.prove('6.1: a payment that completes is told at once', async () => {
    const payment = { transaction: other, type: 8, value: '250.00', status: 1 };
    const { status, text: said } = await send('POST', '/payment', payment);
    const completed = await nextEvent();

    assert.equal(status, 201, said);
    assert.equal(at(completed, 'detail-type'), 'TransactionCompleted');
    assert.equal(at(completed, 'detail', 'message', 'detail', 'uuid'), other);
  });

  await report.prove('events 7: a dead letter is read into the ledger, and due again', async () => {
    const eventId = text(at(event, 'detail', 'delivery', 'id'));
    await place.sendDeadLetter(JSON.stringify(event), {
      ERROR_CODE: 'SDK_CLIENT_ERROR',
      ERROR_MESSAGE: 'Unable to invoke ApiDestination endpoint: status 404',
      RETRY_ATTEMPTS: '0',
    });
    const dead = await until(
      () => place.get('Debounce', { pk: `EV#${eventId}`, sk: `PARTNER#${clientId}` }),
      (found) => found?.state === 'DEAD',
    );

    assert.deepEqual([dead?.reason, typeof dead?.dueAtMs], ['HTTP_404', 'number']);
  });

  await report.prove('events 2: the minute’s run sends itself a train of ticks', async () => {
    await invoke('publish-dormant', {});

    assert.ok((await place.delayedTicks()) >= 15);
  });

  await report.prove('I20: a change whose wake-up was lost is armed by the reconciler', async () => {
    await change(third);
    await until(
      () => cursor(third),
      (found) => found?.dueAtMs !== undefined,
    );
    await place.remove('Debounce', cursorKey(third));
    const changedAtMs = Date.now() - 61_000;
    await place.set('Transactions', { uuid: third }, 'updatedAtMs', changedAtMs);
    await invoke('reconcile', { lookBackMinutes: 90 });

    assert.equal((await cursor(third))?.dueAtMs, changedAtMs + 120_000);
  });
};
