import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Delivery, DeliveryState } from '../../../../../functions/shared/domain/event/delivery.ts';
import { newDelivery } from '../../../../../functions/shared/domain/event/new-delivery.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { eventOf, type StoredEvent } from '../../../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { createMemoryPartners } from '../../../../support/memory/partners.ts';
import { begin, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

/** The tool's clock shows noon. */
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const acme = aPartner({ clientId: 'A'.repeat(26), name: 'acme', webhookUrl: 'https://acme.example/' });
const bert = aPartner({ clientId: 'B'.repeat(26), name: 'bert', webhookUrl: 'https://bert.example/' });
const gone = 'C'.repeat(26);

const stateAt = (version: number, changedAt: string, number = 1): StoredTransaction => {
  const { elementVersions, ...rest } = aNewTransaction({
    uuid: uuidOf(number),
    customer: { firstName: `${version}` },
    payments: [{ id: 1, token: 'tok_secret' }],
  });
  const versions = { ...elementVersions, customer: version, payments: 1 };
  return { ...rest, version, elementVersions: versions, updatedAtMs: at(changedAt), sequenceNumber: 1 };
};
const first = eventOf(stateAt(1, '11:50:00'), 0, { atMs: at('11:52:03') });
const second = eventOf(stateAt(2, '11:55:00'), 1, { atMs: at('11:57:01') });
const third = eventOf(stateAt(3, '11:56:00'), 2, { atMs: at('11:59:01') });
const completed = eventOf(stateAt(2, '11:55:00'), 1, { type: 'TransactionCompleted', atMs: at('11:55:01') });
const other = eventOf(stateAt(1, '11:40:00', 2), 0, { atMs: at('11:42:00') });

const put = (
  { event, bodies }: StoredEvent,
  clientId: string,
  changes: Partial<Delivery> & { state: DeliveryState },
) =>
  stage.deps.deliveryLog.addMissing({
    event: { ...event, recipients: [clientId] },
    ...(bodies && { bodies }),
    deliveries: [{ ...newDelivery(event, clientId), ...changes }],
  });

const acceptedAt = (event: StoredEvent, time: string): Pick<Delivery, 'state' | 'timeline'> => ({
  state: 'ACCEPTED',
  timeline: [{ atMs: at(time), step: 'accepted' }, ...newDelivery(event.event, acme.clientId).timeline],
});

beforeEach(async () => {
  begin({ partners: createMemoryPartners([acme, bert].map((partner) => ({ partner, secrets: [] }))) });
  await put(first, acme.clientId, acceptedAt(first, '11:52:04'));
  await put(first, bert.clientId, { state: 'SUPPRESSED', reason: 'OUT_OF_SCOPE' });
  await put(second, acme.clientId, { state: 'DEAD', reason: 'HTTP_404', dueAtMs: at('12:10:00') });
  await put(completed, acme.clientId, { state: 'DELIVERED' });
  await put(other, gone, { state: 'DELIVERED' });
});

const listed = async (options = '') =>
  (await json(`events list ${options}`.trim())).map(
    ({ partner, type, uuid, to, state }: { [name: string]: string }) =>
      `${partner} ${type?.replace('Transaction', '')} ${uuid === uuidOf(1) ? 1 : 2}.${to} ${state}`,
  );

const noPartner =
  'There is no partner "nobody": "partner list" shows all, and a deleted partner is named by its client ID.\n';

describe('RUN-4 events list', () => {
  const all = [
    'acme Updated 1.2 DEAD',
    'acme Completed 1.2 DELIVERED',
    'acme Updated 1.1 ACCEPTED',
    'bert Updated 1.1 SUPPRESSED',
  ];
  const [dead, done, accepted, suppressed] = all;
  test.each([
    ['', all],
    ['--partner bert', [suppressed]],
    [`--partner ${bert.clientId}`, [suppressed]],
    [`--partner ${gone}`, [`${gone} Updated 2.1 DELIVERED`]],
    [`--transaction ${uuidOf(2)}`, [`${gone} Updated 2.1 DELIVERED`]],
    [`--transaction ${uuidOf(1)} --partner bert`, [suppressed]],
    ['--state dead', [dead]],
    ['--type TransactionCompleted', [done]],
    ['--since 5m', [dead, done]],
    ['--since 2026-11-21T11:52:03Z --until 2026-11-21T11:55:01Z', [accepted, suppressed]],
    ['--limit 1', [dead]],
  ])('shows what %s asks for, newest first', async (options, expected) => {
    expect(await listed(options)).toEqual(expected);
  });

  test('prints every field as JSON', async () => {
    expect(await json('events list --state DEAD')).toEqual([
      {
        ...{ eventId: second.event.eventId, partner: 'acme', clientId: acme.clientId, uuid: uuidOf(1) },
        ...{ type: 'TransactionUpdated', from: 1, to: 2, state: 'DEAD', reason: 'HTTP_404', code: 'DEAD' },
        ...{ changedAt: '2026-11-21T11:55:00.000Z', claimedAt: '2026-11-21T11:57:01.000Z' },
        dueAt: '2026-11-21T12:10:00.000Z',
      },
    ]);
  });

  test('prints a table, and says if there are more', async () => {
    const { printed } = await run('events list --limit 1');

    for (const part of [
      ...['2026-11-21 11:57:01', 'acme', 'Updated', uuidOf(1), second.event.eventId, 'version 2'],
      ...['DEAD HTTP_404', 'due 2026-11-21 12:10:00', 'There are more: narrow the list, or raise --limit.'],
    ])
      expect(printed).toContain(part);
    expect((await run('events list --state HELD')).printed).toBe('There is no such event.\n');
  });

  test('says "no failure reported" of an event that was accepted more than 25 hours ago', async () => {
    const { partners, deliveryLog } = stage.deps;
    begin({ partners, deliveryLog, now: () => new Date('2026-11-22T12:52:05Z') });

    expect((await run('events list --state ACCEPTED')).printed).toContain('no failure reported');
  });

  test.each([
    ['--partner nobody', noPartner],
    ['--state LOST', '--state is one of READY, HELD, ACCEPTED, DELIVERED, DEAD, SUPPRESSED.\n'],
    ['--type Deleted', '--type is TransactionUpdated or TransactionCompleted.\n'],
    ['--limit 0', '--limit is "0" and must be a whole number from 1 to 1000.\n'],
    ['--limit 0x10', '--limit is "0x10" and must be a whole number from 1 to 1000.\n'],
    [
      '--since yesterday',
      '--since is a time such as 2026-11-21T12:00:00Z, or how long ago, such as 30m, 2h or 3d.\n',
    ],
  ])('%s is refused', async (options, sentence) => {
    expect(await run(`events list ${options}`)).toMatchObject({ exitCode: 1, noted: sentence });
  });
});

describe('TH-23 events show', () => {
  test('prints the facts of the event and its timeline, with times after the change', async () => {
    const { printed } = await run(['events', 'show', first.event.eventId, '--partner', 'acme']);

    expect(printed).toContain(`transaction  ${uuidOf(1)}\n`);
    expect(printed).toContain('elements     customer, payments\n');
    expect(printed).toContain(
      `acme (${acme.clientId}): was accepted by the bus at 11:52:04 UTC, 2 min 4 s after the change; no failure reported so far.`,
    );
    expect(rowsOf(printed)).toEqual([
      ['time (UTC)', 'after the change', 'step', 'note'],
      ['2026-11-21 11:50:00.000', '', 'changed', ''],
      ['2026-11-21 11:52:00.000', '+ 2 min', 'dormant', ''],
      ['2026-11-21 11:52:03.000', '+ 2 min 3 s', 'claimed', ''],
      ['2026-11-21 11:52:04.000', '+ 2 min 4 s', 'accepted', ''],
    ]);
    expect(printed).not.toContain(bert.clientId);
  });

  test('I8 shows no wait for a completion, even if it is late', async () => {
    const times = { type: 'TransactionCompleted', atMs: at('11:45:00') } as const;
    const late = eventOf(stateAt(2, '11:40:00', 3), 1, times);
    await put(late, acme.clientId, { state: 'DELIVERED' });

    const { deliveries } = await json(['events', 'show', late.event.eventId]);

    expect(deliveries[0].timeline).toEqual([
      expect.objectContaining({ step: 'changed' }),
      { at: '2026-11-21T11:45:00.000Z', afterChangeMs: 300_000, step: 'claimed' },
    ]);
  });

  test('TH-16 prints the body only on request, without payment tokens, and records that; its hashes prove both', async () => {
    const { eventId } = first.event;
    expect((await run(`events show ${eventId}`)).printed).not.toContain('firstName');
    expect(stage.records).toEqual([]);

    const { printed } = await run(`events show ${eventId} --body`);
    const shown = await json(`events show ${eventId} --body`);

    expect(printed).toContain(first.bodies.plain);
    expect(shown.body).toBe(first.bodies.plain);
    expect(shown.sha256).toEqual({
      plain: createHash('sha256').update(first.bodies.plain).digest('hex'),
      tokens: createHash('sha256')
        .update(first.bodies.tokens ?? '')
        .digest('hex'),
    });
    expect(printed + JSON.stringify(shown)).not.toContain('tok_secret');
    expect(stage.records[0]).toMatchObject({
      ...{ who: 'tester', command: 'events show', arguments: { eventId, body: true } },
    });
  });

  test.each([
    ['no-such', 'There is no event no-such, or it has expired: "events list" shows all.\n'],
    [
      `${second.event.eventId} --partner bert`,
      'The event was not for "bert": "events show" without --partner says which partners it was for.\n',
    ],
  ])('%s is refused', async (options, sentence) => {
    expect(await run(`events show ${options}`)).toMatchObject({ exitCode: 1, noted: sentence });
  });
});

/** The cells of a drawn table. */
const rowsOf = (printed: string) =>
  printed
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) =>
      line
        .split('│')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const stateOf = async (eventId: string, clientId: string) =>
  (await stage.deps.deliveryLog.delivery({ eventId, clientId }))?.state;

