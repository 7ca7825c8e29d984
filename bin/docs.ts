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
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { docsFolder } from '../lib/built-docs.ts';
import { buildDocs } from './docs/build.ts';

/** `npm run docs`: builds the site for partners, unless it is up to date. Takes the target folder as an argument. */
const main = async (folder: string) => {
  process.env.ASTRO_TELEMETRY_DISABLED = '1';
  const started = performance.now();
  mkdirSync(dirname(folder), { recursive: true });
  const lock = `${folder}.lock`;
  while (!existsSync(folder)) {
    if (isTaken(lock)) await build(folder).finally(() => rmSync(lock));
    else if (isHeld(lock)) await sleep(200);
    else rmSync(lock, { force: true });
  }
  console.log(`${folder}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
};

const root = join(import.meta.dirname, '..');

/** One process builds. Others wait for it as long as it lives. */
const isTaken = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
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

/** The folder appears complete or not at all. */
const build = async (folder: string) => {
  if (existsSync(folder)) return;
  console.log('Building the documents …');
  const work = mkdtempSync(`${folder}-`);
  await buildDocs(root, join(work, 'astro'), join(work, 'site'));
  renameSync(join(work, 'site'), folder);
  rmSync(work, { recursive: true });
  removeOld(dirname(folder), basename(folder));
};

const generationsKept = 5;

const removeOld = (cache: string, current: string) => {
  const newestFirst = readdirSync(cache)
    .filter((name) => !name.startsWith(current))
    .map((name) => ({ name, madeAt: statSync(join(cache, name)).mtimeMs }))
    .toSorted((one, other) => other.madeAt - one.madeAt);
  for (const { name } of newestFirst.slice(generationsKept)) rmSync(join(cache, name), { recursive: true });
};

await main(process.argv[2] ?? docsFolder());
