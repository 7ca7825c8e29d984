import { expect, test } from '@jest/globals';
import { findDynoxide } from '../../../localstack/embedded/engine.ts';

const other = 'set DYNAMODB_ENDPOINT to the address of an engine that runs';

test.each([
  ['sunos-sparc', `No DynamoDB engine was found: put a dynoxide on PATH, or ${other}.`],
  ['win32-x64', `The stage starts no DynamoDB engine on Windows: ${other}, or use WSL.`],
])('RUN-1 on %s, without an engine, a start names every way that there is', (platform, sentence) => {
  expect(() => findDynoxide({ PATH: '' }, platform)).toThrow(new Error(sentence));
});
