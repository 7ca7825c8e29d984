import { rmSync } from 'node:fs';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { createHandler } from '../../../functions/collect-dead-letters/handler.ts';
import { createPartnerEndpoints } from '../../../functions/shared/outbound/endpoint/endpoints.ts';
import { entryDetail } from '../../../functions/shared/outbound/event-bus.ts';
import { aWorkspace, place } from '../../support/operator/operator.ts';
import { aWebhookWorld } from '../../support/operator/webhook-world.ts';
import { entryFor, publish, startTestBus, type TestBus, until } from '../../support/stage/messaging.ts';
import { startReceiver } from '../../support/stage/receivers.ts';

const { folder, stackFile } = aWorkspace();
let bus: TestBus;
beforeAll(async () => {
  bus = await startTestBus();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await bus.stop();
  bus.remove();
});

/** The dead letters that wait now, in the form in which Lambda passes them to collect-dead-letters. */
const deadLetters = async (): Promise<SQSEvent> => {
  const messages = await bus.deadLetters();
  const Records = messages.map(({ messageId, body, messageAttributes }) => ({
    ...{ messageId, body },
    messageAttributes: Object.fromEntries(
      Object.entries(messageAttributes).map(([name, { StringValue, DataType }]) => [
        name,
        { stringValue: StringValue, dataType: DataType },
      ]),
    ),
  }));
  return { Records: Records as unknown as SQSRecord[] };
};

/** A partner whose endpoint answers 503 to the first two events, which the bus therefore holds; then it answers 204. */
const twoOnTheBus = async () => {
  const later = { status: 503, headers: { 'Retry-After': '3600' } };
  let asked = 0;
  const receiver = await startReceiver(() => {
    asked += 1;
    return asked <= 2 ? later : 204;
  });
  const world = await aWebhookWorld(stackFile);
  const { ledger, wait, now: clock } = world.deps;
  const endpoints = createPartnerEndpoints({ client: bus.client, settings: place, wait });
  let isDetached = false;
  const detach = async (clientId: string) => {
    await endpoints.detach(clientId);
    isDetached = true;
  };
  world.deps.endpoints = { ...endpoints, detach };
  world.deps.endpointRules = { allowsLoopback: true };
  await world.run(['set-webhook', 'acme', '--url', `http://127.0.0.1:${receiver.port}/hook`]);
  const deliveries = [await world.put(1, 'ACCEPTED'), await world.put(2, 'ACCEPTED')];
  await publish(bus, ...deliveries.map(({ eventId }) => entryFor('P', eventId)));
  await until(() => asked === 2);

  const collect = createHandler({ ledger, clock, log: () => {}, report: () => {} });
  let collected = 0;
  world.whileWaiting.push(async () => {
    if (!isDetached || collected === 2) return;
    await until(async () => {
      const event = await deadLetters();
      collected += event.Records.length;
      await collect(event);
      return collected === 2;
    });
  });
  return { world, receiver, deliveries, asked: () => asked };
};

test('S-54 a recall over the bus: revoked events never arrive, the others are sent again', async () => {
  const { world, receiver, deliveries, asked } = await twoOnTheBus();

  const answer = await world.json(['revoke-grant', 'acme', '--grant', 'group=group-b', '--recall']);
  const sent = await world.ledgerWorld.flush();
  for (const entry of sent) {
    const Entries = [
      {
        ...{ EventBusName: 'Bus', Source: 'svc.local.online-payments', DetailType: entry.type },
        Detail: entryDetail(entry),
      },
    ];
    await bus.client.send(new PutEventsCommand({ Entries }));
  }
  await until(() => asked() === 3);
  await receiver.stop();

  expect(answer.recall).toEqual({ recalled: 2, events: 2, uncertain: 0, isPaused: false });
  expect(receiver.received.map(({ headers }) => headers['idempotency-key']).sort()).toEqual(
    [...deliveries.map(({ eventId }) => eventId), deliveries[0]?.eventId].sort(),
  );
  expect(await world.states()).toEqual({ 1: 'ACCEPTED', 2: 'SUPPRESSED OUT_OF_SCOPE' });
  expect(await world.differences()).toEqual([]);
});

test('EV-13 a recall from a disabled partner over the bus: nothing arrives once it is enabled', async () => {
  const { world, receiver, asked } = await twoOnTheBus();

  const answer = await world.json(['disable', 'acme', '--recall']);
  await world.run(['enable', 'acme']);
  world.ledgerWorld.pass({ seconds: 48 * 3600 });
  const sent = await world.ledgerWorld.flush();
  await receiver.stop();

  expect(answer.recall).toEqual({ recalled: 2, events: 0, uncertain: 0, isPaused: false });
  expect(sent).toEqual([]);
  expect(asked()).toBe(2);
  expect(await world.states()).toEqual({ 1: 'SUPPRESSED RECALLED', 2: 'SUPPRESSED RECALLED' });
  expect(await world.differences()).toEqual([]);
});
