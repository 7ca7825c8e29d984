import type { Patch } from '../../patch.ts';

const checks = ['test/infrastructure/checks.test.ts'];
const deploymentRole = ['test/infrastructure/deployment-role.test.ts'];

/** What cfn-lint, checkov and cdk-nag found, and what was mended for it; who may deploy. */
export const patches: readonly Patch[] = [
  {
    id: 'collector-bounded',
    rule: 'S-42 dead letters take two executions at most',
    file: 'lib/constructs/dead-letter-collector.ts',
    find: '      scalingConfig: { maximumConcurrency: 2 },\n',
    put: '',
    tests: ['test/infrastructure/event-sources.test.ts'],
  },
  {
    id: 'collector-looks-for-events',
    rule: 'S-50 a letter that is faster than all notes of its delivery is looked up by its event',
    file: 'lib/constructs/dead-letter-collector.ts',
    find: "      .queries('DEBOUNCE_TABLE', data.tables.debounce)\n",
    put: '',
    tests: ['test/integration/functions/collect-dead-letters.test.ts'],
  },
  {
    id: 'reason-outlives-finding',
    rule: 'S-65 a reason goes with its finding',
    file: 'lib/constructs/rest-api.ts',
    find: 'if (!props.config.firewall) acknowledge(',
    put: 'acknowledge(',
    tests: checks,
  },
  {
    id: 'reason-true-of-stage',
    rule: 'S-65 a reason is true of its stage',
    file: 'lib/constructs/secrets.ts',
    find: 'keyRotation ? rotatedBySchedule : rotatedByCommand',
    put: 'keyRotation ? rotatedBySchedule : rotatedBySchedule',
    tests: checks,
  },
  {
    id: 'pipeline-subject',
    rule: 'D-15 the subject of a pipeline is compared to the letter',
    file: 'lib/pipeline-needs.ts',
    find: 'const isPlainName = (text: string) => /^[\\w./-]+$/.test(text);',
    put: 'const isPlainName = (text: string) => text.length > 0;',
    tests: deploymentRole,
  },
  {
    id: 'pipeline-shared-account',
    rule: 'D-15 no two pipelines share an account',
    file: 'lib/pipeline-needs.ts',
    find: 'one.pipeline?.account === account',
    put: 'one.pipeline?.account === name',
    tests: deploymentRole,
  },
  {
    id: 'pipeline-foreign-provider',
    rule: 'D-15 the provider is GitHub’s in the same account',
    file: 'lib/pipeline-needs.ts',
    find: 'providerArn !== undefined && !isProviderOf(account, providerArn)',
    put: 'providerArn === account',
    tests: deploymentRole,
  },
  {
    id: 'pipeline-audience',
    rule: 'D-15 a token for another audience is of no use',
    file: 'lib/deployment-role.ts',
    find: "const audience = 'sts.amazonaws.com';",
    put: "const audience = '*';",
    tests: deploymentRole,
  },
  {
    id: 'pipeline-production-environment',
    rule: 'D-15 production is deployed from an environment',
    file: 'lib/pipeline-needs.ts',
    find: "if (stage === 'production' && environment === undefined)",
    put: "if (stage === 'none')",
    tests: deploymentRole,
  },
];
