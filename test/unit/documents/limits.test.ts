import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  largestPaymentsBytes,
  largestTransactionBytes,
  triedPaymentsBytes,
} from '../../../functions/shared/domain/transaction/size.ts';
import { root } from '../../support/repository.ts';

const bytes = (count: number) => count.toLocaleString('en-GB');
const [beside, taken, tried] = [largestTransactionBytes, largestPaymentsBytes, triedPaymentsBytes].map(bytes);

/** The sentences that name a limit of a body or a transaction, with line breaks and columns as one space. */
test.each([
  ['docs/guide/limits.md', `| body of a change or payment | ${beside} bytes, 32 levels |`],
  ['docs/guide/limits.md', `| transaction beside its payments | ${beside} bytes |`],
  ['docs/guide/limits.md', `| payments of a transaction | ${taken} bytes |`],
  ['docs/guide/limits.md', `| payments, to add one of status 0 | ${tried} bytes |`],
  ['docs/writes.md', `| a transaction without its payments | ${beside} |`],
  ['docs/writes.md', `| payments, to add one of \`status\` 0 | ${tried} |`],
  ['docs/writes.md', `| payments, to add one of \`status\` 1 | ${taken} |`],
])('WR-4 %s says: %s', (file, sentence) => {
  expect(readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ')).toContain(sentence);
});

test('WR-4 the document has each limit in the words of the response', () => {
  const document = readFileSync(join(root, 'docs/openapi.json'), 'utf8');

  for (const detail of [
    'A body may have at most 100,000 bytes.',
    'A transaction may have at most 100,000 bytes of JSON beside its payments.',
    'The payments of a transaction may have at most 300,000 bytes of JSON.',
    "A payment with status 0 may not bring a transaction's payments over 100,000 bytes of JSON.",
  ])
    expect(document).toContain(JSON.stringify(detail));
});
