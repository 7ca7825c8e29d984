import { namedPatch, type Patch } from '../../patch.ts';

const readable = 'functions/shared/domain/event/readable-event.ts';
const pages = 'functions/v2-partner/readable-events.ts';
const seal = 'functions/v2-partner/cursor-seal.ts';
const query = 'functions/v2-partner/event-query.ts';
const time = 'functions/v2-partner/time-text.ts';
const order = 'functions/v2-partner/sending-order.ts';
const armed = 'functions/shared/replay/arm-since.ts';

const cursors = ['test/unit/functions/v2-partner/cursors.test.ts'];
const patch = namedPatch('self', [
  'test/unit/functions/v2-partner/events.test.ts',
  'test/unit/functions/v2-partner/replay.test.ts',
]);

/** What a partner is shown of its events, and has sent again. */
export const patches: readonly Patch[] = [
  patch(
    ['grants', 'GRANT-2 V2-7 an event is judged by its present owner'],
    [readable, 'covers(grants, stored?.transaction.ndMeta) && ', ''],
  ),
  patch(
    ['deleted', 'DEL-1 V2-7 nothing older than its deletion is shown of a transaction'],
    [readable, ' && !isDeletedAfter({ to }, stored)', ''],
  ),
  patch(
    ['undone', 'DR-10 V2-7 what a restore took back is not shown'],
    [readable, " && reason !== 'UNDONE'", ''],
  ),
  patch(
    ['looks', 'V2-7 a page costs four looks at most'],
    [pages, 'const mostLooks = 4;', 'const mostLooks = 5;'],
  ),
  patch(
    ['cursor-filter', 'V2-7 a cursor is bound to its filter'],
    [
      query,
      '...[...knownFilters.keys()].map((name) => parameters[name] ?? null),',
      '...[...knownFilters.keys()].map(() => null),',
    ],
  ),
  patch(
    ['cursor-closed', 'V2-7 a cursor shows nothing of its row'],
    [seal, 'cipher.update(text), cipher.final()', 'text, cipher.update(text).subarray(0, 0), cipher.final()'],
    cursors,
  ),
  patch(
    ['cursor-tag', 'V2-7 a cursor that was changed is none'],
    [seal, '  } catch {\n    return undefined;', "  } catch {\n    return '1.a';"],
    cursors,
  ),
  patch(
    ['cursor-length', 'V2-7 all cursors are as long'],
    [seal, 'place.padEnd(placeLength)', 'place.padEnd(place.length + 24)'],
    cursors,
  ),
  patch(
    ['time-length', 'V2-7 V2-10 a time has no more than nanoseconds'],
    [time, '.check(z.maxLength(30, refusal))', ''],
  ),
  patch(
    ['paused', 'V2-11 nothing is armed for a paused webhook'],
    [order, 'if (partner.webhookPaused) return', 'if (!partner) return'],
  ),
  patch(
    ['limited', 'V2-11 what is over the quota is refused'],
    [order, 'if (!standing.isTaken) return tooMany(policy, standing);', ''],
  ),
  patch(
    ['told-once', 'V2-10 a walk tells a transaction once'],
    [armed, ' || (await isToldSince(told, armedSinceMs, deps));', ';'],
  ),
];
