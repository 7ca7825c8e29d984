import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { checkMessage } from '../../support/builders/message-schema.ts';
import { randomFrom, seedOfRun } from '../../support/builders/random.ts';
import { anOwner } from '../../support/builders/transactions.ts';
import { aBrowserOn } from '../../support/stage/buyer-client.ts';
import {
  type Case,
  change,
  type EventPlace,
  type NotifiedMessage,
  openEventPlace,
  pay,
} from '../../support/stage/event-place.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../../support/stage/open-stage.ts';
import { shopOf } from '../../support/stage/operator-of.ts';
import { aPartnerProgram } from '../../support/stage/partner-client.ts';

jest.setTimeout(120_000);

let stage: ServiceStage;
let events: EventPlace;
beforeAll(async () => {
  stage = await openStage({ dormancySeconds: 120, tickSeconds: 10 });
  events = await openEventPlace(() => stage);
});
afterAll(async () => {
  await stage.close();
  await events.receiver.stop();
});
endEngineAfterFile();

/** Dormancy and the next tick. */
const rest = () => stage.passTime(130_000);
const rename = (one: Pick<Case, 'program' | 'uuid'>, lastName: string) =>
  change(one, { customer: { lastName } });

/** The versions that a message is about. */
const rangeOf = ({ headers }: NotifiedMessage) => ({
  from: headers['X-Transaction-From-Version'] ?? '',
  to: headers['X-Transaction-Version'] ?? '',
});

test('interface 6 EV-1 a change at rest for two minutes is one message that has exactly what changed', async () => {
  const acme = await events.aCase('acme');

  await rename(acme, 'Example');
  await stage.passTime(90_000);
  const tooEarly = events.notifiedTo('acme');
  await stage.passTime(40_000);
  const notified = events.notifiedTo('acme');

  const { uuid, group } = acme;
  expect(tooEarly).toEqual([]);
  expect(notified.flatMap(({ message }) => checkMessage(message))).toEqual([]);
  expect(notified.map(({ message }) => message)).toEqual([
    {
      version: '0',
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      'detail-type': 'TransactionUpdated',
      source: 'svc.local.online-payments',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'eu-west-2',
      resources: [],
      detail: {
        uuid,
        status: 0,
        ndMeta: anOwner({ group }),
        customer: { firstName: 'Ann', lastName: 'Example' },
      },
    },
  ]);
  expect(notified.map(rangeOf)).toEqual([{ from: '1', to: '2' }]);
});

test('interface 6.1 EV-2 I18 a payment is sent at once, and again as an update when it rests', async () => {
  const { uuid, group, program } = await events.aCase('paid');

  const paid = await pay({ uuid, program });
  await stage.settled();
  const atOnce = events.notifiedTo('paid').length;
  await rest();
  const notified = events.notifiedTo('paid');

  const messages = notified.map(({ message }) => message);
  const detail = { uuid, status: 1, ndMeta: anOwner({ group }), payments: [paid] };
  expect(atOnce).toBe(1);
  expect(messages.flatMap(checkMessage)).toEqual([]);
  expect(messages.map((one) => [one['detail-type'], one.detail])).toEqual([
    ['TransactionCompleted', detail],
    ['TransactionUpdated', detail],
  ]);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  expect(notified.map(rangeOf)[1]).toEqual({ from: '1', to: '2' });
});

test('EV-1 I2 I5 while edits go on nothing is sent; after them one message has all that changed, with present values', async () => {
  const busy = await events.aCase('busy');

  for (const body of [
    { customer: { lastName: 'First' } },
    { extras: null },
    { valuation: { vrm: 'AB12 CDE' } },
    { customer: { lastName: 'Last' } },
  ]) {
    await change(busy, body);
    await stage.passTime(100_000);
  }
  const tooEarly = events.askedOf('busy');
  await rest();

  expect(tooEarly).toEqual([]);
  expect(events.toldTo('busy', busy.uuid)).toEqual([
    {
      TransactionUpdated: '1-5',
      extras: null,
      valuation: { vrm: 'AB12 CDE' },
      customer: { firstName: 'Ann', lastName: 'Last' },
    },
  ]);
});

