import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from '../support/repository.ts';
import { freePortPair } from '../support/stage/free-port-pair.ts';
import { blockOf } from './guide.ts';

/** How the guide of webhooks starts each receiver that it prints, as far as the language is on this machine. */
const languages: Record<string, { file: string; start: (port: string) => string[] }> = {
  php: { file: 'receiver.php', start: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'] },
  python: { file: 'receiver.py', start: () => ['python3', 'receiver.py'] },
};

const [SIGNATURE, SOURCE] = ['nightly-signature-of-a-receiver', 'svc.local.online-payments'];

/** Attacks the receivers of the guide with the kit's command; a fault for each one that breaks a rule. */
export const attackReceivers = async (address: string): Promise<string[]> => {
  const guide = await (await fetch(address)).text();
  const faults: string[] = [];
  for (const [language, { file, start }] of Object.entries(languages)) {
    if (spawnSync(start('0')[0] ?? '', ['--version']).status !== 0) {
      console.log(`skipped: ${file}, since this machine has no ${language}`);
      continue;
    }
    const said = await attackOne(blockOf(guide, language), file, start);
    console.log(`${said ? 'failed' : 'passed'}: the receiver ${file}`);
    if (said) faults.push(`${file} breaks rules:\n${said}`);
  }
  return faults;
};

/** What the attack says of a receiver that breaks a rule; nothing of one that keeps all. */
const attackOne = async (
  program: string,
  file: string,
  start: (port: string) => string[],
): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  writeFileSync(join(folder, file), program);
  const port = String(await freePortPair());
  const [command = '', ...args] = start(port);
  const receiver = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, SIGNATURE, SOURCE, PORT: port },
    stdio: 'ignore',
  });
  try {
    return await attack(`http://127.0.0.1:${port}/`);
  } finally {
    await end(receiver);
    rmSync(folder, { recursive: true });
  }
};

const attack = async (url: string): Promise<string> => {
  for (let tries = 0; tries < 100 && !(await answers(url)); tries += 1) await setTimeout(100);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', join(root, 'partner-kit/bin/transactions-partner.ts'), 'attack', url],
    {
      env: { ...process.env, TRANSACTIONS_WEBHOOK_SIGNATURE: SIGNATURE, TRANSACTIONS_WEBHOOK_SOURCE: SOURCE },
      encoding: 'utf8',
    },
  );
  return status === 0 ? '' : stdout + stderr;
};

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

const end = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'close');
  child.kill();
  await ended;
};
