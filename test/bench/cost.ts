import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { capacityPage } from './capacity/page.ts';
import { measuredFile, pageFacts } from './cost/facts.ts';
import { measureAll } from './cost/measure.ts';
import { costPage } from './cost/page.ts';

export const run = async ({ measure, write }: { measure?: true; write?: true }) => {
  if (measure) {
    console.error('Measuring on the real engine…');
    const measured = await measureAll(new Date().toISOString().slice(0, 10));
    writeFileSync(measuredFile, `${JSON.stringify(measured, null, 2)}\n`);
  }
  const facts = pageFacts();
  const pages = {
    'docs/cost.md': costPage(facts),
    'docs/capacity.md': capacityPage(facts.production.measured),
  };
  for (const [file, page] of Object.entries(pages)) {
    if (write) writeFileSync(join(root, file), page);
    else console.log(page);
  }
};
