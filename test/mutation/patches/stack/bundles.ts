import type { Patch } from '../../patch.ts';

const requests = 'functions/shared/runtime/sdk/plain-requests.ts';
const endpoint = 'functions/shared/runtime/sdk/regional-endpoint.ts';
const config = 'functions/shared/runtime/sdk/environment-config.ts';
const tests = ['test/unit/functions/shared/runtime/sdk/bundled-requests.test.ts'];

/** What a bundle puts in the place of parts of the SDK, and what it reads ahead. */
export const patches: readonly Patch[] = [
  {
    id: 'bundle-host-signed',
    rule: 'S-72 a request names the host that it goes to',
    file: requests,
    find: 'headers.host ??= port === undefined ? hostname : ',
    put: 'headers.host ??= port !== undefined ? hostname : ',
    tests,
  },
  {
    id: 'bundle-trace',
    rule: 'S-72 a request belongs to the trace of its call',
    file: requests,
    find: "headers['X-Amzn-Trace-Id'] = _X_AMZN_TRACE_ID",
    put: "headers['X-Amzn-Trace'] = _X_AMZN_TRACE_ID",
    tests,
  },
  {
    id: 'bundle-own-region',
    rule: 'S-72 a request goes to the region of the function',
    file: endpoint,
    find: 'await region()',
    put: 'serviceId',
    tests,
  },
  {
    id: 'bundle-region-is-known',
    rule: 'S-72 a function without a region asks nobody',
    file: config,
    find: "throw new Error('No AWS_REGION in the environment');",
    put: "return 'us-east-1';",
    tests,
  },
  {
    id: 'bundle-starts-without-store',
    rule: 'STO-3 a store that is away keeps no function from starting',
    file: 'functions/shared/runtime/read-ahead.ts',
    find: 'read().catch(() => undefined)',
    put: 'read()',
    tests: ['test/unit/functions/shared/runtime/read-ahead.test.ts'],
  },
];
