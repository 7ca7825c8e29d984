import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { OperatorRefusal } from './operator-refusal.ts';

/**
 * Writes lines to a file that only its owner may read: it holds customers' data. The file appears when it is whole, and
 * one that exists is kept unless it may be replaced. Answers the number of lines.
 */
export const exportTo = async (
  file: string,
  lines: AsyncIterable<string>,
  { mayReplace }: { mayReplace: boolean },
): Promise<number> => {
  if (existsSync(file) && !mayReplace) {
    throw new OperatorRefusal(`${file} exists already: name another file, or add --yes to replace it.`);
  }
  const partial = `${file}.partial`;
  const out = createWriteStream(partial, { mode: 0o600 });
  await once(out, 'open');
  let count = 0;
  for await (const line of lines) {
    count += 1;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  await rename(partial, file);
  return count;
};
