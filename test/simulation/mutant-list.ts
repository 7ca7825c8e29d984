/** One rule of the protocol, and how it looks when it is taken out of the code. */
export type Mutant = {
  rule: string;
  /** Where events.md states it. */
  section: string;
  replacements: readonly Replacement[];
};

/** A text that stands in the file exactly once; anything else is an error, so that no mutant is forgotten. */
export type Replacement = { file: string; find: string; put: string };

const memoryCursors = 'test/support/memory/cursors.ts';
const ledger = 'test/support/memory/ledger.ts';
const transactions = 'test/support/memory/transactions.ts';
const loadDue = 'functions/shared/publish/load-due.ts';
const send = 'functions/shared/publish/send.ts';
const claim = 'functions/shared/publish/claim.ts';
const flush = 'functions/shared/publish/flush.ts';
const cursor = 'functions/shared/domain/event/cursor.ts';
const triggers = 'test/simulation/worlds/triggers.ts';

const one = (rule: string, section: string, file: string, find: string, put: string): Mutant => ({
  rule,
  section,
  replacements: [{ file, find, put }],
});

/** The rules of events 5, 6 and 8, each removed in turn. */
export const mutants: readonly Mutant[] = [
  one(
    'a recorded change never moves `dueAtMs`',
    '5',
    memoryCursors,
    'dueAtMs: row.dueAtMs ?? dueAtMs,',
    'dueAtMs,',
  ),
  one(
    'a recorded change counts in `changeCount`',
    '5',
    memoryCursors,
    'changeCount: row.changeCount + 1,',
    'changeCount: row.changeCount,',
  ),
  {
    rule: 'a lease keeps others away until it ends',
    section: '5.1',
    replacements: [
      {
        file: loadDue,
        find: 'if (!dueRow || !isDue(dueRow, deps)) return undefined;',
        put: 'if (!dueRow) return undefined;',
      },
      {
        file: memoryCursors,
        find: 'const isEnded = row?.dueAtMs !== undefined && row.dueAtMs <= lease.nowMs;',
        put: 'const isEnded = lease.nowMs > 0;',
      },
    ],
  },
  one(
    'recovery takes a new lease',
    '5.2',
    memoryCursors,
    'const renewed = { ...row, inflight, dueAtMs: lease.dueAtMs, revision: row.revision + 1 };',
    'const renewed = { ...row, inflight };',
  ),
  one(
    'recovery sends the stored body',
    '5.2',
    loadDue,
    'const all = { ...found, deliveries: [...found.deliveries, ...added] };',
    `const anew = (text: string) => text.replace(/"time":"[^"]*"/, '"time":"' + new Date(nowMs).toISOString().slice(0, 19) + 'Z"');
  const bodies = found.bodies && { ...found.bodies, plain: anew(found.bodies.plain) };
  const all = { ...found, bodies, deliveries: [...found.deliveries, ...added] };`,
  ),
  one(
    'nothing to tell: unscheduled on `changeCount`',
    '5.3',
    memoryCursors,
    'if (!row || !isAsRead || !isUnchanged) return false;\n    const { dueAtMs: _due, heldSinceMs',
    'if (!row || !isAsRead) return false;\n    const { dueAtMs: _due, heldSinceMs',
  ),
  one(
    'nothing to tell: unscheduled on `revision`',
    '5.3',
    memoryCursors,
    'if (!row || !isAsRead || !isUnchanged) return false;\n    const { dueAtMs: _due, heldSinceMs',
    'if (!row || !isUnchanged) return false;\n    const { dueAtMs: _due, heldSinceMs',
  ),
  one(
    'dormancy: 120 s after the last change',
    '5.3',
    cursor,
    'const restsAtMs = updatedAtMs + dormancyMs;',
    'const restsAtMs = updatedAtMs;',
  ),
  one(
    'spacing: 120 s after the last event',
    '5.3',
    cursor,
    'return Math.max(Math.min(restsAtMs, heldUntilMs), lastSentAtMs + dormancyMs);',
    'return Math.min(restsAtMs, heldUntilMs) + 0 * lastSentAtMs;',
  ),
  one(
    'not dormant yet: rescheduled on `revision`',
    '5.3',
    memoryCursors,
    'return row !== undefined && isAsRead && put({ ...row, dueAtMs, revision: row.revision + 1 });',
    'return row !== undefined && (isAsRead || true) && put({ ...row, dueAtMs, revision: row.revision + 1 });',
  ),
  one(
    'a claim is bound to the version of the transaction',
    '5.4',
    memoryCursors,
    'const isSameVersion = versionOf(key.uuid) === transactionVersion;',
    'const isSameVersion = versionOf(key.uuid) !== undefined || transactionVersion > 0;',
  ),
  one(
    'a claim is bound to `revision`',
    '5.4',
    memoryCursors,
    'const isAsRead = row?.revision === revision;\n    const isFree',
    'const isAsRead = row !== undefined || revision > 0;\n    const isFree',
  ),
  {
    rule: '`revision` is compared, not `dueAtMs` (ABA)',
    section: '5.6',
    replacements: [
      {
        file: claim,
        find: 'const { uuid, kind, changeCount, revision } = dueRow;',
        put: "const { uuid, kind, changeCount } = dueRow;\n  const revision = kind === 'NOTIFY' ? (dueRow.dueAtMs ?? 0) : dueRow.revision;",
      },
      {
        file: memoryCursors,
        find: 'const isAsRead = row?.revision === revision;\n    const isFree',
        put: "const isAsRead = (key.kind === 'NOTIFY' ? row?.dueAtMs : row?.revision) === revision;\n    const isFree",
      },
    ],
  },
  one(
    'a claim takes a lease',
    '5.4',
    memoryCursors,
    'return put({ ...rest, inflight, dueAtMs, revision: row.revision + 1 });',
    'return put({ ...rest, inflight, revision: row.revision + Math.min(1, dueAtMs) });',
  ),
  {
    rule: '`dueAtMs` is never absent while `inflight` exists',
    section: '5',
    replacements: [
      {
        file: memoryCursors,
        find: 'const { heldSinceMs: _held, changed: _changed, ...rest } = row;\n    ledger.put(told);',
        put: 'const { heldSinceMs: _held, changed: _changed, dueAtMs: _due, ...rest } = row;\n    ledger.put(told);',
      },
      {
        file: memoryCursors,
        find: 'return put({ ...rest, inflight, dueAtMs, revision: row.revision + 1 });',
        put: 'return put({ ...rest, inflight, revision: row.revision + Math.min(1, dueAtMs) });',
      },
    ],
  },
  one(
    'every entry of the answer is read',
    '5.5',
    'functions/shared/outbound/event-bus-client.ts',
    'return entries.map((_, index) => answerOf(Entries[index]));',
    'return entries.map(() => answerOf(Entries.find(({ EventId }) => EventId) ?? Entries[0]));',
  ),
  one(
    'unconfirmed counts as not sent',
    '5.5',
    send,
    "if (!answer || answer.outcome === 'unconfirmed') return 'open';",
    "if (!answer || answer.outcome === 'unconfirmed') return 'done';",
  ),
  one(
    'more than 12 s after the claim nothing is sent',
    '5.5',
    cursor,
    'nowMs - claimedAtMs <= abandonMs;',
    'nowMs - claimedAtMs <= abandonMs + 600_000;',
  ),
  one(
    'settling is bound to the id of the event',
    '5.6',
    memoryCursors,
    'const isOurs = row?.inflight?.eventId === eventId;',
    'const isOurs = row?.inflight !== undefined || eventId === undefined;',
  ),
  one(
    'settling unschedules only if `changeCount` is unchanged',
    '5.6',
    memoryCursors,
    '...(!isUnchanged && { dueAtMs: rescheduleAtMs })',
    '...(!isUnchanged && { changed: [String(rescheduleAtMs)] })',
  ),
  one(
    'settling notes how far all is told',
    '5.6',
    memoryCursors,
    'return put({ ...settled, notifiedVersion: to,',
    'return put({ ...settled, notifiedVersion: Math.max(0, to - 1),',
  ),
  one(
    'an entry refused five times is dead',
    '5.6',
    send,
    "if (refusals < mostRefusals) return 'open';",
    "if (refusals < mostRefusals * 1_000) return 'open';",
  ),
  one(
    'recipients are decided by grants when it is claimed',
    '7, I9',
    claim,
    'const recipients = recipientsOf(partners, transaction.ndMeta)',
    'const recipients = (transaction.ndMeta ? partners : recipientsOf(partners, undefined))',
  ),
  one(
    'recipients are decided once more before it is sent',
    '8',
    send,
    'const decision = decideRecipient(partner, owner);',
    "const decision = (owner ? 'send' : decideRecipient(partner, owner)) as ReturnType<typeof decideRecipient>;",
  ),
  one(
    'a transaction deleted since is told of no more',
    '8, DEL-1',
    'functions/shared/domain/event/event.ts',
    'stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to;',
    'stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to + 1_000_000;',
  ),
  one(
    'rows beyond forty are completed by recovery',
    '8',
    loadDue,
    'const added = await addMissing(found.event, found.deliveries, deps);',
    'const added = (addMissing, []) as typeof found.deliveries;',
  ),
  one(
    'the delta is what changed after `from`',
    '3',
    'functions/shared/domain/event/event.ts',
    'elementVersions[name] > from',
    'elementVersions[name] >= from',
  ),
  one(
    'silent versions notify nobody',
    'EV-10',
    cursor,
    'cursor?.notifiedVersion ?? silentUpToVersion;',
    'cursor?.notifiedVersion ?? 0 * silentUpToVersion;',
  ),
  one(
    '`updatedAtMs` rises with every change',
    '3',
    'functions/shared/domain/transaction/next-state.ts',
    'updatedAtMs: Math.max(before.updatedAtMs + 1, now.getTime()),',
    'updatedAtMs: now.getTime(),',
  ),
  one(
    'a completing payment leaves a marker',
    '6',
    transactions,
    'if (completes(stored, replaced)) cursors?.leave(completionMarker(replaced));',
    'if (completes(stored, replaced)) cursors?.leave({ ...completionMarker(replaced), uuid: "-" });',
  ),
  one(
    'the flush tells what a marker left',
    '6',
    loadDue,
    'if (!stored || marker.version === undefined) {',
    'if (!stored || marker.version !== 0) {',
  ),
  one(
    'a completion is told by whoever made it',
    '6',
    'functions/v2-write/create-payment.ts',
    'if (completes(before, after)) await publishCompleted(after, deps.publishing);',
    'if (completes(before, after) && !after) await publishCompleted(after, deps.publishing);',
  ),
  one(
    'delayed ticks close the gap between two runs',
    '2.1',
    'functions/publish-dormant/handler.ts',
    'isTick(event) ? undefined : await faultOf(sendDelayedTicks())',
    'isTick(event) || sendDelayedTicks ? undefined : await faultOf(sendDelayedTicks())',
  ),
  one(
    'delayed ticks overlap',
    '2.1',
    'functions/shared/domain/event/timing.ts',
    'export const lastTickSeconds = 170;',
    'export const lastTickSeconds = 50;',
  ),
  one(
    'what fails in one row stops no other',
    '8',
    flush,
    "deps.log('flushFailed', {}, fault);\n      return undefined;",
    "deps.log('flushFailed', {}, fault);\n      throw fault;",
  ),
  one(
    'a redrive is leased by one flusher',
    '7',
    ledger,
    'const isAsRead = row?.redrives === seen.redrives;',
    'const isAsRead = row !== undefined || seen.redrives > 0;',
  ),
  one(
    'the reconciler finds what scheduled nothing',
    '5',
    triggers,
    'if (plan.hasReconciler !== false)',
    'if (plan.hasReconciler === true)',
  ),
];
