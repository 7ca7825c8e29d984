import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type LogLine, notesOf } from '../../../functions/shared/events/rows.ts';
import { createDebounceTable, type DebounceTable } from '../../../functions/shared/events/table.ts';
import { anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { type Case, type EventPlace, openEventPlace } from '../../support/stage/event-place.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../../support/stage/open-stage.ts';
import { everyScope, importInto } from '../../support/stage/operator-of.ts';
import { aPartnerProgram } from '../../support/stage/partner-client.ts';

jest.setTimeout(60_000);

let stage: ServiceStage;
let events: EventPlace;
let table: DebounceTable;
let client: ReturnType<typeof clientOf>;
beforeAll(async () => {
  stage = await openStage();
  events = await openEventPlace(() => stage);
  client = clientOf(stage.endpoints.dynamodb);
  table = createDebounceTable({
    documents: documentsOf(client),
    debounceTable: String(stage.variables.DEBOUNCE_TABLE),
  });
});
afterAll(async () => {
  client.destroy();
  await stage.close();
  await events.receiver.stop();
});
endEngineAfterFile();

/** A partner of one transaction, which may change its webhook. */
const aCase = async (name: string): Promise<Case> => {
  const made = await events.aCase(name, '--oauth-scopes', everyScope);
  return { ...made, program: await aPartnerProgram(stage, made, everyScope) };
};
/** The same, when the endpoint has come on and was sent all that it was owed, given up or not. */
const aSettledCase = async (name: string): Promise<Case> => {
  const made = await aCase(name);
  await stage.passTime(30_000);
  await stage.passPolls();
  return made;
};
/** Dormancy and the next tick. */
const rest = () => stage.passTime(130_000);
const rename = ({ program, uuid }: Pick<Case, 'program' | 'uuid'>, lastName: string) =>
  program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { lastName } });
const pay = ({ program, uuid }: Case) =>
  program.write('POST', '/api/v2/payment', { transaction: uuid, type: 1, value: '9.00', status: 1 });

type Of = Pick<Case, 'program'>;
const ask = ({ program }: Of, query = '') => program.get(`/api/v2/event?${query}`);
const listed = async (one: Of, query = '') => (await ask(one, query)).list().data;
const statesOf = async (one: Of, query = '') =>
  (await listed(one, query)).map(({ state, reason }) => [state, reason]);
const idsOf = (data: readonly JsonObject[]) => data.map(({ id }) => id);
const replay = ({ program }: Of, body: unknown, headers: object = {}) =>
  program.write('POST', '/api/v2/event/replay', body, headers);
const problemOf = (name: string) => expect.stringMatching(new RegExp(`/problems#${name}$`));

const eventId = (n: number) => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
let made = 0;
/** Puts lines of sendings into the log. */
const note = async (...lines: (Pick<LogLine, 'clientId' | 'uuid'> & Partial<LogLine>)[]) => {
  const notes = lines.map((line, index) => ({
    ...{ atMs: Date.now() - 60_000, eventId: eventId(index + 1), type: 'TransactionUpdated' },
    ...{ from: 1, to: 1, outcome: 'SENT' as const, ...line },
  }));
  const newId = () => {
    made += 1;
    return String(made).padStart(12, '0');
  };
  expect(await table.write(notes.flatMap((line) => notesOf([line], newId)))).toEqual([]);
};

