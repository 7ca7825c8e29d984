import type { Patch } from '../../patch.ts';

const restApis = ['test/infrastructure/rest-apis.test.ts'];
const firewall = ['test/infrastructure/firewall.test.ts'];
const answers = 'lib/gateway-answers.ts';

/** What the gateway answers by itself, and the firewall before it. */
export const patches: readonly Patch[] = [
  {
    id: 'gateway-keeps-status',
    rule: 'ERR-5 a response for all of 4xx keeps the status of what it stands for',
    file: 'lib/constructs/gateway-responses.ts',
    find: "...(typeof status === 'number' && { statusCode: String(status) }),",
    put: "statusCode: typeof status === 'number' ? String(status) : '400',",
    tests: restApis,
  },
  {
    id: 'gateway-throttled-function',
    rule: 'S-75 a function that is throttled is 503',
    file: answers,
    find: '  INTEGRATION_FAILURE: unavailable,\n',
    put: '',
    tests: restApis,
  },
  {
    id: 'gateway-throttled-5xx',
    rule: 'S-75 a throttled function says when to try again, whichever of 5xx it comes as',
    file: answers,
    find: "status === 429 || String(status).startsWith('5')",
    put: 'status === 429 || status === 503 || status === 504',
    tests: restApis,
  },
  {
    id: 'gateway-cors',
    rule: 'S-44 scripts of checkouts can read the gateway’s answers',
    file: 'lib/constructs/transactions-api.ts',
    find: '  headers: readableByScripts,\n',
    put: '',
    tests: restApis,
  },
  {
    id: 'firewall-no-samples',
    rule: 'S-78 the firewall keeps no sample of a request',
    file: 'lib/constructs/firewall.ts',
    find: 'sampledRequestsEnabled: false',
    put: 'sampledRequestsEnabled: true',
    tests: firewall,
  },
  {
    id: 'firewall-v1-apart',
    rule: 'S-40 V1 has a rate of its own for an address',
    file: 'lib/constructs/firewall.ts',
    find: "{ notStatement: { statement: pathWith('/v2/', asItIs) } }",
    put: "pathWith('/v2/')",
    tests: firewall,
  },
  {
    id: 'firewall-encoded-path',
    rule: 'S-40 a path with an encoded letter counts as well',
    file: 'lib/constructs/firewall.ts',
    find: "[{ priority: 0, type: 'URL_DECODE' }]",
    put: 'asItIs',
    tests: firewall,
  },
  {
    id: 'firewall-encoded-slash',
    rule: 'S-40 an encoded slash takes no path of V1 out of its count',
    file: 'lib/constructs/firewall.ts',
    find: "pathWith('/v2/', asItIs)",
    put: "pathWith('/v2/')",
    tests: firewall,
  },
  {
    id: 'firewall-both-apis',
    rule: 'S-78 the firewall stands before both APIs',
    file: 'lib/service-stack.ts',
    find: "      firewall.standBefore('Token', tokenApi.api);\n",
    put: '',
    tests: ['test/infrastructure/firewall.test.ts', 'test/infrastructure/checks.test.ts'],
  },
];
