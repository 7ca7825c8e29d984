import { describe, expect, test } from '@jest/globals';
import { type ExplainFacts, explain } from '../../../../../bin/operator/events/explain.ts';
import { explanationSentence } from '../../../../../bin/operator/output/explain.ts';
import type {
  CompletionMarker,
  DebounceRow,
} from '../../../../../functions/shared/domain/event/debounce-row.ts';
import type { Delivery, DeliveryState } from '../../../../../functions/shared/domain/event/delivery.ts';
import { newDelivery } from '../../../../../functions/shared/domain/event/new-delivery.ts';
import { settingsOf } from '../../../../../functions/shared/domain/event/timing.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { eventOf } from '../../../../support/builders/sent-events.ts';
import { aNewTransaction, anOwner } from '../../../../support/builders/transactions.ts';

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const nowMs = at('12:00:00');
const uuid = '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000';
const receiver = aPartner({ clientId: 'P', name: 'acme', webhookUrl: 'https://acme.example/' });

const stateAt = (version: number, changes: Partial<StoredTransaction> = {}): StoredTransaction => {
  const { elementVersions, ...rest } = aNewTransaction({ customer: {} });
  return {
    ...rest,
    version,
    elementVersions: { ...elementVersions, customer: version },
    updatedAtMs: at('11:50:00'),
    sequenceNumber: 1,
    ...changes,
  };
};
const ofTransaction = (changes: Partial<StoredTransaction['transaction']>): Partial<StoredTransaction> => ({
  transaction: aNewTransaction({ customer: {}, ...changes }).transaction,
});
const debounceRow = (changes: Partial<DebounceRow> = {}): DebounceRow => ({
  uuid: stateAt(1).transaction.uuid,
  kind: 'NOTIFY',
  revision: 1,
  changeCount: 1,
  notifiedVersion: 3,
  ...changes,
});
const notified = eventOf(stateAt(3), 1, { atMs: at('11:52:01') }).event;
const delivery = (state: DeliveryState, changes: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery(notified, 'P'),
  state,
  ...changes,
});
const step = (time: string, name: Delivery['timeline'][number]['step'], note?: string) => ({
  timeline: [{ atMs: at(time), step: name, ...(note !== undefined && { note }) }],
});

const codesOf = (facts: Partial<ExplainFacts>) => sentences(facts).map((said) => said.split(':')[0]);
/** Each finding: `<code>: <sentence>`. */
const sentences = (facts: Partial<ExplainFacts>) =>
  explain({
    partner: receiver,
    stored: stateAt(3),
    debounceRow: debounceRow(),
    marker: undefined,
    events: [],
    deliveries: [],
    nowMs,
    settings: settingsOf(120_000),
    ...facts,
  }).map(
    (finding) =>
      `${finding.code}: ${explanationSentence(finding, { partner: 'acme', uuid, nowMs, dormancyMs: 120_000 })}`,
  );

test('EV-11 nobody is notified of a transaction that was created and deleted before any event', () => {
  const stored = { ...stateAt(3, ofTransaction({ isDeleted: 1 })), session: 's1' };

  expect(sentences({ stored, debounceRow: undefined }).slice(2)).toEqual([
    'NEVER_NOTIFIED: It was deleted before partners were notified of it, so nobody is notified.',
  ]);
});

const deleted = stateAt(3, ofTransaction({ isDeleted: 1 }));
const elsewhere = stateAt(3, ofTransaction({ ndMeta: anOwner({ group: 'group-b' }) }));
const located = { ...receiver, grants: [{ group: 'group-b' }, { group: 'group-a', location: 'location-a' }] };
const paused = { ...receiver, webhookPaused: 'operator' as const };
const ofOwner = (group: string) => `group=${group},franchise=franchise-a,location=location-a`;
const unknown = `There is no transaction ${uuid}: the uuid is mistyped, or it was an empty checkout that was removed after 30 days.`;

