import type { Patch } from '../../patch.ts';

const config = ['test/infrastructure/config.test.ts'];
const updating = ['test/infrastructure/updating.test.ts'];
const apis = ['test/infrastructure/rest-apis.test.ts'];

/** Which stages are deployed where, and what a first deployment leaves behind. */
export const patches: readonly Patch[] = [
  {
    id: 'deploy-local',
    rule: 'D-01 the local stage goes to no account of AWS',
    file: 'lib/deployed-stage.ts',
    find: 'account !== emulatedAccount',
    put: 'account === emulatedAccount',
    tests: config,
  },
  {
    id: 'deploy-unnamed',
    rule: 'D-01 a stage is deployed by its name alone',
    file: 'lib/deployed-stage.ts',
    find: "throw new Error('Name the stage: -c stage=staging or -c stage=production.')",
    put: "return configOf('staging')",
    tests: ['test/infrastructure/bundles.test.ts'],
  },
  {
    id: 'deploy-nameless-production',
    rule: 'D-02 production has a domain of its own',
    file: 'lib/own-domain.ts',
    find: "name === 'production' && !ownDomain",
    put: "name === 'local' && !ownDomain",
    tests: config,
  },
  {
    id: 'deploy-silent-staging',
    rule: 'D-02 staging without a domain of its own warns',
    file: 'lib/service-stack.ts',
    find: '!config.ownDomain && !config.fixedAddresses',
    put: '!config.ownDomain && config.fixedAddresses',
    tests: config,
  },
  {
    id: 'deploy-alias',
    rule: 'D-02 a hosted zone gets the records of both names',
    file: 'lib/constructs/rest-api.ts',
    find: 'if (!zone) {',
    put: 'if (!zone?.id.endsWith("x")) {',
    tests: apis,
  },
  {
    id: 'deploy-repeat',
    rule: 'D-03 a first deployment that failed leaves nothing that data would be in',
    file: 'lib/config.ts',
    find: 'RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : ',
    put: 'RemovalPolicy.RETAIN : ',
    tests: ['test/infrastructure/data-stack.test.ts'],
  },
  {
    id: 'deploy-unreserved',
    rule: 'D-04 100 concurrent executions stay unreserved',
    file: 'lib/config.ts',
    find: 'reserved + unreservedConcurrency',
    put: 'reserved',
    tests: config,
  },
  {
    id: 'update-strong',
    rule: 'D-05 the service stack imports no output',
    file: 'lib/service-stack.ts',
    find: '?? ReferenceStrength.WEAK',
    put: '?? ReferenceStrength.STRONG',
    tests: updating,
  },
  {
    id: 'update-readers',
    rule: 'D-05 outputs stay when their last reader goes',
    file: 'lib/data-stack.ts',
    find: '[accessKeys, sessionKeys, pepper].map(',
    put: '[accessKeys, sessionKeys].map(',
    tests: updating,
  },
  {
    id: 'update-queues',
    rule: 'D-06 what waits in a queue outlives its stack',
    file: 'lib/service-stack.ts',
    find: 'if (queue instanceof Queue) queue',
    put: "if (queue instanceof Queue && queue.node.id !== 'DeadLetters') queue",
    tests: updating,
  },
  {
    id: 'update-protection',
    rule: 'D-06 production refuses the deletion of its service stack',
    file: 'lib/service-stack.ts',
    find: "terminationProtection: config.name === 'production',",
    put: 'terminationProtection: false,',
    tests: updating,
  },
  {
    id: 'update-ids',
    rule: 'D-07 the role that partners’ targets hold keeps its id',
    file: 'lib/constructs/partner-bus.ts',
    find: "new Role(this, 'DeliveryRole', {",
    put: "new Role(this, 'CallerRole', {",
    tests: updating,
  },
];
