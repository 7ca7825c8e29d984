import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Writes the site into `site`; `work` is an empty folder for whatever else it makes. */
type Build = (work: string, site: string) => Promise<unknown>;

/**
 * Makes the site in `folder`, unless that exists. It appears complete or not at all. Of several processes that want the same
 * folder one builds, and the others wait for it as long as it lives. Only in `cache`, a folder that nothing else writes to,
 * former sites are removed.
 */
export const makeSite = async ({
  folder,
  cache,
  build,
  say,
}: {
  folder: string;
  cache: string;
  build: Build;
  say: (line: string) => void;
}): Promise<void> => {
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, `${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.lock`);
  while (!existsSync(folder)) {
    if (isTaken(lock)) {
      try {
        if (!existsSync(folder)) await buildInto(folder, { cache, build, say });
      } finally {
        rmSync(lock);
      }
      if (dirname(folder) === cache) removeOld(cache, folder);
    } else if (isHeld(lock)) await sleep(200);
    else rmSync(lock, { force: true });
  }
};

const isTaken = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
};

const isHeld = (lock: string): boolean => {
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    return false;
  }
};

/** Astro finds its packages only from within the checkout, where the cache is; the site is moved within its own disk. */
const buildInto = async (
  folder: string,
  { cache, build, say }: { cache: string; build: Build; say: (line: string) => void },
) => {
  say('Building the documents …');
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(join(cache, 'work-'));
  const draft = mkdtempSync(`${folder}-`);
  try {
    await build(join(work, 'astro'), join(draft, 'site'));
    renameSync(join(draft, 'site'), folder);
  } finally {
    for (const own of [work, draft]) rmSync(own, { recursive: true });
  }
};

const generationsKept = 5;

const removeOld = (cache: string, current: string) => {
  const newestFirst = readdirSync(cache)
    .map((name) => join(cache, name))
    .filter((path) => path !== current)
    .map((path) => ({ path, madeAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.madeAt - one.madeAt);
  for (const { path } of newestFirst.slice(generationsKept)) rmSync(path, { recursive: true, force: true });
};
