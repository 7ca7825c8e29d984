import { namedPatch, type Patch } from '../../patch.ts';

const updates = 'functions/shared/store/debounce/ledger-updates.ts';
const reads = 'functions/shared/store/debounce/ledger-reads.ts';
const lists = 'functions/shared/store/debounce/ledger-lists.ts';
const page = 'functions/shared/store/debounce/ledger-page.ts';
const notes = 'functions/shared/store/debounce/ledger-notes.ts';
const keys = 'functions/shared/store/debounce/keys.ts';
const changed = 'functions/shared/store/transactions/changed-index.ts';
const changedKeys = 'functions/shared/store/transactions/changed-keys.ts';
const statements = 'functions/shared/store/transactions/statements.ts';
const requests = 'functions/shared/store/requests/requests.ts';
const directory = 'functions/shared/store/partners/directory.ts';
const ofLedger = [
  'test/integration/store/ledger.ports.test.ts',
  'test/integration/ledger/unnoted.ports.test.ts',
];
const ofChanged = ['test/integration/store/changed-index.ports.test.ts'];

const one = namedPatch('store-ledger', ofLedger);

/** The ledger and its indexes in the real store: edges, second pages, units, conditions. */
export const patches: readonly Patch[] = [
  one(
    ['leased-once', 'a redrive is leased by one flusher'],
    [
      updates,
      "ADD #redrives :one`,\n  condition: '#redrives = :redrives AND",
      "ADD #redrives :one`,\n  condition: '(#redrives = :redrives OR attribute_exists(#redrives)) AND",
    ],
  ),
  one(
    ['leased-while-scheduled', 'what was unscheduled since is not leased'],
    [
      updates,
      "ADD #redrives :one`,\n  condition: '#redrives = :redrives AND attribute_exists(#dueAtMs)',",
      "ADD #redrives :one`,\n  condition: '#redrives = :redrives',",
    ],
  ),
  one(
    ['expiry-at-edge', 'S-60 a row is gone in the second in which it expires'],
    [
      keys,
      'expiresAt !== undefined && expiresAt <= secondsOf',
      'expiresAt !== undefined && expiresAt < secondsOf',
    ],
  ),
  one(
    ['expiry-in-seconds', 'S-60 an expiry counts seconds, as DynamoDB does'],
    [keys, 'Math.floor(milliseconds / 1000)', 'Math.floor(milliseconds)'],
  ),
  one(
    ['expired-gives-way', 'S-60 an expired row gives way in the second in which it expires'],
    [notes, 'OR #expiresAt <= :nowSeconds', 'OR #expiresAt < :nowSeconds'],
  ),
  one(
    ['move-spares-expired', 'S-60 nothing moves that has expired'],
    [updates, 'OR #expiresAt > :nowSeconds', 'OR #expiresAt >= :nowSeconds'],
  ),
  one(
    ['scheduled-is-kept', 'I12 what is scheduled has no expiry'],
    [keys, 'isFinal(state) && dueAtMs === undefined ?', 'isFinal(state) && dueAtMs !== 0 ?'],
  ),
  one(
    ['move-from-state', 'a delivery moves from the states that are named alone'],
    [updates, "  .join(', ')})`,", "  .join(', ')}) OR attribute_exists(#state)`,"],
  ),
  one(
    ['given-up-stays', 'what was given up is not delivered any more'],
    [
      updates,
      'AND NOT #state IN (:dead, :suppressed)`',
      'AND (attribute_exists(#state) OR NOT #state IN (:dead, :suppressed))`',
    ],
  ),
  one(
    ['own-move', 'a move whose answer was lost does not take the move of another for its own'],
    [
      notes,
      'return isInDoubt && isDeepStrictEqual(delivery?.timeline.at(-1), move.entry);',
      'return isInDoubt && isDeepStrictEqual(delivery?.state, move.to);',
    ],
  ),
  one(
    ['listed-to-the-end', 'a list of more than a page is read to its end'],
    [
      lists,
      'yield* await readDeliveries(access, page as DebounceKey[]);',
      'yield* await readDeliveries(access, page as DebounceKey[]);\n    return;',
    ],
  ),
  one(
    ['event-to-the-end', 'an event of more than a page is read to its end'],
    [
      reads,
      'for await (const page of pages)\n    items.push(',
      'for await (const page of pages)\n    if (items.length === 0) items.push(',
    ],
  ),
  one(
    ['listed-newest-first', 'a list begins with the newest'],
    [lists, 'Limit: rowsAtOnce, ScanIndexForward: false', 'Limit: rowsAtOnce, ScanIndexForward: true'],
  ),
  one(
    ['listed-until', 'the end of a span is not in it'],
    [
      lists,
      'const asked = { value: clientId, firstMs: sinceMs, lastMs: untilMs - 1 };',
      'const asked = { value: clientId, firstMs: sinceMs, lastMs: untilMs };',
    ],
  ),
  one(
    ['note-undoes-nothing', 'a later note undoes no dead letter'],
    [
      notes,
      "'attribute_not_exists(#pk) OR #expiresAt <= :nowSeconds'",
      "'attribute_not_exists(#pk) OR #expiresAt <= :nowSeconds OR attribute_exists(#pk)'",
    ],
  ),
  one(
    ['row-of-its-event', 'a dead letter that comes before anything was noted is not dropped'],
    [notes, "!start && from.includes('READY')", "!start && from.includes('HELD')"],
  ),
  one(
    ['row-since', 'I16 a dead letter is not dropped where the row comes while it is noted'],
    [
      notes,
      'mayBeRowless(move) && move.from.includes(delivery.state))',
      'mayBeRowless(move) && isUnnoted(delivery))',
    ],
    ['test/integration/ledger/notes.interleavings.test.ts'],
  ),
  one(
    ['attempt-begins-row', 'an attempt that comes before anything was noted is not dropped'],
    [
      notes,
      'const isFirst = isUnnoted(delivery);',
      'const isFirst = isUnnoted(delivery) && attempt.atMs < 0;',
    ],
  ),
  one(
    ['first-refusal-counts', 'the first refusal of what has no row counts'],
    [notes, '...delivery, refusals: 1,', '...delivery, refusals: 0,'],
  ),
  one(
    ['unnoted-is-ready', 'who has no row yet is READY'],
    [
      reads,
      'deliveries: [...noted, ...unnoted].sort(byClientId)',
      'deliveries: noted.sort(byClientId), ...(unnoted && {})',
    ],
  ),
  one(
    ['unnoted-alone', 'EV-12 who is to have an event alone gets a row that says so'],
    [updates, '  ...(isAlone && { isAlone }),\n});', '});'],
    ['test/integration/ledger/unnoted.ports.test.ts'],
  ),
  one(
    ['page-from-edge', 'V2-7 a place at the edge of a span is within it'],
    [page, 'at >= firstMs && at <= lastMs', 'at > firstMs && at < lastMs'],
    ['test/integration/store/ledger-page.ports.test.ts'],
  ),
  one(
    ['page-bound', 'V2-7 a page passes over so many entries of others at most'],
    [page, 'const mostQueries = 5;', 'const mostQueries = 50;'],
    ['test/unit/functions/shared/store/debounce/ledger-reads.test.ts'],
  ),
  one(
    ['unnoted-ends', 'who has no row after thirty days is not told again'],
    [
      keys,
      '!isExpired({ expiresAt: secondsOf(claimedAtMs + deliveryLifetimeMs) }, now)',
      '!isExpired({ expiresAt: secondsOf(claimedAtMs + 2 * deliveryLifetimeMs) }, now)',
    ],
  ),
  one(
    ['event-with-its-deliveries', 'an event that no claim brought comes together with its deliveries'],
    [
      'functions/shared/store/debounce/ledger.ts',
      'if (await addTogether(access, { rows, items: first }, now))',
      'if (await addTogether(access, { rows, items: first.slice(first.length) }, now)) return addDeliveries(access, items, now);\n  if (others.length > items.length)',
    ],
  ),
  one(
    ['event-consistent', 'an event is read as it stands now'],
    [
      reads,
      'eventPartition(eventId) },\n    ConsistentRead: true,',
      'eventPartition(eventId) },\n    ConsistentRead: false,',
    ],
  ),
  one(
    ['changed-until', 'the end of a span of changes is not in it'],
    [changed, "':last': toMs - 1 }", "':last': toMs }"],
    ofChanged,
  ),
  one(
    ['changed-hours', 'changes of every hour of a span are found'],
    [changedKeys, 'Math.ceil((toMs - first) / hourMs)', 'Math.floor((toMs - first) / hourMs)'],
    ofChanged,
  ),
  one(
    ['replace-on-version', 'TH-20 a write is on the condition of the version that was read'],
    [
      statements,
      "ConditionExpression: '#version = :version',",
      "ConditionExpression: '#version = :version OR attribute_exists(#version)',",
    ],
    ['test/integration/store/transactions.ports.test.ts'],
  ),
  one(
    ['create-once', 'a uuid is created once'],
    [
      statements,
      "ConditionExpression: 'attribute_not_exists(#uuid)',",
      "ConditionExpression: 'attribute_not_exists(#uuid) OR attribute_exists(#uuid)',",
    ],
    ['test/integration/store/transactions.ports.test.ts'],
  ),
  one(
    ['request-at-edge', 'WR-1 a key is free in the second in which its day has passed'],
    [requests, 'OR #expires <= :madeAt', 'OR #expires < :madeAt'],
    ['test/integration/store/requests.ports.test.ts'],
  ),
  one(
    ['partners-consistent', 'I9 partners are read as they are now'],
    [directory, 'ConsistentRead: true,', 'ConsistentRead: false,'],
    ['test/integration/store/partner-directory.ports.test.ts'],
  ),
];