/** The first sentence about some facts. */
const firstThings: [sentence: string, Partial<ExplainFacts>][] = [
  [`UNKNOWN_TRANSACTION: ${unknown}`, { stored: undefined }],
  [
    'DELETED_TRANSACTION: The transaction is deleted: nobody can read it, and no events follow its deletion.',
    { stored: deleted },
  ],
  [
    'ALL_STOPPED: All webhooks are stopped since 11:50:00 UTC: events are kept until "webhooks start".',
    { stoppedAtMs: at('11:50:00') },
  ],
  ['NO_PARTNER: There is no partner "acme" any more: it gets no events.', { partner: undefined }],
  [
    'DISABLED: "acme" is disabled: nothing is sent to it until "partner enable acme".',
    { partner: { ...receiver, enabled: false } },
  ],
  [
    'NO_ENDPOINT: "acme" has no webhook address: nothing is sent to it until "partner set-webhook acme".',
    { partner: aPartner({ name: 'acme' }) },
  ],
  [
    'MAY_NOT_READ: "acme" has no OAuth scope nop2/read: it can read nothing, so it gets no events.',
    { partner: { ...receiver, oauthScopes: ['nop2/write'] } },
  ],
  [
    `OUT_OF_SCOPE: "acme" may not see it: it belongs to ${ofOwner('group-b')}, and the grants are group=group-a.`,
    { stored: elsewhere },
  ],
  [
    `OUT_OF_SCOPE: "acme" may not see it: it belongs to ${ofOwner('group-a')}, and the grants are none.`,
    { partner: { ...receiver, grants: [] } },
  ],
  [
    'PAUSED: "acme" is paused: its events are kept until "partner resume acme", 1 of this transaction so far.',
    { partner: paused, deliveries: [delivery('HELD')] },
  ],
  [
    'RECEIVES: "acme" sees it through the grant group=group-a,location=location-a, and is notified of its changes.',
    { partner: located },
  ],
];
test.each(firstThings)('RUN-4 V1-8 S-77 S-11 first of all: %s', (sentence, facts) => {
  expect(sentences(facts)[0]).toBe(sentence);
});

test('GRANT-2 every obstacle is named', () => {
  const partner = aPartner({ name: 'acme', enabled: false, oauthScopes: [], grants: [] });

  expect(codesOf({ partner })).toEqual([
    ...['DISABLED', 'NO_ENDPOINT', 'MAY_NOT_READ', 'OUT_OF_SCOPE'],
    'NOTHING_PENDING',
  ]);
});

const changedAt = (version: number) => stateAt(version, { updatedAtMs: at('11:59:10') });
const ownAlone = { ...changedAt(4), elementVersions: { ...stateAt(3).elementVersions, own: 4 } };
const due = debounceRow({ dueAtMs: at('12:01:00') });
const sentAt = (time: string) => debounceRow({ dueAtMs: at('12:01:00'), lastSentAtMs: at(time) });
const inflight: DebounceRow['inflight'] = {
  eventId: 'e',
  from: 3,
  to: 4,
  elements: ['customer'],
  changeCount: 1,
  claimedAtMs: at('11:59:50'),
  attempts: 2,
  leasedUntilMs: at('12:00:10'),
};
const dormantAt = 'the transaction is dormant when nobody has changed it for 2 min.';
const empty =
  'EMPTY_CHECKOUT: The checkout is empty, or has a location only: partners are notified once it has content.';

/** The last sentence about changes that no event covers yet. */
const pendings: [sentence: string, StoredTransaction, DebounceRow | undefined][] = [
  [
    'UNCHANGED_IMPORT: It was imported and has not changed since: an import notifies nobody.',
    stateAt(1, { notifyFromVersion: 2 }),
    undefined,
  ],
  [empty, stateAt(1, { notifyFromVersion: 2, session: 's' }), undefined],
  // Its session only moved it.
  [empty, stateAt(3, { notifyFromVersion: 4, session: 's' }), undefined],
  [
    'NOTHING_PENDING: Nothing is pending: events cover every change up to version 3.',
    stateAt(3),
    debounceRow(),
  ],
  [
    `DORMANT_AT: Changes of customer (versions 4 to 5) wait until 12:01:10 UTC: ${dormantAt}`,
    changedAt(5),
    due,
  ],
  [
    'DORMANT_AT: Changes of customer (version 4) wait until 12:01:30 UTC: the last event was sent at 11:59:30 UTC, and at most one is sent in 2 min.',
    changedAt(4),
    sentAt('11:59:30'),
  ],
  // The last event is longer ago than the last change.
  [
    `DORMANT_AT: Changes of customer (version 4) wait until 12:01:10 UTC: ${dormantAt}`,
    changedAt(4),
    sentAt('11:59:09'),
  ],
  [
    `DORMANT_AT: Changes of properties that events do not show (version 4) wait until 12:01:10 UTC: ${dormantAt}`,
    ownAlone,
    due,
  ],
  [
    'DUE: Changes of customer (version 4) are due: the next tick sends them.',
    stateAt(4),
    debounceRow({ dueAtMs: at('11:52:00') }),
  ],
  [
    'NOT_SCHEDULED: Changes of customer (version 4) are not captured yet: the stream is late or has lost them. The reconciler captures them within ten minutes.',
    stateAt(4),
    debounceRow(),
  ],
  [
    'IN_FLIGHT: TransactionUpdated of version 4 is being sent since 11:59:50 UTC (try 2).',
    stateAt(4),
    debounceRow({ dueAtMs: at('12:00:10'), inflight }),
  ],
];
test.each(pendings)('RUN-4 EV-1 EV-2 EV-3 EV-10 I20 of changes: %s', (sentence, stored, row) => {
  expect(sentences({ stored, debounceRow: row }).at(-1)).toBe(sentence);
});

