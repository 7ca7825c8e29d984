import type { Patch } from '../../patch.ts';

const commandTests = ['test/unit/bin/operator/partners/stage-webhooks.test.ts'];
const ofSwitch = ['test/integration/store/partner-directory.ports.test.ts'];
const stageWebhooks = 'bin/operator/partners/stage-webhooks.ts';

/** Stopping and starting all webhooks. */
export const patches: readonly Patch[] = [
  {
    id: 'stop-pauses-everybody',
    rule: 'S-77 while the webhooks are stopped every partner is paused',
    file: 'functions/shared/store/partners/directory.ts',
    find: 'stoppedAtMs !== undefined && startingAtMs === undefined',
    put: 'stoppedAtMs === null && startingAtMs === undefined',
    tests: ofSwitch,
  },
  {
    id: 'stop-ends-with-the-start',
    rule: 'S-77 with a start events leave before it has ended',
    file: 'functions/shared/store/partners/directory.ts',
    find: 'stoppedAtMs !== undefined && startingAtMs === undefined',
    put: 'stoppedAtMs !== undefined && startingAtMs !== null',
    tests: ofSwitch,
  },
  {
    id: 'stop-keeps-its-time',
    rule: 'S-77 they are stopped since the first stop',
    file: 'functions/shared/store/partners/webhook-switch.ts',
    find: 'if_not_exists(stoppedAtMs, :at)',
    put: ':at',
    tests: ofSwitch,
  },
  {
    id: 'stop-once-more-wins',
    rule: 'S-77 a start undoes the stop that it has seen, and no later one',
    file: 'functions/shared/store/partners/webhook-switch.ts',
    find: "const isThisStop = 'stops = :stops';",
    put: "const isThisStop = 'stops = :stops OR stops > :stops';",
    tests: ofSwitch,
  },
  {
    id: 'stop-waits-for-senders',
    rule: 'S-77 a target goes only when nothing is being sent any more',
    file: stageWebhooks,
    find: '  await waitForSenders(deps);\n  const partners = await withWebhooks(deps);\n',
    put: '  const partners = await withWebhooks(deps);\n',
    tests: commandTests,
  },
  {
    id: 'stop-takes-targets',
    rule: 'S-77 the bus gives up what it still tries',
    file: stageWebhooks,
    find: '?.stops === stops) await deps',
    put: '?.stops === stops + 1) await deps',
    tests: commandTests,
  },
  {
    id: 'stop-spares-a-start',
    rule: 'S-77 a stop takes no target from a start that was faster',
    file: stageWebhooks,
    find: 'if ((await deps.webhookSwitch.read())?.stops === stops) await',
    put: 'await',
    tests: commandTests,
  },
  {
    id: 'stop-gives-no-target-back',
    rule: 'S-77 while the webhooks are stopped no command gives a target back',
    file: 'bin/operator/partners/webhooks.ts',
    find: 'return stop && stop.startingAtMs === undefined ? { ...partner, enabled: false } : partner;',
    put: 'return stop === undefined ? partner : { ...partner };',
    tests: commandTests,
  },
  {
    id: 'start-endpoints-first',
    rule: 'S-77 endpoints are there before anything leaves',
    file: stageWebhooks,
    find: "  if (!(await webhookSwitch.release(stop, deps.now().getTime()))) return refuse('stopped-again');\n",
    put: '',
    tests: commandTests,
  },
  {
    id: 'start-needs-endpoints',
    rule: 'S-77 nothing starts while an endpoint cannot be made',
    file: stageWebhooks,
    find: 'if (failed.length > 0) return succeed({ partners: 0',
    put: 'if (failed.length > 1) return succeed({ partners: 0',
    tests: commandTests,
  },
  {
    id: 'start-brings-what-came-back',
    rule: 'S-77 what the bus gave up is sent with what was kept',
    file: stageWebhooks,
    find: '  for (const partner of all) await keepGivenUp(partner, stop.stoppedAtMs, deps);\n',
    put: '  if (stop.stoppedAtMs < 0) for (const partner of all) await keepGivenUp(partner, stop.stoppedAtMs, deps);\n',
    tests: commandTests,
  },
  {
    id: 'start-spares-the-paused',
    rule: 'S-77 a paused partner stays paused',
    file: stageWebhooks,
    find: '.filter(({ webhookPaused }) => !webhookPaused);',
    put: '.filter(({ webhookPaused }) => !webhookPaused || true);',
    tests: commandTests,
  },
];
