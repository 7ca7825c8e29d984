import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';
import { partners, storefronts } from './estate.ts';
import { diceOf } from './random.ts';
import { transactionsBetween } from './transactions.ts';

/**
 * Makes the demo data of the local stage: `node test/support/demo-data/generate.ts` writes `transactions.ndjson` (for the
 * operator's import) and `plan.json` (partners and storefronts). Everything comes from one seed, so that making it
 * again gives the same bytes; all people and number plates are invented.
 */
export const demoFiles = (): Record<'transactions.ndjson' | 'plan.json', string> => {
  const period = { from: new Date('2026-06-01T07:00:00Z'), to: new Date('2026-11-20T19:00:00Z'), count: 320 };
  const lines = transactionsBetween(period, diceOf(20_261_121)).map((line) => `${JSON.stringify(line)}\n`);
  return {
    'transactions.ndjson': lines.join(''),
    'plan.json': `${JSON.stringify({ partners, storefronts }, null, 2).replaceAll(aloneInList, '[$1]')}\n`,
  };
};

/** A list of one text stands on one line, as the formatter has it. */
const aloneInList = /\[\n\s+("[^"]*")\n\s+\]/g;

if (import.meta.main) {
  for (const [name, text] of Object.entries(demoFiles()))
    writeFileSync(join(root, 'localstack/demo', name), text);
}
