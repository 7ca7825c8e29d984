import type { Patch } from '../patch.ts';

const commandTests = ['test/unit/bin/operator/partners/stage-webhooks.test.ts'];
const stageWebhooks = 'bin/operator/partners/stage-webhooks.ts';

/** Stopping and starting all webhooks. */
export const patches: readonly Patch[] = [
  {
    id: 'stop-pauses-everybody',
    rule: 'S-77 while the webhooks are stopped every partner is paused',
    file: 'functions/shared/store/partners/directory.ts',
    find: 'const isStopped = items.some(({ stoppedAtMs }) => stoppedAtMs !== undefined);',
    put: 'const isStopped = items.some(({ stoppedAtMs }) => stoppedAtMs === null);',
    tests: ['test/integration/store/partner-directory.ports.test.ts'],
  },
  {
    id: 'stop-keeps-its-time',
    rule: 'S-77 a second stop changes nothing',
    file: 'functions/shared/store/partners/webhook-switch.ts',
    find: "      ConditionExpression: 'attribute_not_exists(pk)',\n",
    put: '',
    tests: ['test/integration/store/partner-directory.ports.test.ts'],
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
    find: '({ clientId }) => deps.endpoints.detach(clientId)',
    put: 'async ({ clientId }) => void clientId',
    tests: commandTests,
  },
  {
    id: 'start-endpoints-first',
    rule: 'S-77 endpoints are there before anything leaves',
    file: stageWebhooks,
    find: '  await ofEach(partners, deps, (partner) => ensureEndpoint(partner, deps));\n  await waitForEffect(deps);\n  await deps.webhookSwitch.start();\n',
    put: '  await deps.webhookSwitch.start();\n  await ofEach(partners, deps, (partner) => ensureEndpoint(partner, deps));\n  await waitForEffect(deps);\n',
    tests: commandTests,
  },
  {
    id: 'start-brings-what-came-back',
    rule: 'S-77 what the bus gave up is sent with what was kept',
    file: stageWebhooks,
    find: '  for (const partner of served) await keepGivenUp(partner, sinceMs, deps);\n',
    put: '  if (sinceMs < 0) for (const partner of served) await keepGivenUp(partner, sinceMs, deps);\n',
    tests: commandTests,
  },
  {
    id: 'start-spares-the-paused',
    rule: 'S-77 a paused partner stays paused',
    file: stageWebhooks,
    find: 'enabled && !webhookPaused',
    put: 'enabled || !webhookPaused',
    tests: commandTests,
  },
];