test('EV-2 I8 a completion does not wait for edits, and a further payment is an update', async () => {
  const twice = await events.aCase('twice');

  await rename(twice, 'Example');
  await rest();
  await rename(twice, 'Changed');
  const first = await pay(twice);
  await stage.settled();
  const atOnce = events.toldTo('twice', twice.uuid);
  const second = await pay(twice);
  await rest();

  expect(atOnce.map((told) => Object.keys(told)[0])).toEqual(['TransactionUpdated', 'TransactionCompleted']);
  expect(atOnce[1]).toEqual({ TransactionCompleted: '3-4', payments: [first] });
  expect(events.toldTo('twice', twice.uuid).slice(2)).toEqual([
    {
      TransactionUpdated: '2-5',
      customer: { firstName: 'Ann', lastName: 'Changed' },
      payments: [first, second],
    },
  ]);
});

describe('of one transaction each', () => {
  const vehicle = { description: 'x'.repeat(61_000) };
  const rows: [string, object[], object[]][] = [
    [
      'values that are equal again',
      [{ customer: { lastName: 'B' } }, { customer: { lastName: null } }],
      [{ TransactionUpdated: '1-3', customer: { firstName: 'Ann' } }],
    ],
    [
      'a change outside the elements',
      [{ guestEmail: 'buyer@mail.example' }],
      [{ TransactionUpdated: '1-2' }],
    ],
    ['a removed element', [{ extras: null }], [{ TransactionUpdated: '1-2', extras: null }]],
    [
      'elements of more than 60 kB',
      [{ vehicle, valuation: { vrm: 'AB12 CDE' } }],
      [{ TransactionUpdated: '1-2', valuation: { vrm: 'AB12 CDE' } }],
    ],
    ['a save without a change', [{ customer: { firstName: 'Ann' } }], []],
    ['an import', [], []],
  ];
  const uuids: string[] = [];
  beforeAll(async () => {
    uuids.push(...(await events.imported('table', ...rows.map(() => 'location-a'))));
    const { program } = await events.partner('table', 'group=table');
    for (const [index, [, bodies]] of rows.entries())
      for (const body of bodies) await change({ program, uuid: uuids[index] ?? '' }, body);
    await rest();
  });

  test.each(rows)('EV-3 EV-9 EV-10 I11 what is told of %s', (what, _, expected) => {
    expect(events.toldTo('table', uuids[rows.findIndex(([name]) => name === what)] ?? '')).toEqual(expected);
  });

  test('EV-9 the header names the element that was left out', () => {
    const omitted = events.notifiedTo('table').map(({ headers }) => headers['X-Transaction-Omitted']);
    expect(omitted.toSorted()).toEqual(['', '', '', 'vehicle']);
  });
});

test('EV-10 EV-11 of checkouts by a buyer, one with content is told; an untouched one and one that was deleted at once are not', async () => {
  const origin = 'https://shop.example';
  await events.operate(...shopOf('shop', origin));
  await events.partner('shop', 'group=shop');
  const checkout = async (body: object) => {
    const browser = aBrowserOn(stage, origin);
    const { uuid } = (await browser.send('/api/transaction', { method: 'POST', body })).body;
    const patch = (by: object) => browser.send(`/api/transaction/${uuid}`, { method: 'PATCH', body: by });
    return { uuid, patch };
  };
  const customer = { firstName: 'Ann' };

  const [untouched, filled, deleted] = [
    await checkout({}),
    await checkout({ customer }),
    await checkout({ customer }),
  ];
  await deleted.patch({ isDeleted: 1 });
  await rest();
  const atFirst = [untouched, filled, deleted].map(({ uuid }) => events.toldTo('shop', uuid));
  await untouched.patch({ deliveryCollection: { method: 'collection' } });
  await rest();

  expect(atFirst).toEqual([[], [{ TransactionUpdated: '0-1', customer }], []]);
  expect(events.toldTo('shop', untouched.uuid)).toEqual([
    { TransactionUpdated: '1-2', deliveryCollection: expect.objectContaining({ method: 'collection' }) },
  ]);
});