test('V2-7 S-66 a sending is a line with the id of its message, and shows nothing internal', async () => {
  const acme = await aCase('acme');

  await rename(acme, 'Example');
  await rest();

  const [message] = events.notifiedTo('acme');
  const { headers, text } = await ask(acme);
  expect(JSON.parse(text)).toEqual({
    data: [
      {
        id: message?.message.id,
        type: 'TransactionUpdated',
        transaction: acme.uuid,
        fromVersion: 1,
        toVersion: 2,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        state: 'sent',
        reason: null,
        meaning:
          'It is on its way to the endpoint, with retries for up to 24 hours. A failure is a line of its own.',
        nextAttemptAt: null,
        keptUntil: null,
      },
    ],
    _links: {
      self: { href: `${stage.baseUrl}/v2/event?per-page=10` },
      first: { href: `${stage.baseUrl}/v2/event?per-page=10` },
    },
    _meta: { perPage: 10 },
  });
  expect(headers.get('etag')).toMatch(/^W\//);
});

test('V2-7 V2-10 a failure is a line, its transaction waits, and both are over after a replay of what failed', async () => {
  const failing = await aSettledCase('failing');
  events.receiver.answers('failing', (nth) => (nth === 1 ? 400 : 204));

  await rename(failing, 'Example');
  await rest();
  const states = await statesOf(failing);
  const [waiting] = await listed(failing, 'filter[state]=waiting');
  const withTime = await listed(failing, 'filter[state]=waiting&filter[since]=2026-01-01T00:00:00Z');
  const answer = await replay(failing, { state: 'failed' });
  await stage.passPolls();
  expect(states).toEqual([
    ['failed', 'HTTP_400'],
    ['sent', null],
  ]);
  expect(waiting).toEqual({
    id: null,
    type: 'TransactionUpdated',
    transaction: failing.uuid,
    fromVersion: 1,
    toVersion: null,
    at: null,
    state: 'waiting',
    reason: 'HTTP_400',
    meaning: 'It is still to be sent. The endpoint answered 400.',
    nextAttemptAt: null,
    keptUntil: expect.any(String),
  });
  expect(withTime).toEqual([]);
  expect([answer.status, answer.json()]).toEqual([202, { since: null, until: expect.any(String) }]);
  expect(events.notifiedTo('failing').map(({ message }) => message.detail.customer)).toEqual([
    { firstName: 'Ann', lastName: 'Example' },
  ]);
  expect(await listed(failing, 'filter[state]=waiting')).toEqual([]);
});

test('V2-7 what is tried again says when', async () => {
  const absent = await aSettledCase('absent');
  events.receiver.answers('absent', () => 404);

  await rename(absent, 'Example');
  await rest();

  const [{ reason, nextAttemptAt } = {}] = await listed(absent, 'filter[state]=waiting');
  const inMs = Date.parse(String(nextAttemptAt)) - Date.now();
  expect([reason, inMs > 0, inMs <= 900_000]).toEqual(['HTTP_404', true, true]);
});

test('V2-7 V2-13 what waits for a paused webhook is sent after the resume, once', async () => {
  const paused = await aCase('paused');
  const patch = (isPaused: boolean) => paused.program.write('PATCH', '/api/v2/webhook', { paused: isPaused });
  await patch(true);
  await rename(paused, 'One');
  await rest();
  await rename(paused, 'Two');
  await rest();

  const waiting = await statesOf(paused, `filter[state]=waiting&filter[transaction]=${paused.uuid}`);
  await patch(false);
  await stage.passPolls();

  expect(waiting).toEqual([['waiting', 'PAUSED']]);
  expect(events.notifiedTo('paused').map(({ message }) => message.detail.customer)).toEqual([
    { firstName: 'Ann', lastName: 'Two' },
  ]);
  expect(await statesOf(paused)).toEqual([['sent', null]]);
});

test('V2-7 V2-13 what waited for a removed webhook is withheld, and no address is set before', async () => {
  const removed = await aCase('removed');
  await removed.program.write('PATCH', '/api/v2/webhook', { paused: true });
  await rename(removed, 'Example');
  await rest();

  await removed.program.get('/api/v2/webhook', { method: 'DELETE' });
  await stage.settled();
  const url = `${events.receiver.url}/removed`;
  const tooEarly = await removed.program.write('PUT', '/api/v2/webhook', { url });
  await stage.passTime(20_000);
  await stage.passPolls();

  expect([tooEarly.status, tooEarly.json().type]).toEqual([409, problemOf('changed-meanwhile')]);
  expect(await statesOf(removed)).toEqual([['withheld', 'NO_ENDPOINT']]);
  expect(await listed(removed, 'filter[state]=waiting')).toEqual([]);
  await stage.passPolls();
  expect((await removed.program.write('PUT', '/api/v2/webhook', { url })).status).toBe(202);
});

test('V2-10 a replay since a time sends each transaction once with present values, and each completion with its id', async () => {
  const again = await aCase('again');
  const since = new Date().toISOString();
  await rename(again, 'One');
  await rest();
  await rename(again, 'Two');
  await rest();
  await pay(again);
  await rest();
  const before = events.notifiedTo('again').length;

  const answer = await replay(again, { since });
  await stage.passPolls();

  const told = events.notifiedTo('again');
  const completions = told.filter(({ message }) => message['detail-type'] === 'TransactionCompleted');
  const more = told
    .slice(before)
    .map(({ message, headers }) => [message['detail-type'], headers['X-Transaction-From-Version']]);
  expect([answer.status, answer.json()]).toEqual([202, { since, until: expect.any(String) }]);
  expect(before).toBe(4);
  expect(more.toSorted()).toEqual([
    ['TransactionCompleted', '3'],
    ['TransactionUpdated', '1'],
  ]);
  expect(new Set(completions.map(({ message }) => message.id)).size).toBe(1);
});

test('V2-10 a replay is narrowed to a type, to a transaction and to its time', async () => {
  const narrow = await aCase('narrow');
  await rename(narrow, 'One');
  await rest();
  await pay(narrow);
  await rest();
  const typesAfter = async (body: object) => {
    const before = events.notifiedTo('narrow').length;
    await replay(narrow, body);
    await stage.passPolls();
    return events
      .notifiedTo('narrow')
      .slice(before)
      .map(({ message }) => message['detail-type']);
  };
  const since = new Date(Date.now() - 3_600_000).toISOString();

  expect(await typesAfter({ since, type: 'TransactionCompleted' })).toEqual(['TransactionCompleted']);
  expect(await typesAfter({ since, type: 'TransactionUpdated' })).toEqual(['TransactionUpdated']);
  expect(await typesAfter({ since, transaction: uuidOf(999) })).toEqual([]);
  expect(await typesAfter({ since: new Date().toISOString() })).toEqual([]);
});

test('V2-10 V2-11 WR-1 a replay is ordered once for its key, in one write with its record', async () => {
  const keyed = await aCase('keyed');
  await rename(keyed, 'Example');
  await rest();
  const since = '2026-01-01T00:00:00Z';
  const key = { 'Idempotency-Key': 'outage-7' };

  const answers = await Promise.all([1, 2].map(() => replay(keyed, { since }, key)));
  const repeated = await replay(keyed, { since }, key);
  const other = await replay(keyed, { state: 'failed' }, key);
  await stage.passPolls();

  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect([repeated.text, repeated.headers.get('idempotency-replayed')]).toEqual([answers[0]?.text, 'true']);
  expect([other.status, other.json().type]).toEqual([422, problemOf('idempotency-key-reused')]);
  expect(events.notifiedTo('keyed')).toHaveLength(2);
  const writes = stage
    .calls()
    .filter(({ caller, target }) => caller === 'v2-partner' && target.endsWith('TransactWriteItems'))
    .map(({ input }) => JSON.stringify(input))
    .filter((input) => input.includes(`PASS#${keyed.clientId}`));
  expect(writes.map((input) => input.includes('IDEM#'))).toEqual(writes.map(() => true));
});

test.each<[unknown, string[]]>([
  [{}, ['since']],
  [{ since: 'yesterday' }, ['since']],
  [{ since: '2026-01-01T00:00:00+01:00' }, ['since']],
  [{ since: '2026-01-01T00:00:00Z', type: 'WebhookTest' }, ['type']],
  [{ since: '2026-01-01T00:00:00Z', transaction: '' }, ['transaction']],
  [{ since: '2026-01-01T00:00:00Z', after: 'x' }, ['after']],
  [{ since: '2026-01-01T00:00:00Z', state: 'failed' }, ['since']],
  [{ state: 'sent' }, ['state']],
])('V2-10 S-13 the replay %j is refused by member', async (body, fields) => {
  const { status, json } = await replay(await anybody(), body);

  expect([status, (json().errors as { field: string }[]).map(({ field }) => field)]).toEqual([422, fields]);
});

let somebody: Case | undefined;
const anybody = async () => {
  somebody ??= await aCase('anybody');
  return { ...somebody, program: await aPartnerProgram(stage, somebody) };
};

test('V2-11 FLT-4 a replay is refused while nothing would be sent, and takes no filter', async () => {
  const off = await aCase('off');
  const body = { state: 'failed' };

  const filtered = await off.program.write('POST', '/api/v2/event/replay?filter[state]=failed', body);
  await off.program.write('PATCH', '/api/v2/webhook', { paused: true });
  const paused = await replay(off, body);
  await off.program.get('/api/v2/webhook', { method: 'DELETE' });
  const missing = await replay(off, body);

  expect([filtered, paused, missing].map(({ status, json }) => [status, json().type])).toEqual([
    [422, problemOf('invalid-parameters')],
    [409, problemOf('webhook-paused')],
    [409, problemOf('webhook-missing')],
  ]);
});

test('FLT-1 V2-7 type, transaction, state and time filter together, of the log and of one transaction', async () => {
  const { clientId, uuid, ...mine } = await aCase('filters');
  const [early, late] = [Date.now() - 7_200_000, Date.now() - 3_600_000];
  await note(
    { clientId, uuid, atMs: early, to: 2 },
    { clientId, uuid, atMs: late, from: 2, to: 3, outcome: 'FAILED', reason: 'SOME_CODE_OF_THE_BUS' },
    { clientId, uuid: '', atMs: late, type: 'WebhookTest', from: 0, to: 0 },
  );
  const since = `filter[since]=${new Date(late).toISOString()}`;
  const of = `filter[transaction]=${uuid}`;

  expect(await statesOf(mine)).toEqual([
    ['sent', null],
    ['failed', 'OTHER'],
    ['sent', null],
  ]);
  expect(await statesOf(mine, of)).toEqual([
    ['failed', 'OTHER'],
    ['sent', null],
  ]);
  expect(await statesOf(mine, 'filter[type]=TransactionUpdated&filter[state]=sent')).toEqual([
    ['sent', null],
  ]);
  expect(await statesOf(mine, `${of}&${since}`)).toEqual([['failed', 'OTHER']]);
  expect(await listed(mine, since)).toMatchObject([
    { type: 'WebhookTest', transaction: null },
    { type: 'TransactionUpdated' },
  ]);
  expect(await listed(mine, `${of}&filter[type]=TransactionCompleted`)).toEqual([]);
});

test('V2-7 EV-6 the lines of a transaction have the ids of their messages', async () => {
  const ids = await aCase('ids');
  await rename(ids, 'One');
  await rest();
  await pay(ids);
  await rest();

  const own = await listed(ids, `filter[transaction]=${ids.uuid}`);

  expect(own).toEqual(await listed(ids));
  expect(idsOf(own)).toEqual(
    events
      .notifiedTo('ids')
      .map(({ message }) => message.id)
      .toReversed(),
  );
});

test.each([
  ['filter[type]=Updated', 'filter[type]'],
  ['filter[state]=delivered', 'filter[state]'],
  ['filter[since]=2026-02-30T12:00:00Z', 'filter[since]'],
  ['filter[since]=2026-03-01T12:00:00%2B01:00', 'filter[since]'],
  ['filter[since]=2026-03-01T12:00:00.1234567890Z', 'filter[since]'],
  ['filter[uuid]=x', 'filter[uuid]'],
  ['page=2', 'page'],
  ['after=none', 'after'],
])('FLT-2 FLT-4 V2-7 the query %s is refused by name', async (query, field) => {
  const { status, json } = await ask(await anybody(), query);

  expect([status, json().errors]).toMatchObject([422, [{ field }]]);
});

test.each(['2026-03-01T12:00:00%2B00:00', '2026-03-01T12:00:00.123456789Z', '0477-08-05T19:56:03.903336Z'])(
  'V2-7 the time %s is taken',
  async (since) => {
    expect((await ask(await anybody(), `filter[since]=${since}`)).status).toBe(200);
  },
);

/** All pages, by `next`. */
const pagesOf = async (one: Case, query: string) => {
  const pages: JsonObject[][] = [];
  for (let href: string | undefined = `/api/v2/event?${query}`; href !== undefined; ) {
    const { data, _links } = (await one.program.get(href)).list();
    pages.push(data);
    href = _links.next?.href;
  }
  return pages;
};

test('V2-7 LINK-5 pages of lines of one instant repeat and skip none', async () => {
  const many = await aCase('many');
  const { clientId, uuid } = many;
  const atMs = Date.now() - 1_000;
  await note(...[1, 2, 3, 4, 5, 6, 7].map((to) => ({ clientId, uuid, atMs, to, eventId: eventId(to) })));

  const pages = await pagesOf(many, 'per-page=3');
  const ofOne = await pagesOf(many, `per-page=1&filter[transaction]=${uuid}`);

  expect(pages.map(idsOf)).toEqual([
    [eventId(7), eventId(6), eventId(5)],
    [eventId(4), eventId(3), eventId(2)],
    [eventId(1)],
  ]);
  expect(ofOne).toHaveLength(7);
  expect(new Set(ofOne.flat().map(({ toVersion }) => toVersion)).size).toBe(7);
});

test('V2-7 LINK-5 a cursor of another partner, query or size is refused', async () => {
  const [one, other] = [await aCase('cursor-1'), await aCase('cursor-2')];
  for (const { clientId, uuid } of [one, other])
    await note({ clientId, uuid, eventId: eventId(1) }, { clientId, uuid, eventId: eventId(2) });
  const { _links } = (await ask(one, 'per-page=1')).list();
  const next = String(_links.next?.href);
  const after = String(new URL(next).searchParams.get('after'));

  const fitting = await one.program.get(next);
  const refused = [
    await other.program.get(next),
    await ask(one, `per-page=2&after=${after}`),
    await ask(one, `per-page=1&filter[state]=sent&after=${after}`),
    await ask(one, `per-page=1&after=${after}=`),
    await ask(one, `per-page=1&after=${after.toLowerCase()}`),
  ];

  expect(idsOf(fitting.list().data)).toEqual([eventId(1)]);
  expect(refused.map(({ status, json }) => [status, json().type])).toEqual(
    refused.map(() => [422, problemOf('unfitting-cursor')]),
  );
});

test('GRANT-3 V2-7 S-36 sendings to others, of the same transaction and of others, change no byte of an answer', async () => {
  const mine = await aCase('mine');
  const { clientId, uuid } = mine;
  await importInto(stage, [
    { uuid: uuidOf(900), status: 0, ndMeta: anOwner({ group: 'G-hidden' }), customer: { firstName: 'Ann' } },
  ]);
  await note({ clientId, uuid, eventId: eventId(1) });
  const queries = [
    ...['', 'per-page=1', 'filter[state]=waiting', `filter[transaction]=${uuid}&per-page=1`],
    `filter[transaction]=${uuidOf(900)}`,
  ];
  const answers = async () => Promise.all(queries.map(async (query) => (await ask(mine, query)).text));
  const alone = await answers();

  await note(
    ...Array.from({ length: 120 }, (_, n) => ({
      ...{ clientId: `OTHER${n}`, uuid: n % 2 === 0 ? uuid : uuidOf(900), atMs: Date.now() - 90_000 + n },
      ...{ outcome: 'FAILED' as const, reason: 'HTTP_500' },
    })),
  );

  expect(await answers()).toEqual(alone);
});

test('GRANT-2 DEL-1 DR-10 V2-7 a line shows only while its event would be sent: in scope, not deleted since, complete', async () => {
  const scoped = await aCase('scoped');
  const { clientId, uuid, group } = scoped;
  await note(
    { clientId, uuid: uuidOf(901), eventId: eventId(1) },
    { clientId, uuid, to: 1, eventId: eventId(2) },
    { clientId, uuid, type: 'TransactionCompleted', from: 0, to: 1, eventId: eventId(3) },
  );
  const complete = await listed(scoped);
  await scoped.program.write('PATCH', `/api/v2/transaction/${uuid}`, { isDeleted: 1 });
  await rest();
  const deleted = await listed(scoped);
  await events.operate('partner', 'grant', 'scoped', '--grant', 'group=G-none');
  await events.operate('partner', 'revoke-grant', 'scoped', '--grant', `group=${group}`);

  expect(idsOf(complete)).toEqual([eventId(2)]);
  expect(deleted).toMatchObject([{ fromVersion: 1, toVersion: 2, state: 'sent' }]);
  expect(await listed(scoped)).toEqual([]);
  expect(await listed(scoped, `filter[transaction]=${uuid}`)).toEqual([]);
});

test('V2-7 a page reads at most four times fifty lines, and goes on by its cursor where it shows none', async () => {
  const long = await aCase('long');
  const { clientId } = long;
  await note(
    ...Array.from({ length: 210 }, (_, n) => ({
      ...{ clientId, uuid: uuidOf(902), atMs: Date.now() - 1_000 - n, eventId: eventId(n + 10) },
    })),
    { clientId, uuid: long.uuid, atMs: Date.now() - 60_000, eventId: eventId(1) },
  );
  const before = stage.calls().length;

  const { data, _links } = (await ask(long)).list();
  const reads = stage
    .calls()
    .slice(before)
    .filter(
      ({ target, input }) => target.endsWith('.Query') && JSON.stringify(input).includes(`LOG#${clientId}`),
    );
  const after = (await long.program.get(String(_links.next?.href))).list();

  expect([data, reads.map(({ input }) => input.Limit)]).toEqual([[], [50, 50, 50, 50]]);
  expect([idsOf(after.data), after._links.next]).toEqual([[eventId(1)], undefined]);
});

test('V2-6 the last failure is the newest of an event that the partner may know of', async () => {
  const last = await aCase('last');
  const { clientId, uuid } = last;
  const failed = { clientId, outcome: 'FAILED' as const };
  await note(
    { ...failed, uuid, atMs: Date.now() - 3_000, reason: 'DNS', eventId: eventId(1) },
    { ...failed, uuid, atMs: Date.now() - 2_000, reason: 'HTTP_503', eventId: eventId(2) },
    { ...failed, uuid: uuidOf(903), atMs: Date.now() - 1_000, reason: 'HTTP_500', eventId: eventId(3) },
  );

  const { webhook } = (await last.program.get('/api/v2/partner')).json() as { webhook: JsonObject };

  expect(webhook.lastFailure).toEqual({
    event: eventId(2),
    at: expect.any(String),
    reason: 'HTTP_503',
    status: 503,
  });
});
