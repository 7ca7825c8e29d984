import type { Patch } from '../../patch.ts';

const alarms = ['test/infrastructure/alarms.test.ts'];
const restApis = ['test/infrastructure/rest-apis.test.ts'];
const bus = ['test/infrastructure/partner-bus.test.ts'];
const posts = ['test/integration/outbound/pinned-post.test.ts'];

/** Rules of what the stacks declare, and of what stands around the functions: logs, sockets, the sweep of a stage. */
export const patches: readonly Patch[] = [
  {
    id: 'alarm-api-faults',
    rule: 'S-70 faults and slowness of an API ring',
    file: 'lib/constructs/api-alarms.ts',
    find: 'metric: api.metricServerError(share)',
    put: 'metric: api.metricClientError(share)',
    tests: alarms,
  },
  {
    id: 'alarm-throttles',
    rule: 'S-70 throttles of functions ring',
    file: 'lib/constructs/watch/function-alarms.ts',
    find: "metricName: 'Throttles'",
    put: "metricName: 'Errors'",
    tests: alarms,
  },
  {
    id: 'alarm-refused-tokens',
    rule: 'S-70 refused tokens ring',
    file: 'lib/constructs/token-api.ts',
    find: '    alarmOnRefusals(this, this.api, this.config);\n',
    put: '',
    tests: alarms,
  },
  {
    id: 'api-throttle',
    rule: 'S-40 each method of each path has a throttle',
    file: 'lib/constructs/rest-api.ts',
    find: '        throttlingRateLimit: config.throttle.rate,\n',
    put: '',
    tests: restApis,
  },
  {
    id: 'log-retention',
    rule: 'S-58 logs expire',
    file: 'lib/constructs/rest-api.ts',
    find: '      retention: config.logRetention,\n',
    put: '',
    tests: restApis,
  },
  {
    id: 'routes-no-others',
    rule: 'S-73 the APIs have the listed routes and no others',
    file: 'lib/constructs/transactions-api.ts',
    find: "['PATCH', 'PUT']",
    put: "['PATCH', 'PUT', 'DELETE']",
    tests: restApis,
  },
  {
    id: 'key-caller-account',
    rule: 'S-55 the key serves the principals of our account alone',
    file: 'lib/constructs/data-key.ts',
    find: "          'kms:CallerAccount': account,\n",
    put: '',
    tests: bus,
  },
  {
    id: 'times-in-template',
    rule: 'EV-1 the function that tells ends within its lease',
    file: 'lib/event-times.ts',
    find: 'publishTimeoutSeconds = 15',
    put: 'publishTimeoutSeconds = 14',
    tests: ['test/infrastructure/event-times.test.ts'],
  },
  {
    id: 'payment-operation-name',
    rule: 'V2-5 a payment names the operation that made it',
    file: 'functions/v2-write/create-payment.ts',
    find: "'v2/payment/create'",
    put: "'v2/payment/made'",
    tests: ['test/unit/functions/v2-write/payment.test.ts'],
  },
  {
    id: 'head-creates-nothing',
    rule: 'S-41 HEAD makes no transaction',
    file: 'functions/v1-transaction/creation.ts',
    find: "event.httpMethod !== 'HEAD' && ",
    put: '',
    tests: ['test/unit/functions/v1-transaction/writes.test.ts'],
  },
  {
    id: 'prefetch-creates-nothing',
    rule: 'S-41 a prefetch makes no transaction',
    file: 'functions/v1-transaction/creation.ts',
    find: ' && !isPrefetch(event)',
    put: '',
    tests: ['test/unit/functions/v1-transaction/writes.test.ts'],
  },
  {
    id: 'hidden-costs-nothing-more',
    rule: 'S-36 a hidden record takes the same requests as one that does not exist',
    file: 'functions/shared/store/transactions/reader.ts',
    find: '  const matching = found && isVisible(request, found) ? [found] : [];',
    put: '  const matching = found && isVisible(request, found) ? [found] : [];\n  if (found) await getTransaction(access, uuid);',
    tests: ['test/integration/listing/listing.lookups.test.ts'],
  },
  {
    id: 'post-deadline',
    rule: 'S-51 a post has five seconds where nothing else was said',
    file: 'functions/shared/outbound/probe/pinned-post.ts',
    find: 'usualTimeoutMs = 5_000',
    put: 'usualTimeoutMs = 4_900',
    tests: posts,
  },
  {
    id: 'stream-records-index',
    rule: 'RUN-1 the number of a stream record comes from an index',
    file: 'localstack/dynamodb/stream-records.ts',
    find: 'NOT EXISTS stream_order ',
    put: 'NOT EXISTS other_order ',
    tests: ['test/integration/localstack/stream-records.test.ts'],
  },
];
