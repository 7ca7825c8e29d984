import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { change, type EventPlace, openEventPlace, pay } from '../../support/stage/event-place.ts';
import { until } from '../../support/stage/messaging.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../../support/stage/open-stage.ts';

jest.setTimeout(120_000);

let stage: ServiceStage;
let events: EventPlace;
beforeAll(async () => {
  stage = await openStage();
  events = await openEventPlace(() => stage);
});
afterAll(async () => {
  await stage.close();
  await events.receiver.stop();
});
endEngineAfterFile();

/** Dormancy and the next tick. */
const rest = () => stage.passTime(130_000);
const example = { firstName: 'Ann', lastName: 'Example' };
const idsTo = (name: string) => events.notifiedTo(name).map(({ message }) => message.id);

test('I21 S-52 receivers that hang, fail, refuse or hang up delay no other, and each is told when it answers again', async () => {
  const bad = { hanging: 'never', failing: 500, busy: 429, closing: 'close' } as const;
  const one = await events.aCase('healthy');
  for (const [name, answer] of Object.entries(bad)) {
    await events.partner(name, `group=${one.group}`);
    events.receiver.answers(name, (nth) => (nth === 1 ? answer : 204));
  }

  await change(one, { customer: example });
  const sending = rest();
  // By a clock that the stage moves on.
  await until(() => events.askedOf('hanging').length > 0 && idsTo('healthy').length > 0, 300_000);
  const isHanging = events.askedOf('hanging')[0]?.isOpen();
  await sending;
  await rest();
  await change(one, { extras: null });
  await rest();

  const told = [
    { TransactionUpdated: '1-2', customer: example },
    { TransactionUpdated: '2-3', extras: null },
  ];
  expect(isHanging).toBe(true);
  expect(events.askedOf('healthy').map(({ status }) => status)).toEqual([204, 204]);
  for (const name of ['healthy', ...Object.keys(bad)])
    expect([name, events.toldTo(name, one.uuid)]).toEqual([name, told]);
  expect(Object.keys(bad).map(idsTo)).toEqual(Object.keys(bad).map(() => idsTo('healthy')));
});

test('I1 I16 what an endpoint answered with 404 is told later, together with what changed since', async () => {
  const missing = await events.aCase('missing');
  await events.partner('beside', `group=${missing.group}`);
  events.receiver.answers('missing', () => 404);

  await change(missing, { customer: example });
  await rest();
  const refused = events.askedOf('missing').map(({ status }) => status);
  events.receiver.answers('missing', () => 204);
  await change(missing, { extras: null });
  await rest();
  await stage.passTime(16 * 60_000);

  expect(refused).toEqual([404]);
  expect(events.toldTo('missing', missing.uuid).at(-1)).toEqual({
    ...{ TransactionUpdated: '1-3', extras: null, customer: example },
  });
  expect(events.toldTo('beside', missing.uuid)).toEqual([
    { TransactionUpdated: '1-2', customer: example },
    { TransactionUpdated: '2-3', extras: null },
  ]);
});

test('V2-10 I6 what an endpoint answered with 400 is not sent again by itself, and arrives by a replay of what failed', async () => {
  const strict = await events.aCase('strict');
  // An endpoint that has come on is sent all that it is owed, given up or not.
  await stage.passTime(30_000);
  await stage.passPolls();
  events.receiver.answers('strict', () => 400);

  await change(strict, { customer: example });
  await pay(strict);
  await rest();
  await stage.passTime(1_800_000);
  const asked = events.askedOf('strict');
  events.receiver.answers('strict', () => 204);
  const replay = await strict.program.write('POST', '/api/v2/event/replay', { state: 'failed' });
  await stage.passPolls();

  expect(asked.map(({ status }) => status)).toEqual([400, 400]);
  expect(replay.status).toBe(202);
  expect(idsTo('strict').toSorted()).toEqual(asked.map(({ body }) => JSON.parse(body).id).toSorted());
});

test('I1 I6 I7 what the sender could not record goes again with the same id, and the next range joins', async () => {
  const unsure = await events.aCase('unsure');
  const [paid = ''] = await events.imported(unsure.group, 'location-a');
  // From the first request to the bus on, as if the sender had died, and with an endpoint that shows nobody what arrived.
  const die = () => {
    let isSent = false;
    events.receiver.answers('unsure', () => 500);
    stage.fault(({ caller, target }) => {
      if (caller !== 'publish-dormant') return;
      isSent ||= target.endsWith('.PutEvents');
      return isSent && target.startsWith('DynamoDB_') ? 'AccessDeniedException' : undefined;
    });
  };
  const recover = async () => {
    stage.fault();
    await stage.passTime(30_000);
    events.receiver.answers('unsure', () => 204);
    await rest();
  };

  die();
  await change(unsure, { customer: example });
  await rest();
  await recover();
  die();
  await pay({ ...unsure, uuid: paid });
  await stage.settled();
  await recover();
  await change(unsure, { extras: null });
  await rest();

  const all = [unsure.uuid, paid].flatMap((uuid) => events.toldTo('unsure', uuid));
  const distinct = Map.groupBy(events.notifiedTo('unsure'), ({ message }) => message.id);
  expect(all.length).toBeGreaterThan(4);
  expect(distinct.size).toBe(4);
  for (const copies of distinct.values())
    expect(new Set(copies.map(({ message }) => JSON.stringify(message.detail))).size).toBe(1);
  expect(events.toldTo('unsure', unsure.uuid).at(-1)).toEqual({ TransactionUpdated: '2-3', extras: null });
});

test('I20 a change whose record of the stream is lost is told when the reconciler has found it', async () => {
  const deaf = await openStage({ handlers: { 'capture-change': async () => ({ batchItemFailures: [] }) } });
  const place = await openEventPlace(() => deaf);
  const lost = await place.aCase('lost');

  await change(lost, { customer: example });
  await deaf.passTime(130_000);
  const before = place.askedOf('lost');
  await deaf.passTime(600_000);
  await deaf.passTime(130_000);
  const told = place.toldTo('lost', lost.uuid);
  await deaf.close();
  await place.receiver.stop();

  expect(before).toEqual([]);
  expect(told).toEqual([{ TransactionUpdated: '1-2', customer: example }]);
});

test('I7 I19 an hour later nobody is sent anything more', async () => {
  const before = events.receiver.received.length;

  await stage.passTime(3_600_000);
  await stage.passTime(3_600_000);

  expect(events.receiver.received).toHaveLength(before);
});
