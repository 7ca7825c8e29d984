import type { Patch } from '../../patch.ts';

const ticks = 'functions/publish-dormant/ticks.ts';
const handler = 'functions/publish-dormant/handler.ts';
const ofTicks = ['test/unit/functions/publish-dormant/ticks.test.ts'];
const ofIdle = ['test/unit/functions/publish-dormant/idle.test.ts'];
const ofHandler = ['test/unit/functions/publish-dormant/handler.test.ts'];

/** Who sends which ticks, and who looks. */
export const patches: readonly Patch[] = [
  {
    id: 'ticks-once',
    rule: 'EV-20 a run sends only ticks that are not on their way yet',
    file: ticks,
    find: 'areComing() ? memory.sentUntilMs : undefined',
    put: 'undefined',
    tests: ofIdle,
  },
  {
    id: 'ticks-leave-looking',
    rule: 'EV-20 a run by the schedule leaves the looking to the ticks',
    file: handler,
    find: '  if (!fault && deps.ticks.areComing()) return;\n',
    put: '',
    tests: ofIdle,
  },
  {
    id: 'ticks-that-do-not-come',
    rule: 'I17 ticks that do not come are sent anew',
    file: ticks,
    find: 'areComing() ? memory.sentUntilMs : undefined',
    put: 'memory.sentUntilMs',
    tests: ofTicks,
  },
  {
    id: 'ticks-not-taken',
    rule: 'I17 ticks that the queue has not taken count as not sent',
    file: ticks,
    find: '      await sendTicks(queue, delays);\n      memory.sentUntilMs = untilMs;\n',
    put: '      memory.sentUntilMs = untilMs;\n      await sendTicks(queue, delays);\n',
    tests: ofTicks,
  },
  {
    id: 'ticks-two-periods',
    rule: 'EV-20 ticks come as long as the last look is less than two periods old',
    file: ticks,
    find: 'sinceMs < 2 * tickSeconds * 1000',
    put: 'sinceMs < 20 * tickSeconds * 1000',
    tests: ofTicks,
  },
  {
    id: 'ticks-clock-set-back',
    rule: 'I17 a look in the future is none',
    file: ticks,
    find: 'sinceMs >= 0 && ',
    put: '',
    tests: ofTicks,
  },
  {
    id: 'ticks-unsent-look',
    rule: 'I17 a run that cannot send ticks looks itself',
    file: handler,
    find: 'if (!fault && deps.ticks',
    put: 'if (deps.ticks',
    tests: ofHandler,
  },
  {
    id: 'ticks-failed-look',
    rule: 'EV-20 a look that saw nothing is none',
    file: handler,
    find: '  const { backlog, isCutShort } = await run.flush({ atMost: deps.alone });\n  deps.ticks.noteLook(lookedAtMs);\n',
    put: '  deps.ticks.noteLook(lookedAtMs);\n  const { backlog, isCutShort } = await run.flush({ atMost: deps.alone });\n',
    tests: ofHandler,
  },
  {
    id: 'ticks-together',
    rule: 'EV-20 ticks that come together are one look',
    file: 'lib/constructs/dormant-publisher.ts',
    find: '{ queue: this.ticks, batchSize: 10, atOnce: byTicks }',
    put: '{ queue: this.ticks, batchSize: 1, atOnce: byLanes }',
    tests: ['test/infrastructure/event-sources.test.ts'],
  },
];
