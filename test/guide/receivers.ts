import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { answerRawRequests } from '../support/receivers/raw-requests.ts';
import { root } from '../support/repository.ts';
import { freePortPair } from '../support/stage/free-port-pair.ts';
import { blockOf } from './guide.ts';

/** How the guide of webhooks starts each receiver that it prints, as far as the language is on this machine. */
type Language = {
  file: string;
  start: (port: string) => string[];
  /** Or its web server does. */
  readsFraming: boolean;
};
const languages: Record<string, Language> = {
  php: {
    file: 'receiver.php',
    start: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    readsFraming: false,
  },
  python: { file: 'receiver.py', start: () => ['python3', 'receiver.py'], readsFraming: true },
};

const [SIGNATURE, SOURCE] = ['nightly-signature-of-a-receiver', 'svc.local.online-payments'];

/** Attacks the receivers of the guide with the kit's command; a fault for each one that breaks a rule. */
export const attackReceivers = async (address: string): Promise<string[]> => {
  const guide = await (await fetch(address)).text();
  const faults: string[] = [];
  for (const [language, how] of Object.entries(languages)) {
    const { file, start } = how;
    if (spawnSync(start('0')[0] ?? '', ['--version']).status !== 0) {
      console.log(`skipped: ${file}, since this machine has no ${language}`);
      continue;
    }
    const said = await attackOne(blockOf(guide, language), how);
    console.log(`${said ? 'failed' : 'passed'}: the receiver ${file}`);
    if (said) faults.push(`${file} breaks rules:\n${said}`);
  }
  return faults;
};

/** What the attack says of a receiver that breaks a rule, and its wrong answers; nothing of one that keeps all. */
const attackOne = async (program: string, { file, start, readsFraming }: Language): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  writeFileSync(join(folder, file), program);
  const port = String(await freePortPair());
  const url = `http://127.0.0.1:${port}/`;
  const [command = '', ...args] = start(port);
  const env = { ...process.env, SIGNATURE, SOURCE, PORT: port };
  const receiver = spawn(command, args, { cwd: folder, env, stdio: 'ignore' });
  const ended = once(receiver, 'close');
  try {
    for (let tries = 0; tries < 100 && !(await fetch(url).catch(() => undefined)); tries += 1)
      await setTimeout(100);
    const kit = join(root, 'partner-kit/bin/transactions-partner.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', kit, 'attack', url], {
      env: { ...process.env, TRANSACTIONS_WEBHOOK_SIGNATURE: SIGNATURE, TRANSACTIONS_WEBHOOK_SOURCE: SOURCE },
      encoding: 'utf8',
    });
    const values = { signature: SIGNATURE, source: SOURCE };
    const answers = await answerRawRequests(Number(port), values, { readsFraming });
    const wrong = answers.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]));
    return [...(status === 0 ? [] : [stdout + stderr]), ...wrong].join('\n');
  } finally {
    receiver.kill();
    await ended;
    rmSync(folder, { recursive: true });
  }
};
