import type { Replacement } from '../mutation/tree.ts';

/** One rule of the protocol, and how it looks when it is taken out of the code. */
export type Mutant = {
  rule: string;
  replacements: readonly Replacement[];
};

const memoryCursors = 'test/support/memory/cursors.ts';
const ledger = 'test/support/memory/ledger.ts';
const transactions = 'test/support/memory/transactions.ts';
const loadDue = 'functions/shared/publish/load-due.ts';
const judge = 'functions/shared/publish/judge.ts';
const noteAnswer = 'functions/shared/publish/note-answer.ts';
const claim = 'functions/shared/publish/claim.ts';
const run = 'functions/shared/publish/run.ts';
const cursor = 'functions/shared/domain/event/cursor.ts';
const silence = 'functions/shared/domain/transaction/silence.ts';
const triggers = 'test/simulation/worlds/triggers.ts';
const memoryLanes = 'test/support/memory/lanes.ts';
const handler = 'functions/publish-dormant/handler.ts';
const event = 'functions/shared/domain/event/event.ts';
const recipient = 'functions/shared/domain/event/recipient.ts';

const one = (rule: string, file: string, find: string, put: string): Mutant => ({
  rule,
  replacements: [{ file, find, put }],
});

/** The rules of docs/events.md, each removed in turn. */
export const mutants: readonly Mutant[] = [
  one(
    'a recorded change never moves `dueAtMs`',
    memoryCursors,
    'dueAtMs: row.dueAtMs ?? dueAtMs,',
    'dueAtMs,',
  ),
  one(
    'a recorded change counts in `changeCount`',
    memoryCursors,
    'changeCount: row.changeCount + 1,',
    'changeCount: row.changeCount,',
  ),
  {
    rule: 'a lease keeps other flushers away until it ends',
    replacements: [
      {
        file: loadDue,
        find: 'const dueRows = inOrder.filter((dueRow) => isDue(dueRow, deps));',
        put: 'const dueRows = inOrder.filter((dueRow) => isDue(dueRow, deps) || dueRow.inflight);',
      },
      {
        file: memoryCursors,
        find: 'const isEnded = row !== undefined && isDueAt(row, lease.nowMs);',
        put: 'const isEnded = lease.nowMs > 0 || isDueAt({}, 0);',
      },
    ],
  },
  one(
    'recovery takes a new lease',
    memoryCursors,
    'const renewed = { ...row, inflight, dueAtMs: lease.dueAtMs, revision: row.revision + 1 };',
    'const renewed = { ...row, inflight };',
  ),
  one(
    'recovery sends the stored body',
    loadDue,
    'const again = await asOfNow(found, nowMs, deps);',
    `const anew = (text: string) => text.replace(/"time":"[^"]*"/, '"time":"' + new Date(nowMs).toISOString().slice(0, 19) + 'Z"');
  const bodies = found.bodies && { ...found.bodies, plain: anew(found.bodies.plain) };
  const again = await asOfNow({ ...found, bodies }, nowMs, deps);`,
  ),
  one(
    'nothing pending: unscheduled on `changeCount`',
    memoryCursors,
    'if (!row || !isAsRead || !isUnchanged) return false;\n    const { dueAtMs: _due, heldSinceMs',
    'if (!row || !isAsRead) return false;\n    const { dueAtMs: _due, heldSinceMs',
  ),
  one(
    'nothing pending: unscheduled on `revision`',
    memoryCursors,
    'if (!row || !isAsRead || !isUnchanged) return false;\n    const { dueAtMs: _due, heldSinceMs',
    'if (!row || !isUnchanged) return false;\n    const { dueAtMs: _due, heldSinceMs',
  ),
  one(
    'dormancy: 120 s after the last change',
    cursor,
    'const restsAtMs = updatedAtMs + dormancyMs;',
    'const restsAtMs = updatedAtMs;',
  ),
  one(
    'spacing: 120 s after the last event',
    cursor,
    'return Math.max(Math.min(restsAtMs, heldUntilMs), lastSentAtMs + dormancyMs);',
    'return Math.min(restsAtMs, heldUntilMs) + 0 * lastSentAtMs;',
  ),
  one(
    'not dormant yet: rescheduled on `revision`',
    memoryCursors,
    'return row !== undefined && isAsRead && put({ ...row, dueAtMs, revision: row.revision + 1 });',
    'return row !== undefined && (isAsRead || true) && put({ ...row, dueAtMs, revision: row.revision + 1 });',
  ),
  one(
    'a claim is bound to the version of the transaction',
    memoryCursors,
    'const isSameVersion = versionOf(key.uuid) === transactionVersion;',
    'const isSameVersion = versionOf(key.uuid) !== undefined || transactionVersion > 0;',
  ),
  one(
    'of claims together those that were made are sent',
    'functions/shared/publish/claim-together.ts',
    "...those('claimed').map(",
    "...[...those('claimed'), ...those('lost')].map(",
  ),
  one(
    'a claim is bound to `revision`',
    memoryCursors,
    'const isAsRead = row?.revision === revision;\n    const isFree',
    'const isAsRead = row !== undefined || revision > 0;\n    const isFree',
  ),
  {
    rule: '`revision` is compared, not `dueAtMs` (ABA)',
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
    memoryCursors,
    'return put({ ...rest, inflight, revision: row.revision + 1 });',
    'return put({ ...rest, inflight: { ...inflight, leasedUntilMs: 0 }, revision: row.revision + 1 });',
  ),
  one(
    '`dueAtMs` is never absent while `inflight` exists',
    memoryCursors,
    'const { heldSinceMs: _held, changed: _changed, ...rest } = row;\n    ledger.put({ event, bodies });',
    'const { heldSinceMs: _held, changed: _changed, dueAtMs: _due, ...rest } = row;\n    ledger.put({ event, bodies });',
  ),
  one(
    'every entry of the answer is read',
    'functions/shared/outbound/event-bus-client.ts',
    'return entries.map((_, index) => answerOf(Entries[index]));',
    'return entries.map(() => answerOf(Entries.find(({ EventId }) => EventId) ?? Entries[0]));',
  ),
  one(
    'unconfirmed counts as not sent',
    noteAnswer,
    "if (!answer || answer.outcome === 'unconfirmed' || answer.outcome === 'refused-together') return 'open';",
    "if (!answer || answer.outcome === 'unconfirmed' || answer.outcome === 'refused-together') return 'done';",
  ),
  {
    // The end of the run is asked, too: each of the two would keep a late request back.
    rule: 'more than 12 s after the claim nothing is sent',
    replacements: [
      {
        file: cursor,
        find: 'nowMs - claimedAtMs <= abandonMs;',
        put: 'nowMs - claimedAtMs <= abandonMs + 600_000;',
      },
      { file: run, find: 'nowMs() < sendUntilMs && mayStillSend', put: 'mayStillSend' },
    ],
  },
  one(
    'settling is bound to the id of the event',
    memoryCursors,
    'const isOurs = row?.inflight?.eventId === eventId;',
    'const isOurs = row?.inflight !== undefined || eventId === undefined;',
  ),
  one(
    'settling unschedules only if `changeCount` is unchanged',
    memoryCursors,
    '...(!isUnchanged && { dueAtMs: rescheduleAtMs })',
    '...(!isUnchanged && { changed: [String(rescheduleAtMs)] })',
  ),
  one(
    'settling notes up to where partners are notified',
    memoryCursors,
    'return put({ ...settled, notifiedVersion: to,',
    'return put({ ...settled, notifiedVersion: Math.max(0, to - 1),',
  ),
  one(
    'an entry refused five times is dead',
    noteAnswer,
    "if (refusals < mostRefusals) return 'open';",
    "if (refusals < mostRefusals * 1_000) return 'open';",
  ),
  one(
    'recipients are decided by grants when it is claimed',
    claim,
    'const recipients = recipientsOf(partners, ndMeta)',
    'const recipients = (ndMeta ? partners : recipientsOf(partners, undefined))',
  ),
  one(
    'a grant that is given enters the index of holders in the same write',
    'test/support/memory/partners.ts',
    'follow(after.clientId, { before: before.grants, after: after.grants });',
    'follow(after.clientId, { before: before.grants, after: [] });',
  ),
  one(
    'an owner is found by each of the grants that cover it',
    'functions/shared/domain/ownership/grant.ts',
    'return narrowed(narrowed([{ group }], { franchise }, franchise), { location }, location);',
    'return narrowed([{ group }], { franchise }, franchise ?? location);',
  ),
  one(
    'recipients are decided once more before it is sent',
    judge,
    'const decision = decideRecipient(partner, owner);',
    "const decision = (owner ? 'send' : decideRecipient(partner, owner)) as ReturnType<typeof decideRecipient>;",
  ),
  one(
    'a transaction deleted since is sent no more',
    event,
    'stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to;',
    'stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to + 1_000_000;',
  ),
  one(
    'recovery sends to those of whom nothing is noted',
    loadDue,
    'const all = { ...found, deliveries: [...found.deliveries, ...unnoted] };',
    'const all = { ...found, deliveries: found.deliveries.filter(({ timeline }) => timeline.length > 2 + unnoted.length) };',
  ),
  one(
    'the delta is what changed after `from`',
    event,
    'elementVersions[name] > from',
    'elementVersions[name] >= from',
  ),
  one(
    'silent versions notify nobody',
    cursor,
    'cursor?.notifiedVersion ?? silentUpToVersion;',
    'cursor?.notifiedVersion ?? 0 * silentUpToVersion;',
  ),
  one(
    'a checkout that says nothing is silent',
    silence,
    'isOfSession && !saysSomething(after.transaction)',
    'isOfSession && saysSomething(after.transaction) && !before.session',
  ),
  one(
    'what was entered in silence is told with what ends it',
    silence,
    'return hasElementFromCreation ? 0 : 1;',
    'return hasElementFromCreation ? 0 : after.version - 1;',
  ),
  one(
    '`updatedAtMs` rises with every change',
    'functions/shared/domain/transaction/next-state.ts',
    'updatedAtMs: Math.max(before.updatedAtMs + 1, now.getTime()),',
    'updatedAtMs: now.getTime(),',
  ),
  one(
    'a completing payment leaves a marker',
    transactions,
    'if (completes(stored, replaced)) cursors?.leave(completionMarker(replaced));',
    'if (completes(stored, replaced)) cursors?.leave({ ...completionMarker(replaced), uuid: "-" });',
  ),
  one(
    'the flush publishes what a marker left',
    loadDue,
    'if (!stored || marker.version === undefined) {',
    'if (!stored || marker.version !== 0) {',
  ),
  one(
    'a completion is published by the function of its payment',
    'functions/v2-write/create-payment.ts',
    'if (completes(before, after)) await publishCompleted(after, deps.publishing);',
    'if (completes(before, after) && !after) await publishCompleted(after, deps.publishing);',
  ),
  one(
    'delayed ticks close the gap between two runs',
    handler,
    'const fault = await faultOf(deps.ticks.sendAhead());',
    'const fault = await faultOf(deps ? Promise.resolve() : run);',
  ),
  one(
    'a run by the schedule looks where no tick comes',
    handler,
    'if (!fault && deps.ticks.areComing()) return;',
    'if (!fault) return;',
  ),
  one(
    'delayed ticks overlap',
    'functions/shared/domain/event/timing.ts',
    'export const lastTickSeconds = 170;',
    'export const lastTickSeconds = 50;',
  ),
  one(
    'a lane has one run at a time: it is handed out twice',
    memoryLanes,
    'if (row && !isEnded && !isOurs) return false;',
    'if (row && !isEnded && !isOurs && nowMs < 0) return false;',
  ),
  one(
    'the lease of a lane ends with the run that took it',
    memoryLanes,
    'const isEnded = row !== undefined && row.untilMs <= nowMs;',
    'const isEnded = row !== undefined && row.untilMs <= nowMs - 3_600_000;',
  ),
  one(
    'a lane is given back by the run that has it alone',
    memoryLanes,
    'const isOurs = rows.get(lane)?.holder === holder;',
    "const isOurs = rows.has(lane) && holder !== '';",
  ),
  one(
    'a lane is given back when nothing is left in it, or no time',
    handler,
    'await run.flush({ shards }).finally(giveBack);',
    'await run.flush({ shards }).finally(() => giveBack && undefined);',
  ),
  one(
    'a look works on a lane itself, so that messages that are lost delay and stop nothing',
    handler,
    'if (!first) return { others: [] };',
    'if (first?.of !== 1) return { others: first ? [first, ...others] : [] };',
  ),
  one(
    'lanes take turns at being the one that a look works on itself',
    'functions/publish-dormant/lanes.ts',
    'const lanes = inTurn(lanesOf(shards, count), nowMs());',
    'const lanes = lanesOf(shards, count);',
  ),
  one(
    'a backlog is handed out to further runs, up to the bound: to none',
    handler,
    'await faultOf(deps.lanes.handOut(others))',
    'await faultOf(deps.lanes.handOut(others.slice(others.length)))',
  ),
  one(
    'a run that has no time for all of its lane hands it on',
    handler,
    'if (isCutShort) await deps.lanes.handOut([lane]);',
    'if (isCutShort && lane.of === 0) await deps.lanes.handOut([lane]);',
  ),
  one(
    'a run works on the shards of its lane alone',
    handler,
    'await run.flush({ shards }).finally(giveBack);',
    'await run.flush(shards ? {} : { shards }).finally(giveBack);',
  ),
  {
    rule: 'a backlog is worked on by lanes',
    replacements: [
      {
        file: 'functions/shared/publish/flush.ts',
        find: 'if (found.length > atMost.rows) counts.backlog = shardsIn(found);',
        put: 'if (found.length > atMost.rows && atMost.rows === 0) counts.backlog = shardsIn(found);',
      },
      {
        file: 'functions/shared/publish/flush.ts',
        find: 'if (recipientsIn(tasks) > mostRecipients) {',
        put: 'if (recipientsIn(tasks) > mostRecipients && mostRecipients === 0) {',
      },
    ],
  },
  one(
    'what fails in one row stops no other',
    run,
    'onFault(fault, facts);\n        return undefined;',
    'onFault(fault, facts);\n        throw fault;',
  ),
  one(
    'a redrive is leased by one flusher',
    ledger,
    'const isAsRead = row?.redrives === seen.redrives;',
    'const isAsRead = row !== undefined || seen.redrives > 0;',
  ),
  one(
    'the reconciler finds what scheduled nothing',
    triggers,
    'if (plan.hasReconciler !== false)',
    'if (plan.hasReconciler === true)',
  ),
  one(
    'every version is told to who may see it: each seventh is withheld',
    judge,
    "const reason = isDeletedSince ? 'DELETED' :",
    "const reason = isDeletedSince || claimed.event.to % 7 === 0 ? 'DELETED' :",
  ),
  one(
    'the location of a grant counts',
    'functions/shared/domain/ownership/grant.ts',
    'equalWhereNamed(grant.location, owner.location);',
    'equalWhereNamed(grant.location ?? owner.location, grant.location ?? owner.location);',
  ),
  one(
    'nothing is sent to a paused partner',
    recipient,
    "return partner.webhookPaused ? 'hold' : 'send';",
    "return 'send';",
  ),
  one(
    'nothing is sent to a disabled partner',
    recipient,
    "if (!partner?.enabled) return 'DISABLED';",
    "if (!partner) return 'DISABLED';",
  ),
  one(
    'nothing is sent to a partner that may not read',
    recipient,
    "if (!partner.oauthScopes.includes('nop2/read')) return 'MAY_NOT_READ';",
    "if (partner.oauthScopes.length === 0) return 'MAY_NOT_READ';",
  ),
  one(
    'every element is told: never the valuation',
    event,
    'eventElementNames.filter((name) => elementVersions[name] > from);',
    "eventElementNames.filter((name) => name !== 'valuation' && elementVersions[name] > from);",
  ),
  one(
    'values are as of the last version: of several events as one, those of the first',
    'functions/shared/replay/coalesce.ts',
    'else values.set(name, value);',
    'else if (!values.has(name)) values.set(name, value);',
  ),
  one(
    'values are as of the last version: an older status',
    'functions/shared/domain/event/message.ts',
    ": ['uuid', 'status'];",
    ": ['uuid'];",
  ),
  one(
    'a partner is paused while it is recalled: the bus drops what has no target',
    'bin/operator/partners/recall.ts',
    'const paused = partner.webhookPaused ? succeed(partner) : await pauseWebhook(partner, deps);',
    'const paused = partner.webhookPaused ? await pauseWebhook(partner, deps) : succeed(partner);',
  ),
  one(
    'what a recall took back from a disabled partner is not tried again',
    'bin/operator/partners/recall.ts',
    '  await endScheduled(partner, deps);\n',
    '',
  ),
  one(
    'what is read in pages is read to the end',
    'functions/shared/store/dynamodb/pages.ts',
    'start = LastEvaluatedKey;',
    'start = LastEvaluatedKey && undefined;',
  ),
  one(
    'keys that were left unprocessed are asked for again',
    'functions/shared/store/dynamodb/batch-get.ts',
    'missing = missing.flatMap((read) => leftOf(read, answer.UnprocessedKeys?.[read.table]?.Keys));',
    'missing = answer.UnprocessedKeys === null ? missing : [];',
  ),
];