describe('RUN-4 events replay', () => {
  test('S-28 one event is recorded first, then scheduled for the next tick', async () => {
    const said = await run(['events', 'replay', second.event.eventId, '--partner', 'acme']);

    const { eventId } = second.event;
    expect(said).toMatchObject({ exitCode: 0, asked: [] });
    expect(said.printed).toMatch(/sent again(.*\n)*.*The next tick sends them/);
    expect(said.printed).not.toContain('was sent version');
    expect(stage.records).toMatchObject([
      { command: 'events replay', arguments: { eventId, clientId: acme.clientId } },
    ]);
    const { state, dueAtMs } =
      (await stage.deps.deliveryLog.delivery({ eventId, clientId: acme.clientId })) ?? {};
    expect([state, dueAtMs]).toEqual(['READY', at('12:00:00')]);
  });

  test('without a partner, all partners of the event get it again', async () => {
    await run(['events', 'replay', first.event.eventId]);

    for (const { clientId } of [acme, bert])
      expect(await stateOf(first.event.eventId, clientId)).toBe('READY');
  });

  test('EV-12 an event that is older than a sent one is sent alone, with a warning', async () => {
    await put(third, acme.clientId, { state: 'DELIVERED' });
    const replaying = ({ event }: StoredEvent) => `events replay ${event.eventId} --partner acme`;

    const said = await run(replaying(second));
    const { events } = await json(`${replaying(first)} --dry-run`);

    expect(said.printed).toContain(
      '"acme" was sent version 3 since: this event arrives after it, with the older values of version 2. "events replay --partner acme --since <time>" sends one event with the present values instead.\n',
    );
    expect(events).toMatchObject([{ to: 1, newerVersion: 3 }]);
    const sent = await stage.deps.deliveryLog.delivery({ ...second.event, clientId: acme.clientId });
    expect(sent).toMatchObject({ state: 'READY', isStandalone: true });
  });

  test('V2-10 --since makes the earliest event of each transaction due, and each completion; a dry run only counts them', async () => {
    const since = 'events replay --partner acme --since 1h';

    expect((await run(`${since} --dry-run`)).printed).toBe(
      'Transactions: 1, one event for each. Completions: 1, each with its stored body.\nNothing was changed (--dry-run).\n',
    );
    expect([stage.records, await stateOf(second.event.eventId, acme.clientId)]).toEqual([[], 'DEAD']);
    expect(await json(since)).toEqual({ transactions: 1, asStored: 1, dryRun: false });

    const states = [first, second, completed].map(({ event }) => stateOf(event.eventId, acme.clientId));
    expect(await Promise.all(states)).toEqual(['READY', 'SUPPRESSED', 'READY']);
    expect(await stateOf(first.event.eventId, bert.clientId)).toBe('SUPPRESSED');
    expect(stage.records).toMatchObject([
      { arguments: { clientId: acme.clientId, since: '2026-11-21T11:00:00.000Z' } },
    ]);
  });

  test('I7 nothing is sent again, or counted, that is on its way, or of before that time', async () => {
    const since = 'events replay --partner acme --since';
    await run(`${since} 1h`);

    expect(await json(`${since} 1h --dry-run`)).toEqual({ transactions: 0, asStored: 0, dryRun: true });
    const one = `events replay ${first.event.eventId} --partner acme --dry-run`;
    expect((await json(one)).events).toMatchObject([
      { outcome: 'underway', eventId: first.event.eventId, to: 1, newerVersion: null },
    ]);
    expect((await run(`${since} 1s`)).printed).toBe('There is nothing to send.\n');
  });

  test.each(['', '--partner acme', '--since 1h', `${first.event.eventId} --since 1h --partner acme`])(
    '"%s" is refused',
    async (options) => {
      expect(await run(`events replay ${options}`.trim())).toMatchObject({
        exitCode: 1,
        noted: 'Name one event, or a partner and a time with --partner and --since.\n',
      });
      expect(stage.records).toEqual([]);
    },
  );
});

