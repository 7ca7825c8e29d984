import { namedPatch, type Patch } from '../../patch.ts';

const events = 'functions/v2-partner/events.ts';
const body = 'functions/v2-partner/event-body.ts';
const own = 'functions/v2-partner/replays.ts';
const armed = 'functions/shared/replay/arm-since.ts';
const replay = 'functions/shared/replay/replay.ts';
const plan = 'functions/shared/replay/replay-plan.ts';

const one = namedPatch('event', ['test/unit/functions/v2-partner/events.test.ts']);
const again = namedPatch('again', ['test/unit/functions/v2-partner/replay.test.ts']);

const long = namedPatch('long-replay', ['test/unit/functions/shared/replay/replay-since.test.ts']);
const spans = 'functions/shared/replay/spans.ts';

/** One event as a partner reads it, and what it has sent again. */
export const patches: readonly Patch[] = [
  one(
    ['judged', 'GRANT-2 V2-8 what may not be read now is the 404 of what does not exist'],
    [events, 'return delivery;', 'return delivery ?? own;'],
  ),
  one(
    ['bytes', 'V2-8 I6 the message is byte for byte the webhook’s body'],
    [
      body,
      "messageOf(bodies, visibleTo) ?? 'null'",
      "JSON.stringify(JSON.parse(messageOf(bodies, visibleTo) ?? 'null'))",
    ],
  ),
  one(
    ['tokens', 'SHOW-1 V2-8 the message is what this partner may be sent'],
    [body, 'showsPaymentTokens ? (bodies', 'showsPaymentTokens || bodies ? (bodies'],
  ),
  one(
    ['between-us', 'V2-8 no step between the bus and us is shown'],
    [body, 'refused: undefined,', "refused: 'refused',"],
  ),
  one(
    ['bus-codes', 'V2-8 no code of the bus is shown'],
    [body, "if (step === 'dead') return failureOf(note);", "if (step === 'dead') return note;"],
  ),
  again(
    ['without-end', 'V2-9 TH-26 a timeline does not grow without end'],
    [replay, '...{ eventId, clientId, atMs, ...shortened(timeline) },', '...{ eventId, clientId, atMs },'],
  ),
  again(
    ['test-of-its-day', 'V2-12 WR-1 a key that is used again after its day has another test sent'],
    ['functions/v2-partner/webhook-test.ts', '(commandId, now)', '(commandId, new Date(0))'],
  ),
  again(
    ['alone', 'V2-9 EV-12 one event leaves with its id and its bytes, even after newer ones'],
    [replay, "one.step === 'again' ? asAlone(one) : one", 'one'],
  ),
  again(
    ['older', 'V2-9 EV-12 the answer says that a newer one was sent'],
    [replay, 'newerVersion: newest[index] ?? null', 'newerVersion: null'],
  ),
  again(
    ['gone', 'V2-9 what has no message any more is not said to be scheduled'],
    [plan, 'return isKept ?', 'return isKept || delivery.type ?'],
  ),
  again(
    ['test', 'V2-12 a test is not sent again'],
    [own, 'if (delivery.type === testEventType)', 'if (delivery.eventId === testEventType)'],
  ),
  again(
    ['told-later', 'V2-10 what a later event told is sent as that event'],
    [armed, '(await presentOf(widest, stored.get(widest.uuid), deps)) ?? widest', 'widest'],
  ),
  again(
    ['loners', 'V2-10 EV-12 what was armed alone leaves with what came after it'],
    [armed, 'if (isLoner(one) && !(await backIntoChain(one, deps)))', 'if (one.eventId === undefined)'],
  ),
  again(
    ['leaving', 'V2-10 what is leaving alone stands for nothing else'],
    [armed, '(loner.dueAtMs ?? 0) > nowMs', '(loner.dueAtMs ?? 0) > nowMs + 60_000'],
  ),
  again(
    ['withheld', 'V2-10 what was withheld meanwhile tells nothing'],
    [armed, " && one.state !== 'SUPPRESSED'", ''],
  ),
  again(
    ['told-before', 'V2-10 what was made meanwhile tells only what it begins before'],
    [armed, 'one.from <= from && one.to >= to', 'one.to >= to'],
  ),
  long(
    ['begins-before', 'V2-10 an event of an earlier part ends none that begins before it'],
    [replay, '  told.from <= from &&\n', ''],
  ),
  long(
    ['plan', 'V2-10 a plan of an operator’s replay ends nothing'],
    [replay, 'if (!options.dryRun) await endAll(', 'await endAll('],
  ),
  long(
    ['skew', 'V2-10 an operator’s replay has what is newest, though its clock is slow'],
    [replay, 'deps.clock().getTime() + skewMs', 'deps.clock().getTime() + 0 * skewMs'],
  ),
  long(
    ['bound', 'V2-10 an operator’s replay has so many rows in memory at most'],
    [spans, 'if (rows.length > mostRowsAtOnce && ', 'if (rows.length > 2 * mostRowsAtOnce && '],
  ),
  long(
    ['once', 'V2-10 what an event of an earlier part tells is not planned again'],
    [
      replay,
      'for (const one of replayed) if (one.type',
      'for (const one of replayed) if (done.length < 0 && one.type',
    ],
  ),
];
