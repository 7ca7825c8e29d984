import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../repository.ts';

/** A headless Chromium that other processes may use; `address` is where Playwright reaches it. */
export type RunningChromium = { address: string; stop: () => Promise<void> };

/**
 * The Chromium of the npm package, or the one at `CHROMIUM` where that has none to run (it is for Linux x64). It has no sandbox:
 * what runs as root in a container cannot have one, and it sees no pages but ours.
 */
export const startChromium = async (): Promise<RunningChromium> => {
  const own = process.env.CHROMIUM;
  const { env, ...program } = own ? { executablePath: own } : unpacked();
  // It may leave files there when it ends.
  const TMPDIR = mkdtempSync(join(tmpdir(), 'chromium-'));
  const server = await chromium.launchServer({
    ...{ ...program, env: { ...process.env, ...env, TMPDIR } },
    args: ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'],
    handleSIGINT: false,
  });
  const stop = async () => {
    await server.close();
    rmSync(TMPDIR, { recursive: true, maxRetries: 5 });
  };
  return { address: server.wsEndpoint(), stop };
};

/** Unpacked once for all runs: it takes three seconds and 200 MB. Its libraries and fonts come with it. */
const unpacked = (): { executablePath: string; env?: Record<string, string> } => {
  const packed = join(root, 'node_modules/@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const folder = join(root, '.local', `chromium-${version}`);
  if (!existsSync(folder)) unpackInto(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: fontsIn(folder),
    },
  };
};

/** The package's own list names folders of Lambda; without a font a text has no height, and Chromium ends on some pages. */
const fontsIn = (folder: string): string => {
  const file = join(folder, 'fonts.conf');
  const places = `<dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${places}</fontconfig>\n`);
  return file;
};

/** The package unpacks into the temporary folder of its process, so it gets a process with a folder of its own. */
const unpackInto = (folder: string) => {
  mkdirSync(join(root, '.local'), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  const program = "(await import('@sparticuz/chromium')).default.executablePath()";
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `await ${program}`],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    },
  );
  if (status !== 0) throw new Error(`Chromium could not be unpacked: ${stderr}`);
  // Of two runs that unpack at the same time, one comes second, and uses what the first has unpacked.
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
};