describe('RUN-4 explain', () => {
  beforeEach(async () => {
    const { sequenceNumber: _, ...fresh } = stateAt(3, '11:59:00');
    await stage.deps.transactions.createMany([fresh]);
    stage.deps.debounceRows = {
      ...stage.deps.debounceRows,
      get: async (key) =>
        (key.kind === 'NOTIFY'
          ? { ...key, revision: 0, changeCount: 1, dueAtMs: at('12:01:00') }
          : undefined) as never,
    };
  });

  test('prints sentences for people', async () => {
    const { printed } = await run(`explain acme ${uuidOf(1)}`);

    expect(printed).toBe(
      [
        '"acme" sees it through the grant group=group-a, and is notified of its changes.',
        'Changes of customer, payments (versions 1 to 3) wait until 12:01:00 UTC: the transaction is dormant when nobody has changed it for 2 min.',
        'TransactionUpdated of version 2 was not taken by the endpoint (HTTP_404); it is tried again at 12:10:00 UTC.',
        'TransactionCompleted of version 2 was delivered at 11:55:01 UTC, 1 s after the change.',
        'TransactionUpdated of version 1 was accepted by the bus at 11:52:04 UTC, 2 min 4 s after the change; no failure reported so far.',
        '',
      ].join('\n'),
    );
  });

  test('prints codes for programs, of a deleted partner by its client id', async () => {
    const known = await json(`explain bert ${uuidOf(1)}`);
    const deleted = await json(`explain ${gone} ${uuidOf(2)}`);

    const codesOf = (said: { findings: { code: string }[] }) => said.findings.map(({ code }) => code);
    expect(known).toMatchObject({ partner: 'bert', clientId: bert.clientId, uuid: uuidOf(1) });
    const notOne = 'NOT_A_RECIPIENT';
    expect(codesOf(known)).toEqual(['RECEIVES', 'DORMANT_AT', notOne, notOne, 'NOT_SENT']);
    expect(codesOf(deleted)).toEqual(['UNKNOWN_TRANSACTION', 'DELIVERED']);
    const [, dormant, , , notSent] = known.findings;
    expect(dormant).toMatchObject({ at: '2026-11-21T12:01:00.000Z', elements: ['customer', 'payments'] });
    expect(notSent).toMatchObject({ reason: 'OUT_OF_SCOPE', claimedAt: '2026-11-21T11:52:03.000Z' });
  });

  test('what nobody knows is exit code 1: a transaction of which no event is kept, and a partner', async () => {
    expect(await run('explain bert mistyped')).toMatchObject({
      ...{ exitCode: 1, printed: expect.stringMatching(/^There is no transaction mistyped: .*\n$/) },
    });
    expect((await run(`explain ${gone} ${uuidOf(2)}`)).exitCode).toBe(0);
    expect(await run(`explain nobody ${uuidOf(1)}`)).toMatchObject({ exitCode: 1, noted: noPartner });
  });
});