test('EV-11 a deletion is told without elements, whatever else changed, and a restored transaction whole', async () => {
  const gone = await events.aCase('gone');

  await rename(gone, 'Example');
  await rest();
  await change(gone, { extras: null });
  await change(gone, { isDeleted: 1 });
  await rest();
  await events.operate('transactions', 'restore', gone.uuid);
  await rest();

  expect(events.toldTo('gone', gone.uuid)).toEqual([
    { TransactionUpdated: '1-2', customer: { firstName: 'Ann', lastName: 'Example' } },
    { TransactionUpdated: '2-4', isDeleted: 1 },
    expect.objectContaining({
      TransactionUpdated: '4-5',
      extras: null,
      customer: { firstName: 'Ann', lastName: 'Example' },
    }),
  ]);
});

test('I1 I7 after a pause of sixty changes each transaction is told once, whole, and a completion as well', async () => {
  const uuids = await events.imported('paused', ...Array.from({ length: 12 }, () => 'location-a'));
  const { program } = await events.partner('paused', 'group=paused');
  const [paid = '', ...others] = uuids;
  await stage.passTimeDuring(events.operate('partner', 'pause', 'paused'));

  for (let round = 1; round <= 5; round += 1) {
    await Promise.all(uuids.map((uuid) => rename({ program, uuid }, `Round ${round}`)));
    await rest();
  }
  const payment = await pay({ program, uuid: paid });
  await rest();
  const during = events.askedOf('paused');
  await stage.passTimeDuring(events.operate('partner', 'resume', 'paused'));
  await rest();

  const customer = { firstName: 'Ann', lastName: 'Round 5' };
  expect(during).toEqual([]);
  expect(others.flatMap((uuid) => events.toldTo('paused', uuid))).toEqual(
    others.map(() => ({ TransactionUpdated: '1-6', customer })),
  );
  expect(events.toldTo('paused', paid)).toEqual(
    expect.arrayContaining([
      { TransactionCompleted: '6-7', payments: [payment] },
      { TransactionUpdated: '1-7', customer, payments: [payment] },
    ]),
  );
  expect(events.askedOf('paused')).toHaveLength(13);
});

test('V2-10 I6 a replay sends what was sent since a time: each transaction once, up to its present version, and completions', async () => {
  const [edited = '', paid = ''] = await events.imported('again', 'location-a', 'location-a');
  const { program } = await events.partner('again', 'group=again');
  const replay = async (body: object) => {
    const before = events.notifiedTo('again').length;
    const { status } = await program.write('POST', '/api/v2/event/replay', body);
    await stage.passPolls();
    const sent = events.notifiedTo('again').slice(before);
    return [status, ...sent.map(({ message }) => message.id).toSorted()];
  };
  const timeText = () => new Date().toISOString().replace(/\.\d+/, '');

  const sinceAll = timeText();
  await rename({ program, uuid: edited }, 'Example');
  await rest();
  // A time has whole seconds.
  await stage.passTime(5_000);
  const since = timeText();
  await change({ program, uuid: edited }, { extras: null });
  await pay({ program, uuid: paid });
  await rest();
  const [, ...later] = events.notifiedTo('again').map(({ message }) => message.id);
  const completed = events
    .notifiedTo('again')
    .find(({ message }) => message['detail-type'] === 'TransactionCompleted')?.message.id;

  expect(await replay({ since })).toEqual([202, ...later.toSorted()]);
  expect(await replay({ since, type: 'TransactionCompleted' })).toEqual([202, completed]);
  await replay({ since: sinceAll, transaction: edited });
  expect(events.toldTo('again', edited).at(-1)).toEqual({
    TransactionUpdated: '1-3',
    extras: null,
    customer: { firstName: 'Ann', lastName: 'Example' },
  });
});

