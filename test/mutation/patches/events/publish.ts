import type { Patch } from '../../patch.ts';

const run = 'functions/shared/publish/run.ts';
const claim = 'functions/shared/store/debounce/claim.ts';
const together = 'functions/shared/publish/claim-together.ts';
const flush = 'functions/shared/publish/flush.ts';
const send = 'functions/shared/publish/send.ts';
const judge = 'functions/shared/publish/judge.ts';
const note = 'functions/shared/publish/note-answer.ts';
const completed = 'functions/shared/publish/publish-completed.ts';
const flushQueues = 'functions/shared/outbound/flush-queues.ts';
const bus = 'functions/shared/outbound/event-bus-client.ts';
const cursorReads = 'functions/shared/store/debounce/cursor-reads.ts';
const retry = 'functions/shared/store/dynamodb/retry.ts';
const limits = 'functions/shared/runtime/sdk/request-limits.ts';
const event = 'functions/shared/domain/event/event.ts';
const updates = 'functions/shared/store/debounce/cursor-updates.ts';
const keys = 'functions/shared/store/debounce/keys.ts';
const publisher = 'lib/constructs/dormant-publisher.ts';
const ofBounds = ['test/unit/functions/shared/publish/bounds.test.ts'];
const ofIsolation = ['test/unit/functions/shared/publish/isolation.test.ts'];
const ofFlush = ['test/unit/functions/shared/publish/flush.test.ts'];
const ofCompleted = ['test/unit/functions/shared/publish/publish-completed.test.ts'];
const ofTogether = ['test/unit/functions/shared/publish/claim-together.test.ts'];
const ofItems = ['test/unit/functions/shared/store/debounce/items.test.ts'];
const ofBus = ['test/unit/functions/shared/outbound/event-bus-client.test.ts'];
const ofTicks = ['test/unit/functions/publish-dormant/ticks.test.ts'];

