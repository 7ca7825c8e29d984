import type { Patch } from '../../patch.ts';

const lanes = 'functions/publish-dormant/lanes.ts';
const handler = 'functions/publish-dormant/handler.ts';
const flush = 'functions/shared/publish/flush.ts';
const runs = 'lib/flush-runs.ts';
const ofLanes = ['test/unit/functions/publish-dormant/lanes.test.ts'];
const publisher = 'lib/constructs/dormant-publisher.ts';
const ofSources = ['test/infrastructure/event-sources.test.ts'];
const ofRuns = ['test/infrastructure/flush-runs.test.ts'];

/** How a backlog is divided among runs; what only many runs show is taken out by the simulation. */
export const patches: readonly Patch[] = [
  {
    id: 'lanes-of-flights',
    rule: 'EV-24 a lane in which all is in flight is given back, and nobody is asked to go on with it',
    file: handler,
    find: 'const { isCutShort } = await run.flush({ shards }).finally(giveBack);\n  if (isCutShort)',
    put: 'const { isCutShort, looked, claimed } = await run.flush({ shards }).finally(giveBack);\n  if (isCutShort || (looked > 0 && claimed === 0))',
    tests: ofLanes,
  },
  {
    id: 'lanes-held-left-alone',
    rule: 'EV-24 nobody is asked for a lane that a run has',
    file: lanes,
    find: 'free: lanes.filter((one) => !isHeld(one))',
    put: 'free: lanes',
    tests: ofLanes,
  },
  {
    id: 'lanes-of-this-division',
    rule: 'EV-24 a lane of another division is left alone',
    file: lanes,
    find: '      if (lane.of !== count) return undefined;\n',
    put: '',
    tests: ofLanes,
  },
  {
    id: 'lanes-given-back-after-fault',
    rule: 'EV-24 a lane is given back where its run fails',
    file: handler,
    find: 'await run.flush({ shards }).finally(giveBack);',
    put: 'await run.flush({ shards });\n  await giveBack();',
    tests: ofLanes,
  },
  {
    id: 'lanes-unsent-counts',
    rule: 'EV-24 a run that could not hand out lanes counts as failed',
    file: handler,
    find: '  if (own) await workOn(own, run, deps);\n  if (fault) throw fault;\n',
    put: '  if (own) await workOn(own, run, deps);\n',
    tests: ofLanes,
  },
  {
    id: 'lanes-asked-before-own',
    rule: 'EV-24 other runs are asked for before a run works on its own lane',
    file: handler,
    find: '  const fault = others.length === 0 ? undefined : await faultOf(deps.lanes.handOut(others));\n  if (own) await workOn(own, run, deps);\n',
    put: '  if (own) await workOn(own, run, deps);\n  const fault = others.length === 0 ? undefined : await faultOf(deps.lanes.handOut(others));\n',
    tests: ofLanes,
  },
  {
    id: 'lanes-next-where-faster',
    rule: 'EV-24 a run takes the next lane where another was faster',
    file: handler,
    find: 'return own ? { own, others } : takeOne(others, run, deps);',
    put: 'return own ? { own, others } : { others };',
    tests: ofLanes,
  },
  {
    id: 'lanes-heavy-rows',
    rule: 'EV-24 a backlog is known by its recipients, too',
    file: flush,
    find: 'if (recipientsIn(tasks) > mostRecipients) {',
    put: 'if (recipientsIn(tasks) < mostRecipients * 0) {',
    tests: ofLanes,
  },
  {
    id: 'lanes-have-room',
    rule: 'EV-24 a stage reserves executions for all its runs',
    file: runs,
    find: 'reserved < inAll',
    put: 'reserved < 0 * inAll',
    tests: ofRuns,
  },
  {
    id: 'lanes-a-message-a-run',
    rule: 'EV-24 each message has a run of its own',
    file: publisher,
    find: 'batchSize: 1, atOnce: byLanes',
    put: 'batchSize: 10, atOnce: byLanes',
    tests: ofSources,
  },
  {
    id: 'lanes-runs-at-once',
    rule: 'EV-24 there are as many runs on lanes as lanes',
    file: runs,
    find: 'const byLanes = Math.max(leastByQueue, lanes);',
    put: 'const byLanes = Math.max(leastByQueue, lanes - 1);',
    tests: ofSources,
  },
  {
    id: 'lanes-own-queue',
    rule: 'EV-24 lanes come by a queue of their own',
    file: publisher,
    find: '{ queue: this.lanes, batchSize: 1',
    put: '{ queue: this.ticks, batchSize: 1',
    tests: ofSources,
  },
  {
    id: 'lanes-late-dropped',
    rule: 'EV-24 a lane is kept for its tries, and no longer',
    file: publisher,
    find: 'lost: lostLanes, longestDelaySeconds: 0 }',
    put: 'lost: lostLanes, longestDelaySeconds: lastTickSeconds }',
    tests: ofSources,
  },
];
