import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  largestOfSessionBytes,
  largestPaymentsBytes,
  largestTransactionBytes,
  triedPaymentsBytes,
} from '../../../functions/shared/domain/transaction/size.ts';
import { root } from '../../support/repository.ts';

const bytes = (count: number) => count.toLocaleString('en-GB');
const [beside, ofSession, taken, tried] = [
  ...[largestTransactionBytes, largestOfSessionBytes, largestPaymentsBytes, triedPaymentsBytes],
].map(bytes);

/** The sentences that name a limit of a body or a transaction, with line breaks and columns as one space. */
test.each([
  ['docs/guide/limits.md', `| body of a change or payment | ${beside} bytes, 32 levels |`],
  ['docs/guide/limits.md', `| transaction beside its payments | ${beside} bytes |`],
  ['docs/guide/limits.md', `| the same, written by a checkout | ${ofSession} bytes, its \`POST\` too |`],
  ['docs/guide/limits.md', `| payments of a transaction | ${taken} bytes |`],
  ['docs/guide/limits.md', `| payments, to add one of status 0 | ${tried} bytes |`],
  ['docs/writes.md', `| a transaction without its payments | ${beside} |`],
  ['docs/writes.md', `| the same, written by a session | ${ofSession} |`],
  [
    'docs/writes.md',
    `The body of a session's \`POST\` has at most ${ofSession} bytes, any other body ${beside}.`,
  ],
  ['docs/writes.md', `| payments, to add one of \`status\` 0 | ${tried} |`],
  ['docs/writes.md', `| payments, to add one of \`status\` 1 | ${taken} |`],
])('WR-4 %s says: %s', (file, sentence) => {
  expect(readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ')).toContain(sentence);
});