/** How events leave under weight and bad luck. */
export const patches: readonly Patch[] = [
  {
    id: 'publish-halves-judged',
    rule: 'S-54 partners are judged right before each half of a refused request, too',
    file: send,
    find: 'const first = await sendSome(timely.slice(0, middle), run);',
    put: 'const first = await sendGroup(timely.slice(0, middle), run);',
    tests: ofIsolation,
  },
  {
    id: 'resend-withheld-before',
    rule: 'EV-12 an event that was withheld is due once more for those that it tells',
    file: 'functions/shared/publish/resend.ts',
    find: "from: ['DEAD', 'SUPPRESSED']",
    put: 'from: []',
    tests: ['test/unit/functions/shared/publish/resend.test.ts'],
  },
  {
    id: 'publish-behind-failing-rows',
    rule: 'EV-17 rows that fail every time hide no others of their shard',
    file: flush,
    find: 'return fresh.length === 0 && isMore\n',
    put: 'return fresh.length < 0 && isMore\n',
    tests: ofIsolation,
  },
  {
    id: 'publish-requests-at-once',
    rule: 'EV-14 four requests are with the bus at once',
    file: run,
    find: 'const requestsAtOnce = 4;',
    put: 'const requestsAtOnce = 400;',
    tests: ofBounds,
  },
  {
    id: 'publish-recipients-at-once',
    rule: 'EV-14 events for so many recipients are taken up at once',
    file: run,
    find: 'const recipientsAtOnce = 200;',
    put: 'const recipientsAtOnce = 20_000;',
    tests: ofBounds,
  },
  {
    id: 'publish-rows-in-claim',
    rule: 'EV-14 no row of a recipient goes in with a claim',
    file: claim,
    find: 'const rows = eventItems(claim.event, claim.bodies);',
    put: "const rows = [...eventItems(claim.event, claim.bodies), ...claim.event.recipients.map((sk) => ({ pk: 'EV#', sk }))];",
    tests: ofItems,
  },
  {
    id: 'publish-claims-that-fit',
    rule: 'EV-25 so many claims are made in a request',
    file: 'functions/shared/store/debounce/cursor-store.ts',
    find: 'mostClaimsTogether = 20;',
    put: 'mostClaimsTogether = 40;',
    tests: ofTogether,
  },
  {
    id: 'publish-claims-of-the-others',
    rule: 'EV-25 where one claim is lost the others are made',
    file: together,
    find: 'claimSome(open, run, triesLeft)',
    put: 'claimSome(open.slice(open.length), run, triesLeft)',
    tests: ofTogether,
  },
  {
    id: 'publish-claims-that-were-made',
    rule: 'EV-25 of claims together those that were made are sent',
    file: together,
    find: "...those('claimed').map(",
    put: "...[...those('claimed'), ...those('lost')].map(",
    tests: ofTogether,
  },
  {
    id: 'publish-claims-one-by-one',
    rule: 'EV-25 claims that fail together twice are made one by one',
    file: together,
    find: 'return claimEach(some, run);',
    put: 'return claimEach(some.slice(0, 1), run);',
    tests: ofTogether,
  },
  {
    id: 'publish-claims-of-two-transactions',
    rule: 'EV-25 a request takes a transaction once',
    file: together,
    find: 'uuids.has(uuid) ? 1 : 0',
    put: 'uuids.has(uuid) && one.claim.revision < 0 ? 1 : 0',
    tests: ofTogether,
  },
  {
    id: 'publish-oldest-first',
    rule: 'EV-15 the oldest is taken up first',
    file: flush,
    find: 'one.dueAtMs - other.dueAtMs',
    put: 'other.dueAtMs - one.dueAtMs',
    tests: ofBounds,
  },
  {
    id: 'publish-time-for-it',
    rule: 'EV-15 nothing is taken up that the run cannot finish',
    file: run,
    find: 'return nowMs() < beginUntilMs && endsAtMs <= sendUntilMs;',
    put: 'return nowMs() < beginUntilMs && endsAtMs > 0;',
    tests: ofBounds,
  },
  {
    id: 'publish-time-for-the-largest',
    rule: 'EV-15 what no run can do is begun all the same',
    file: run,
    find: 'Math.min(recipients * msPerRecipient, longestMs)',
    put: 'Math.max(0, recipients * msPerRecipient + 0 * longestMs)',
    tests: ofBounds,
  },
  {
    id: 'publish-time-to-send',
    rule: 'EV-15 each request is asked whether there is time',
    file: run,
    find: 'nowMs() < sendUntilMs && mayStillSend',
    put: 'nowMs() < sendUntilMs * 2 && mayStillSend',
    tests: ofBounds,
  },
  {
    id: 'publish-completion-few',
    rule: 'EV-16 a payment publishes for twenty partners at most',
    file: completed,
    find: 'const mostRecipients = 20;',
    put: 'const mostRecipients = 2_000;',
    tests: ofCompleted,
  },
  {
    id: 'publish-completion-all-of-twenty',
    rule: 'EV-16 for twenty partners it is published at once',
    file: completed,
    find: 'recipients > mostRecipients',
    put: 'recipients >= mostRecipients',
    tests: ofCompleted,
  },
  {
    id: 'publish-completion-due',
    rule: 'EV-16 what is left to the flush is due at once',
    file: completed,
    find: 'marker, marker, clock().getTime())',
    put: 'marker, marker, clock().getTime() + 10_000)',
    tests: ofCompleted,
  },
  {
    id: 'publish-completion-asks',
    rule: 'EV-16 the flush is asked for',
    file: completed,
    find: 'if (isLeft) await askForFlush();',
    put: 'if (!isLeft) await askForFlush();',
    tests: ofCompleted,
  },
  {
    id: 'publish-completion-in-time',
    rule: 'EV-16 a payment begins nothing after three seconds',
    file: completed,
    find: 'if (!run.hasTimeFor(recipients)) return undefined;',
    put: 'if (!run.hasTimeFor(recipients) && !run) return undefined;',
    tests: ofCompleted,
  },
  {
    id: 'publish-asks-twice',
    rule: 'EV-16 the second tick is for an index that is late',
    file: flushQueues,
    find: 'sendTicks(queue, [0, 1])',
    put: 'sendTicks(queue, [0])',
    tests: ofTicks,
  },
  {
    id: 'publish-fault-apart',
    rule: 'EV-17 a fault stops no other row',
    file: run,
    find: 'onFault(fault, facts);\n        return undefined;',
    put: 'onFault(fault, facts);\n        throw fault;',
    tests: ofIsolation,
  },
  {
    id: 'publish-settle-apart',
    rule: 'EV-17 what cannot be settled stops no other',
    file: send,
    find: 'run.apart(() => settle(one, run.deps), { eventId: one.event.eventId })',
    put: 'settle(one, run.deps)',
    tests: ofIsolation,
  },
  {
    id: 'publish-whole-event',
    rule: 'EV-17 an event of which something is not noted yet is not settled',
    file: send,
    find: 'claimed.filter((one) => !open.has(one))',
    put: 'claimed.filter((one) => open.size >= 0 || !open.has(one))',
    tests: ofIsolation,
  },
  {
    id: 'publish-halves',
    rule: 'EV-18 a refused request is halved',
    file: send,
    find: "outcome === 'refused-together')) {",
    put: "outcome === 'refused-together' && run === undefined)) {",
    tests: ofIsolation,
  },
  {
    id: 'bus-refusal-of-content',
    rule: 'EV-18 a refusal for content is no silence',
    file: bus,
    find: 'if (!isAboutContent(fault)) throw fault;',
    put: 'if (!isAboutContent(fault) || config) throw fault;',
    tests: ofBus,
  },
  {
    id: 'bus-refusal-of-asker',
    rule: 'EV-18 a refusal for who asks is no entry’s fault',
    file: bus,
    find: '&& !aboutTheAsker.test(fault.name)',
    put: '&& (fault.name !== undefined || !aboutTheAsker.test(fault.name))',
    tests: ofBus,
  },
  {
    id: 'bus-signal',
    rule: 'STO-3 PutEvents ends when the time for sending is over',
    file: bus,
    find: 'client.send(request, { abortSignal: signal })',
    put: 'client.send(request, signal.aborted ? { abortSignal: signal } : {})',
    tests: ofBus,
  },
  {
    id: 'publish-shard-apart',
    rule: 'EV-19 a part of the index that does not answer stops no other',
    file: flush,
    find: 'await run.apart(() => run.deps.cursors.due(shard, nowMs, limit), { shard })',
    put: 'await run.deps.cursors.due(shard, nowMs, limit)',
    tests: ofIsolation,
  },
  {
    id: 'publish-shard-once',
    rule: 'EV-19 a part that does not answer is asked once a run',
    file: flush,
    find: 'if (!fresh || fresh.length === 0) shards.delete(shard);',
    put: 'if (fresh?.length === 0) shards.delete(shard);',
    tests: ofIsolation,
  },
  {
    id: 'publish-shard-time',
    rule: 'EV-19 a look has a time of its own',
    file: cursorReads,
    find: 'documents.send(request, { abortSignal })',
    put: 'documents.send(request, abortSignal.aborted ? { abortSignal } : {})',
    tests: ofItems,
  },
  {
    id: 'publish-silence-is-no-try',
    rule: 'STO-3 silence is no reason to wait on',
    file: retry,
    find: ' || hasTimedOut(error)) throw error;',
    put: ') throw error;',
    tests: ['test/unit/functions/shared/store/dynamodb/retry.test.ts'],
  },
  {
    id: 'publish-store-limits',
    rule: 'STO-3 requests to stores end in time',
    file: limits,
    find: 'throwOnRequestTimeout: true,',
    put: 'throwOnRequestTimeout: false,',
    tests: ['test/unit/functions/shared/runtime/sdk/request-limits.test.ts'],
  },
  {
    id: 'publish-no-body-for-nobody',
    rule: 'S-57 bodies that nobody may read are not kept',
    file: 'functions/shared/publish/claim.ts',
    find: 'recipients.length > 0 ? bodies : undefined',
    put: 'recipients.length >= 0 ? bodies : undefined',
    tests: ofFlush,
  },
  {
    id: 'publish-bus-event-id',
    rule: 'TH-23 the bus’s own id is noted',
    file: note,
    find: "to: 'ACCEPTED', atMs, entry, busEventId }",
    put: "to: 'ACCEPTED', atMs, entry, ...(busEventId === undefined && { busEventId }) }",
    tests: ofFlush,
  },
  {
    id: 'publish-time-of-publication',
    rule: 'I10 the time is that of the publication',
    file: 'functions/shared/domain/event/present-event.ts',
    find: 'publishedAt: new Date(nowMs)',
    put: 'publishedAt: new Date(updatedAtMs)',
    tests: ofFlush,
  },
  {
    id: 'publish-deletion-itself',
    rule: 'DEL-1 the event that tells of the deletion is not withheld',
    file: event,
    find: 'stored.elementVersions.own > to;',
    put: 'stored.elementVersions.own >= to;',
    tests: ['test/unit/functions/shared/domain/event/deleted.test.ts'],
  },
  {
    id: 'publish-unschedule-version',
    rule: 'I1 unscheduling writes no version',
    file: updates,
    find: "update: 'REMOVE #dueAtMs, #heldSinceMs, #changed ADD #rev :one',",
    put: "update: 'SET #notifiedVersion = :one REMOVE #dueAtMs, #heldSinceMs, #changed ADD #rev :one',",
    tests: ofItems,
  },
  {
    id: 'publish-expiry-in-seconds',
    rule: 'I12 an expiry is in whole seconds',
    file: keys,
    find: 'Math.floor(milliseconds / 1000)',
    put: 'Math.floor(milliseconds)',
    tests: ofItems,
  },
  {
    id: 'publish-judge-fresh',
    rule: 'I9 partners are read anew right before each sending',
    file: judge,
    find: 'const partners = await run.deps.partners.byClientIds([\n    ...new Set(sendings.map(({ delivery }) => delivery.clientId)),\n  ]);',
    put: 'const known = globalThis as { partners?: Awaited<ReturnType<typeof run.deps.partners.byClientIds>> };\n  known.partners ??= await run.deps.partners.byClientIds(sendings.map(({ delivery }) => delivery.clientId));\n  const { partners } = known;',
    tests: ofFlush,
  },
  {
    id: 'publish-tick-retention',
    rule: 'I17 a tick is kept for longer than it is delayed',
    file: publisher,
    find: 'longestDelaySeconds + 5 * 6 * publishTimeoutSeconds',
    put: '60',
    tests: ['test/infrastructure/event-sources.test.ts'],
  },
];
