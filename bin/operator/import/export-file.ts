import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../user-error.ts';

/**
 * Writes lines to a file that only its owner may read, because it holds customers' data. The file appears when it is
 * complete. Throws a UserError where it exists, unless `mayReplace`.
 */
export const exportTo = async (
  file: string,
  lines: AsyncIterable<string>,
  { mayReplace }: { mayReplace: boolean },
): Promise<void> => {
  if (existsSync(file) && !mayReplace) {
    throw new UserError(`${file} exists already: name another file, or add --yes to replace it.`);
  }
  const partial = `${file}.partial`;
  const out = await openNew(partial);
  try {
    await pipeline(lines, out.createWriteStream());
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

/** Never opens an existing file: other users may read it, or another export may be writing it. */
const openNew = async (file: string) => {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UserError(
      `${file} exists: another export is running or was interrupted. When none is running, remove the file and export again.`,
    );
  }
};
