import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What the tests of a run have met: `getPartner 200`, and `file auth.test.ts` for each file of the suite. */
export type Seen = ReadonlySet<string>;

const noted = new Set<string>();

/** Records which answer of which operation a test has met, for the end of the run. */
export const noteSeen = (operation: string, status: number): void => note(`${operation} ${status}`);

/** Notes that a file takes part. */
export const noteFile = (path: string): void => note(`file ${basename(path)}`);

const note = (line: string) => {
  const folder = process.env.TEST_SEEN_FOLDER;
  if (folder === undefined || noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(folder, String(process.pid)), `${line}\n`);
};

/** All that the processes of a run have noted. */
export const seenIn = (folder: string): Seen =>
  new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n')));
