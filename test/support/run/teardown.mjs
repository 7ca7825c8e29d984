import { readdirSync, rmSync } from 'node:fs';
import { coverageOf } from '../openapi/coverage.ts';
import { seenIn } from '../openapi/seen.ts';

/** A run of a part of a file skips hooks that would tidy up; a whole one leaves no temporary file behind. */
export default async ({ testNamePattern }) => {
  const { folder, temporary, seen, offers, formerTemporary } = globalThis.testRun;
  for (const offer of offers) await offer.withdraw();
  if (formerTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = formerTemporary;
  const left = readdirSync(temporary);
  const coverage = testNamePattern ? undefined : coverageOf(seenIn(seen));
  rmSync(folder, { recursive: true, force: true });
  if (left.length > 0 && !testNamePattern)
    throw new Error(`Tests left this behind in the temporary folder: ${left.join(', ')}`);
  if (coverage) console.info(coverage.sentence);
  if (coverage?.neverCalled.length > 0)
    throw new Error(
      `No e2e test calls these operations of docs/openapi.json: ${coverage.neverCalled.join(', ')}`,
    );
};
