import { describe, expect, test } from '@jest/globals';
import { type ExplainFacts, explain } from '../../../../../bin/operator/events/explain.ts';
import { explanationSentence } from '../../../../../bin/operator/output/explain.ts';
import { settingsOf } from '../../../../../functions/shared/domain/event/timing.ts';
import type { StoredTransaction } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import type {
  BacklogRow,
  CompletionMarker,
  DebounceRow,
} from '../../../../../functions/shared/events/rows.ts';
import type { ShownEvent } from '../../../../../functions/shared/events/states.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
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
  notifiedVersion: 3,
  ...changes,
});
/** Sent at once to whoever has one of these. */
const sent = (changes: Partial<ShownEvent> = {}): ShownEvent => ({
  ...{ clientId: 'P', uuid, type: 'TransactionUpdated', state: 'sent' },
  ...{ from: 1, to: 3, atMs: at('11:52:02'), ...changes },
});
const owed = { kind: 'BACKLOG', uuid, clientId: 'P', tries: 1, owed: 1, revision: 1 } as const;

const codesOf = (facts: Partial<ExplainFacts>) => sentences(facts).map((said) => said.split(':')[0]);
/** Each finding: `<code>: <sentence>`. */
const sentences = (facts: Partial<ExplainFacts>) =>
  explain({
    clientId: 'P',
    partner: receiver,
    stored: stateAt(3),
    debounceRow: debounceRow(),
    marker: undefined,
    backlog: [],
    sendings: [],
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
    'ALL_STOPPED: All webhooks are stopped since 11:50:00 UTC: events wait for "webhooks start".',
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
  ['PAUSED: "acme" is paused: its events wait for "partner resume acme".', { partner: paused }],
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
    'BEING_SENT: Changes of customer (version 4) are being sent.',
    stateAt(4),
    debounceRow({ dueAtMs: at('11:59:00'), leasedTo: 4, leasedUntilMs: at('12:00:10') }),
  ],
];
test.each(pendings)('RUN-4 EV-1 EV-2 EV-3 EV-10 I20 of changes: %s', (sentence, stored, row) => {
  expect(sentences({ stored, debounceRow: row }).at(-1)).toBe(sentence);
});

describe('I8 DR-10 a pending completion', () => {
  const complete = stateAt(3, ofTransaction({ status: 1 }));
  const due: CompletionMarker = {
    ...{ uuid: complete.transaction.uuid, kind: 'COMPLETED', revision: 1, version: 3 },
    dueAtMs: at('12:00:10'),
  };
  const leased = { ...due, leasedUntilMs: at('12:00:31') };

  test.each<[string, CompletionMarker, string]>([
    ['with its time', due, '12:00:10'],
    ['with the end of the lease of who is sending it', leased, '12:00:31'],
  ])('is named %s', (_, marker, time) => {
    expect(sentences({ marker, stored: complete })).toContain(
      `COMPLETION_DUE: TransactionCompleted will be sent at ${time} UTC.`,
    );
  });

  test('is not named where it was undone, or was told', () => {
    const told = { ...due, isTold: true } as const;

    expect(codesOf({ marker: due })).toEqual(['RECEIVES', 'NOTHING_PENDING']);
    expect(codesOf({ marker: told, stored: complete })).toEqual(['RECEIVES', 'NOTHING_PENDING']);
  });
});

describe('TH-23 EV-13 what a partner is owed, and was sent', () => {
  const again = 'the next event of the transaction, a resume, or "events resend acme" sends it';
  const due = { reason: 'HTTP_404', dueAtMs: at('12:15:00') };
  const tried = 'is owed to "acme" (The endpoint answered 404): it is tried at 12:15:00 UTC.';
  test.each<[BacklogRow[], string[]]>([
    [
      [{ ...owed, from: 2, reason: 'PAUSED' }],
      [
        `WAITING: TransactionUpdated of the versions after 2 is owed to "acme" (The webhook is paused): ${again}.`,
      ],
    ],
    [
      [
        { ...owed, ...due, from: 2 },
        { ...owed, ...due, completed: 3 },
      ],
      [
        `WAITING: TransactionUpdated of the versions after 2 ${tried}`,
        `WAITING: TransactionCompleted of version 3 ${tried}`,
      ],
    ],
  ])('%j', (backlog, expected) => {
    expect(sentences({ backlog }).slice(2)).toEqual(expected);
  });

  test.each<[ShownEvent, string]>([
    [sent(), 'SENT: TransactionUpdated of versions 2 to 3 was accepted by the bus at 11:52:02 UTC.'],
    [
      sent({ state: 'failed', reason: 'EXHAUSTED' }),
      'FAILED: TransactionUpdated of versions 2 to 3 was not taken by the endpoint at 11:52:02 UTC (It was tried for 24 hours).',
    ],
    [
      sent({ state: 'withheld', reason: 'OTHER', type: 'TransactionCompleted', from: 2 }),
      'WITHHELD: TransactionCompleted of version 3 was not sent at 11:52:02 UTC (OTHER).',
    ],
    [
      sent({ clientId: 'Q' }),
      'NOT_A_RECIPIENT: TransactionUpdated of versions 2 to 3 was sent to others at 11:52:02 UTC, when "acme" was not a recipient: out of scope, disabled or without a webhook address.',
    ],
  ])('%j', (event, expected) => {
    expect(sentences({ sendings: [event] }).at(-1)).toBe(expected);
  });

  test('I9 a sending to others is not named if this partner got the same changes in another', () => {
    const others = [sent({ clientId: 'Q', from: 0, to: 2, atMs: at('11:40:00') }), sent({ clientId: 'Q' })];

    expect(codesOf({ sendings: [sent(), ...others] })).toEqual(['RECEIVES', 'NOTHING_PENDING', 'SENT']);
  });

  test('lines come newest first, for an unknown transaction as well', () => {
    const sendings = [sent({ state: 'failed', atMs: at('11:55:00') }), sent()];

    expect(codesOf({ stored: undefined, sendings })).toEqual(['UNKNOWN_TRANSACTION', 'FAILED', 'SENT']);
  });
});