describe('I8 a pending completion is named', () => {
  const due: CompletionMarker = {
    uuid: stateAt(1).transaction.uuid,
    kind: 'COMPLETED',
    revision: 1,
    changeCount: 1,
    dueAtMs: at('12:00:10'),
  };
  const claim = { eventId: notified.eventId, from: 0, to: 1, elements: [], changeCount: 1, attempts: 1 };
  const inflight = { ...claim, claimedAtMs: at('12:00:11'), leasedUntilMs: at('12:00:31') };

  test.each<[string, CompletionMarker, string]>([
    ['with its time', due, '12:00:10'],
    ['with the end of the lease of who is sending it', { ...due, inflight }, '12:00:31'],
  ])('%s', (_, marker, time) => {
    expect(sentences({ marker })).toContain(
      `COMPLETION_DUE: TransactionCompleted will be sent at ${time} UTC.`,
    );
  });
});

const id = notified.eventId;
/** Sentences about one event, by its status. */
const standings: [Delivery, string, string][] = [
  [delivery('READY'), 'BEING_SENT', 'is being sent since 11:52:01 UTC'],
  [
    delivery('READY', { dueAtMs: at('12:00:05') }),
    'SCHEDULED',
    'is sent again by the first tick after 12:00:05 UTC',
  ],
  [delivery('HELD'), 'KEPT', 'is kept since 11:52:01 UTC: "acme" was paused'],
  [
    delivery('DELIVERED', step('11:52:02', 'delivered')),
    'DELIVERED',
    'was delivered at 11:52:02 UTC, 2 min 2 s after the change',
  ],
  [
    delivery('ACCEPTED', step('11:52:02', 'accepted')),
    'ACCEPTED',
    'was accepted by the bus at 11:52:02 UTC, 2 min 2 s after the change; no failure reported so far',
  ],
  [
    delivery('ACCEPTED', {
      timeline: [
        { atMs: at('11:52:03'), step: 'attempted', note: 'attempt 1: status 503, again at a time' },
        { atMs: at('11:52:02'), step: 'accepted' },
      ],
    }),
    'NOT_TAKEN_YET',
    'was accepted by the bus at 11:52:02 UTC, 2 min 2 s after the change; the endpoint has not accepted it yet (attempt 1: status 503, again at a time)',
  ],
  [
    delivery('ACCEPTED', {
      timeline: [
        { atMs: at('11:52:03'), step: 'attempted', note: 'attempt 1: status 410, given up' },
        { atMs: at('11:53:00'), step: 'scheduled' },
        { atMs: at('11:53:01'), step: 'accepted' },
      ],
    }),
    'ACCEPTED',
    'was accepted by the bus at 11:53:01 UTC, 3 min 1 s after the change; no failure reported so far',
  ],
  [
    delivery('DEAD', { reason: 'REFUSED_BY_BUS', refusals: 5 }),
    'REFUSED_BY_BUS',
    `was refused by the bus 5 times and waits for "events replay ${id}"`,
  ],
  [
    delivery('DEAD', {
      reason: 'HTTP_404',
      ...step('11:53:00', 'dead', 'HTTP_404'),
      dueAtMs: at('12:08:00'),
    }),
    'DEAD',
    'was not taken by the endpoint (HTTP_404); it is tried again at 12:08:00 UTC',
  ],
  [
    delivery('DEAD', {
      reason: 'EXHAUSTED',
      ...step('11:53:00', 'dead', 'EXHAUSTED: HTTP_503 after 185 retries'),
    }),
    'DEAD',
    `was not taken by the endpoint (EXHAUSTED: HTTP_503 after 185 retries); it waits for "events replay ${id}"`,
  ],
  ...(
    [
      ['OUT_OF_SCOPE', 'OUT_OF_SCOPE', 'its grants did not cover the transaction then'],
      ['DISABLED', 'DISABLED', 'it was disabled then'],
      ['NO_ENDPOINT', 'NO_ENDPOINT', 'it had no webhook address then'],
      ['MAY_NOT_READ', 'MAY_NOT_READ', 'it had no OAuth scope nop2/read then'],
      ['COALESCED', 'COALESCED: sent by e-1', 'a later event covers all its changes (sent by e-1)'],
      ['UNDONE', 'UNDONE: a restore undid the completion', 'a restore undid the completion'],
      ['DELETED', 'DELETED', 'the transaction had been deleted'],
      ['EXPIRED', 'EXPIRED', 'its body had expired'],
    ] as const
  ).map(([reason, note, why]): [Delivery, string, string] => [
    delivery('SUPPRESSED', { reason, ...step('11:52:03', 'suppressed', note) }),
    'NOT_SENT',
    `was not sent at 11:52:03 UTC: ${why}`,
  ]),
];
describe('TH-23 the status of an event', () => {
  const titled = standings.map(([one, code, end]) => [code, one.reason ?? '', one, end] as const);
  test.each(titled)('%s %s', (code, _, one, end) => {
    expect(sentences({ events: [notified], deliveries: [one] }).at(-1)).toBe(
      `${code}: TransactionUpdated of versions 2 to 3 ${end}.`,
    );
  });

  test('after 25 hours without a failure none is expected any more', () => {
    const facts = { events: [notified], deliveries: [delivery('ACCEPTED', step('11:52:02', 'accepted'))] };
    const lastOf = (afterMs: number) => sentences({ ...facts, nowMs: at('11:52:02') + afterMs }).at(-1);

    expect(lastOf(25 * 3_600_000)).toMatch(/^ACCEPTED:/);
    expect(lastOf(25 * 3_600_000 + 1)).toBe(
      'NO_FAILURE_REPORTED: TransactionUpdated of versions 2 to 3 was accepted by the bus at 11:52:02 UTC, 2 min 2 s after the change; no failure was reported.',
    );
  });

  test('I9 an event for other partners is named', () => {
    expect(sentences({ events: [notified] }).at(-1)).toBe(
      'NOT_A_RECIPIENT: TransactionUpdated of versions 2 to 3 was made at 11:52:01 UTC, when "acme" was not a recipient: out of scope, disabled or without a webhook address.',
    );
  });

  test('an event for others is not named if this partner got the same changes by another event', () => {
    const others = { ...notified, eventId: 'others', from: 0 };

    expect(codesOf({ events: [others, notified], deliveries: [delivery('DELIVERED')] })).toEqual([
      ...['RECEIVES', 'NOTHING_PENDING', 'DELIVERED'],
    ]);
  });

  test('events come newest first, for an unknown transaction as well', () => {
    const later = delivery('HELD', { eventId: 'later', from: 3, to: 4, claimedAtMs: at('11:55:00') });
    const facts = { stored: undefined, events: [notified], deliveries: [delivery('DELIVERED'), later] };

    expect(codesOf(facts)).toEqual(['UNKNOWN_TRANSACTION', 'KEPT', 'DELIVERED']);
  });
});

describe('EV-13 a dead event of a partner', () => {
  const isBlocked = { state: 'DEAD', reason: 'HTTP_410', dueAtMs: at('12:15:00') } as const;
  const dead = delivery('DEAD', { ...isBlocked, ...step('12:00:00', 'dead', 'HTTP_410') });

  const checked = 'checked again at 12:15:00 UTC, and sent only if the reason no longer holds';
  test.each([
    ['disabled', { ...receiver, enabled: false }, checked],
    ['paused', { ...receiver, webhookPaused: 'operator' as const }, checked],
    ['without an address', aPartner({ clientId: 'P', name: 'acme' }), checked],
    ['who receives', receiver, 'tried again at 12:15:00 UTC'],
  ])('%s: is only said to be tried again if it will be', (_, partner, what) => {
    expect(sentences({ partner, deliveries: [dead] })).toContain(
      `DEAD: TransactionUpdated of versions 2 to 3 was not taken by the endpoint (HTTP_410); it is ${what}.`,
    );
  });
});
