import { readdirSync, rmSync } from 'node:fs';

/** A run of a part of a file skips hooks that would tidy up; a whole one leaves no temporary file behind. */
export default async ({ testNamePattern }) => {
  const { folder, offers, formerTemporary } = globalThis.testRun;
  for (const offer of offers) await offer.withdraw();
  if (formerTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = formerTemporary;
  const left = readdirSync(folder);
  rmSync(folder, { recursive: true, force: true });
  if (left.length > 0 && !testNamePattern)
    throw new Error(`Tests left this behind in the temporary folder: ${left.join(', ')}`);
};