test('interface 6 I7 a message is retried after Retry-After, with the same id and bytes, and the documented headers', async () => {
  const hiccup = await events.aCase('hiccup');
  events.receiver.answers('hiccup', (nth) => {
    if (nth === 1) return 503;
    return nth === 2 ? { status: 429, headers: { 'Retry-After': '120' } } : 204;
  });

  await rename(hiccup, 'Example');
  await rest();
  // The pause after the first attempt is at most a second.
  await stage.passTime(1_000);
  await stage.passTime(60_000);
  const beforeRetryAfter = events.askedOf('hiccup').map(({ status }) => status);
  await stage.passTime(60_000);

  const requests = events.askedOf('hiccup');
  expect(beforeRetryAfter).toEqual([503, 429]);
  expect(requests.map(({ status }) => status)).toEqual([503, 429, 204]);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  for (const { headers, body } of requests)
    expect(headers).toMatchObject({
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Amazon/EventBridge/ApiDestinations',
      'X-Webhook-Signature': hiccup.webhookSignature,
      'Idempotency-Key': JSON.parse(body).id,
      'X-Transaction-From-Version': '1',
      'X-Transaction-Version': '2',
      'X-Transaction-Omitted': '',
    });
});

test('S-77 one command stops all webhooks, only what the bus has already goes on, and nothing is lost when they start', async () => {
  const [quiet, tried] = [await events.aCase('quiet'), await events.aCase('tried')];
  let isMended = false;
  events.receiver.answers('tried', () => (isMended ? 204 : 503));
  await rename(tried, 'Example');
  await rest();

  await stage.passTimeDuring(events.operate('webhooks', 'stop', '--yes'));
  await rename(quiet, 'Example');
  await rename(tried, 'Later');
  await rest();
  isMended = true;
  await stage.passTime(3_600_000);
  const toldWhileStopped = [events.askedOf('quiet').length, events.toldTo('tried', tried.uuid)];
  await stage.passTimeDuring(events.operate('webhooks', 'start'));
  await stage.passPolls();
  await rest();

  const customer = { firstName: 'Ann', lastName: 'Example' };
  expect(toldWhileStopped).toEqual([0, [{ TransactionUpdated: '1-2', customer }]]);
  expect(events.toldTo('quiet', quiet.uuid)).toEqual([{ TransactionUpdated: '1-2', customer }]);
  expect(events.toldTo('tried', tried.uuid).slice(1)).toEqual([
    { TransactionUpdated: '2-3', customer: { firstName: 'Ann', lastName: 'Later' } },
  ]);
});

test('RUN-12 I16 after a day of refusals an event is given up, and a token of the day before has expired', async () => {
  const refused = await events.aCase('refused');
  events.receiver.answers('refused', () => 500);
  const read = async () => (await refused.program.get('/api/v2/transaction')).status;
  const before = await read();

  await rename(refused, 'Example');
  await rest();
  await stage.passTime(25 * 3_600_000);
  const asked = events.askedOf('refused').length;
  await stage.passTime(3_600_000);

  expect(asked).toBeGreaterThan(1);
  expect(events.askedOf('refused')).toHaveLength(asked);
  expect([before, await read()]).toEqual([200, 401]);
});

test('RUN-12 I1 I3 after random moves of the clock during changes the ranges of each transaction join, two minutes apart', async () => {
  const random = randomFrom(seedOfRun('moves'));
  const cases = [await events.aCase('moved-1'), await events.aCase('moved-2'), await events.aCase('moved-3')];
  const versions = new Map(cases.map(({ name }) => [name, 1]));

  for (let round = 1; round <= 8; round += 1) {
    const one = random.oneOf(cases);
    // A token is an hour's.
    const program = await aPartnerProgram(stage, one);
    const body = { customer: { lastName: `Round ${round}` } };
    const changing = program.write('PATCH', `/api/v2/transaction/${one.uuid}`, body);
    if (random.isTrue(0.5)) await changing;
    await stage.passTime(random.oneOf([1_000, 10_000, 120_000, 3_600_000, 90_000_000]));
    if ((await changing).status === 200) versions.set(one.name, (versions.get(one.name) ?? 0) + 1);
  }
  await rest();

  for (const [name, version] of versions) {
    const notified = events.notifiedTo(name);
    const ranges = notified.map(rangeOf);
    const times = notified.map(({ message }) => Date.parse(String(message.time)));
    expect(times.filter((atMs, index) => atMs - (times[index - 1] ?? 0) < 120_000)).toEqual([]);
    expect([name, ranges.at(-1)?.to ?? '1']).toEqual([name, String(version)]);
    expect([name, ...ranges.map(({ from }) => from), String(version)]).toEqual([
      name,
      '1',
      ...ranges.map(({ to }) => to),
    ]);
  }
});
