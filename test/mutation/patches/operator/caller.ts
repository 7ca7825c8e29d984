import type { Patch } from '../../patch.ts';

const caller = ['test/unit/bin/operator/caller.test.ts'];
const records = ['test/unit/bin/operator/audit-record.test.ts'];
const deployed = ['test/integration/operator/deployed-stage.test.ts'];

/** Who the tool works for, and where. */
export const patches: readonly Patch[] = [
  {
    id: 'caller-any-account',
    rule: 'RUN-8 credentials of another account are refused',
    file: 'bin/operator/caller.ts',
    find: 'if (!place || caller.account === undefined || caller.account === place.account) return caller;',
    put: 'if (place !== null) return caller;',
    tests: caller,
  },
  {
    id: 'caller-unknown-in-aws',
    rule: 'S-28 AWS gets no command of an unknown caller',
    file: 'bin/operator/caller.ts',
    find: 'if (!isEmulated) throw fault;',
    put: '',
    tests: caller,
  },
  {
    id: 'caller-unrecorded',
    rule: 'S-28 a record has the ARN of the credentials',
    file: 'bin/operator/context.ts',
    find: 'caller: caller.arn,',
    put: '',
    tests: records,
  },
  {
    id: 'caller-region-of-shell',
    rule: 'RUN-8 the region stands in the outputs',
    file: 'bin/operator/connect.ts',
    find: '...(place && { region: place.region })',
    put: '',
    tests: deployed,
  },
  {
    id: 'stages-mixed',
    rule: 'RUN-8 outputs of two stages are refused',
    file: 'bin/operator/stage.ts',
    find: 'if (ours.has(name) && (named.get(name) ?? value) !== value)',
    put: 'if (named === undefined)',
    tests: ['test/unit/bin/operator/stage.test.ts'],
  },
  {
    id: 'loopback-in-aws',
    rule: 'S-47 what AWS sends stays in the public internet',
    file: 'bin/operator/connect.ts',
    find: 'const emulated = isLocal || isEmulated(stage, environment);',
    put: 'const emulated = isLocal || isEmulated(stage, { AWS_ENDPOINT_URL: "http://localhost" });',
    tests: deployed,
  },
  {
    id: 'loopback-by-another-service',
    rule: 'S-47 the bus is what must be on this machine',
    file: 'bin/operator/emulator.ts',
    find: 'environment.AWS_ENDPOINT_URL_EVENTBRIDGE ?? environment.AWS_ENDPOINT_URL',
    put: 'environment.AWS_ENDPOINT_URL ?? environment.AWS_ENDPOINT_URL_EVENTBRIDGE',
    tests: caller,
  },
  {
    id: 'loopback-of-a-tunnel',
    rule: 'S-47 RUN-8 an account of AWS is never an emulator',
    file: 'bin/operator/emulator.ts',
    find: 'place?.account === emulatedAccount && ',
    put: '',
    tests: [...caller, ...deployed],
  },
];
