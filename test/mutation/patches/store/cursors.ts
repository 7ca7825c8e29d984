import { namedPatch, type Patch } from '../../patch.ts';

const updates = 'functions/shared/store/debounce/cursor-updates.ts';
const reads = 'functions/shared/store/debounce/cursor-reads.ts';
const claim = 'functions/shared/store/debounce/claim.ts';
const cursors = 'functions/shared/store/debounce/cursors.ts';
const write = 'functions/shared/store/transactions/write.ts';
const ofCursors = ['test/integration/store/cursors.ports.test.ts'];
const ofMarkers = ['test/integration/store/completion.ports.test.ts'];

const one = namedPatch('store-cursor', ofCursors);

/** Cursors and markers in the real store: first the rules that the simulation takes out of its stand-in, under the same names. */
export const patches: readonly Patch[] = [
  one(
    ['scheduled-once', 'a recorded change never moves `dueAtMs`'],
    [
      updates,
      "'SET #dueAtMs = if_not_exists(#dueAtMs, :dueAtMs), #heldSinceMs",
      "'SET #dueAtMs = :dueAtMs, #heldSinceMs",
    ],
  ),
  one(
    ['counts', 'a recorded change counts in `changeCount`'],
    [updates, '    zero: 0,\n    one: 1,\n    ...(changed', '    zero: 0,\n    one: 0,\n    ...(changed'],
  ),
  one(
    ['lease-holds', 'a lease keeps other flushers away until it ends'],
    [
      updates,
      'attribute_exists(#inflight) AND #dueAtMs <= :nowMs AND',
      'attribute_exists(#inflight) AND (#dueAtMs <= :nowMs OR attribute_exists(#inflight)) AND',
    ],
  ),
  one(
    ['first-lease-holds', 'a first lease keeps other flushers away until it ends'],
    [updates, 'OR #inflight.#leasedUntilMs <= :nowMs)', 'OR attribute_exists(#inflight.#leasedUntilMs))'],
  ),
  one(
    ['first-lease-at-edge', 'a first lease has ended at its very end'],
    [updates, '#inflight.#leasedUntilMs <= :nowMs', '#inflight.#leasedUntilMs < :nowMs'],
  ),
  one(
    ['lease-of-before', 'what a release before claimed has its lease by its due time'],
    [updates, 'attribute_not_exists(#inflight.#leasedUntilMs) OR', '#dueAtMs < :one OR'],
  ),
  one(
    ['lease-renewed', 'recovery takes a new lease'],
    [
      updates,
      "'SET #dueAtMs = :dueAtMs, #inflight.#attempts",
      "'SET #renewedMs = :dueAtMs, #inflight.#attempts",
    ],
  ),
  one(
    ['unscheduled-on-count', 'nothing pending: unscheduled on `changeCount`'],
    [
      updates,
      `\`\${isAsRead} AND \${isUnchanged}\``,
      `\`\${isAsRead} AND (\${isUnchanged} OR attribute_exists(#touch))\``,
    ],
  ),
  one(
    ['unscheduled-on-revision', 'nothing pending: unscheduled on `revision`'],
    [
      updates,
      `\`\${isAsRead} AND \${isUnchanged}\``,
      `\`(\${isAsRead} OR attribute_exists(#rev)) AND \${isUnchanged}\``,
    ],
  ),
  one(
    ['rescheduled-on-revision', 'not dormant yet: rescheduled on `revision`'],
    [updates, 'condition: isAsRead,', `condition: \`\${isAsRead} OR attribute_exists(#rev)\`,`],
  ),
  one(
    ['claim-on-version', 'a claim is bound to the version of the transaction'],
    [claim, "'#version = :version'", "'#version = :version OR attribute_exists(#version)'"],
  ),
  one(
    ['claim-on-revision', 'a claim is bound to `revision`'],
    [
      updates,
      `\`\${isAsRead} AND \${isFree}\``,
      `\`(\${isAsRead} OR attribute_exists(#rev)) AND \${isFree}\``,
    ],
  ),
  one(
    ['revision-not-time', '`revision` is compared, not `dueAtMs` (ABA)'],
    [
      updates,
      "const isAsRead = '#rev = :rev';",
      "const isAsRead = '(#rev = :rev OR attribute_exists(#dueAtMs))';",
    ],
  ),
  one(
    ['claim-leases', 'a claim takes a lease'],
    [
      updates,
      'inflight: inflightItem(inflight), one: 1',
      'inflight: inflightItem({ ...inflight, leasedUntilMs: 0 }), one: 1',
    ],
  ),
  one(
    ['claim-stays-in-place', 'a claim does not move its row in the index of what is due'],
    [
      updates,
      "'SET #inflight = :inflight REMOVE",
      "'SET #inflight = :inflight, #dueAtMs = #dueAtMs + :one REMOVE",
    ],
  ),
  one(
    ['inflight-is-due', '`dueAtMs` is never absent while `inflight` exists'],
    [updates, "'SET #inflight = :inflight REMOVE", "'SET #inflight = :inflight REMOVE #dueAtMs,"],
  ),
  one(
    ['settle-on-id', 'settling is bound to the id of the event'],
    [
      updates,
      "const isOurs = '#inflight.#eventId = :eventId';",
      "const isOurs = '(#inflight.#eventId = :eventId OR attribute_exists(#inflight))';",
    ],
  ),
  one(
    ['settle-on-count', 'settling unschedules only if `changeCount` is unchanged'],
    [
      updates,
      `\`\${isOurs} AND \${isUnchanged}\``,
      `\`\${isOurs} AND (\${isUnchanged} OR attribute_exists(#touch))\``,
    ],
  ),
  one(
    ['settle-notes', 'settling notes up to where partners are notified'],
    [
      updates,
      'values: { eventId, touch: changeCount, to, nowMs, one: 1 },',
      'values: { eventId, touch: changeCount, to: to - 1, nowMs, one: 1 },',
    ],
  ),
  one(
    ['marker', 'a completing payment leaves a marker'],
    [write, 'before && completes(before, after)', 'before && completes(after, before)'],
    ofMarkers,
  ),
  // What only the real store has: edges, consistency, tokens, and what an item carries.
  one(['due-at-edge', 'what is due now is due'], [reads, '#dueAtMs <= :nowMs', '#dueAtMs < :nowMs']),
  one(['due-limit', 'a look at the index is bounded'], [reads, '    Limit: limit,\n', '']),
  one(
    ['lease-at-edge', 'a lease has ended at its very end'],
    [
      updates,
      'attribute_exists(#inflight) AND #dueAtMs <= :nowMs',
      'attribute_exists(#inflight) AND #dueAtMs < :nowMs',
    ],
  ),
  one(
    ['settled-twice-noted', 'a change while it was sent: the cursor stands at what was sent all the same'],
    [
      updates,
      'values: { eventId, to, nowMs, rescheduleAtMs, one: 1 },',
      'values: { eventId, to: to - 1, nowMs, rescheduleAtMs, one: 1 },',
    ],
  ),
  one(
    ['schedule-spares-scheduled', 'the reconciler moves nothing that is scheduled'],
    [
      updates,
      "'attribute_not_exists(#dueAtMs) AND attribute_not_exists(#expiresAt)'",
      "'attribute_not_exists(#expiresAt)'",
    ],
  ),
  one(
    ['schedule-spares-done', 'a marker that is done is never scheduled again'],
    [
      updates,
      "'attribute_not_exists(#dueAtMs) AND attribute_not_exists(#expiresAt)'",
      "'attribute_not_exists(#dueAtMs)'",
    ],
    ofMarkers,
  ),
  one(
    ['claim-when-free', 'a claim needs that nothing is in flight'],
    [updates, "'attribute_not_exists(#inflight)'", "'attribute_exists(#rev)'"],
  ),
  one(
    ['held-since-first', 'the hold counts from the first pending change'],
    [updates, '#heldSinceMs = if_not_exists(#heldSinceMs, :changedAtMs)', '#heldSinceMs = :changedAtMs'],
  ),
  one(
    ['claim-begins-anew', 'the next event begins with the next change'],
    [updates, '#inflight = :inflight REMOVE #heldSinceMs, #changed ADD', '#inflight = :inflight ADD'],
  ),
  one(
    ['marker-expires', 'a marker that is done expires'],
    [
      updates,
      'SET #lastSentAtMs = :nowMs, #expiresAt = :expiresAt',
      'SET #lastSentAtMs = :nowMs, #endsAt = :expiresAt',
    ],
    ofMarkers,
  ),
  one(
    ['claim-token', 'a claim that comes twice is one, known by its token'],
    [
      claim,
      'TransactItems, ClientRequestToken: newToken() });',
      'TransactItems, ...(newToken.length > 9 && { ClientRequestToken: newToken() }) });',
    ],
  ),
  one(
    ['claims-together-by-statement', 'of claims together each learns whether its own condition failed'],
    [
      claim,
      'refusedParts(documents.send(request), sizes)',
      'refusedParts(documents.send(request), sizes.map(() => 99))',
    ],
  ),
  one(
    ['settle-reschedules', 'a change while it was sent makes the cursor due again'],
    [
      cursors,
      'return isSettled || changes(key, settleAndRescheduleUpdate(settlement));',
      'return isSettled && changes(key, settleAndRescheduleUpdate(settlement));',
    ],
  ),
  {
    id: 'store-consistent-get',
    rule: 'a row is read as it stands now',
    file: 'functions/shared/store/dynamodb/consistent-get.ts',
    find: 'ConsistentRead: true',
    put: 'ConsistentRead: false',
    tests: ofCursors,
  },
  {
    id: 'store-consistent-batch',
    rule: 'many rows are read as they stand now',
    file: 'functions/shared/store/dynamodb/batch-get.ts',
    find: 'ConsistentRead: true',
    put: 'ConsistentRead: false',
    tests: ofCursors,
  },
];
