import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { pageOf } from '../support/stage/stage-page.ts';
import { filledIn, isAsPrinted, type Step, stepsOf } from './guide.ts';
import { attackReceivers } from './receivers.ts';
import { openShell, type Shell } from './shell.ts';

/**
 * `npm run nightly -- guide`: does what the guides say, to the letter, as they are served by the stage that they are about
 * (DOC-8). Values are those of the partner that the first guide makes, by the names that the guide has for them.
 */
const values: Record<string, string> = { SOURCE: 'svc.local.online-payments' };

/** A partner is shown its credentials once. */
const remember = (said: string): void => {
  const made = /\{.*"clientSecret".*\}/s.exec(said);
  if (!made) return;
  const { clientId, clientSecret, webhookSignature } = JSON.parse(made[0]) as Record<string, string>;
  Object.assign(values, { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, SIGNATURE: webhookSignature });
};

/** Why a step fails. Undefined if it passes. */
const wrongIn = async (step: Step, shell: Shell): Promise<string | undefined> => {
  const command = filledIn(step.command, values);
  const { said, status } = await shell.run(
    step.isOperators ? `(cd '${root}' && ${command.trimEnd()})` : command,
  );
  remember(said);
  if (status !== 0) return `It ended with ${status}: ${said}`;
  if (step.answer === undefined || isAsPrinted(said, step.answer)) return undefined;
  return `The guide prints\n${step.answer}\nand the answer was\n${said}`;
};

/** The faults of one guide: after the first, what follows would fail for the same reason, or wait for ever. */
const followOne = async (address: string): Promise<string[]> => {
  const guide = await (await fetch(address)).text();
  for (const step of stepsOf(guide)) {
    const wrong = await wrongIn(step, shell);
    console.log(`${wrong ? 'failed' : 'passed'}: ${step.command.split('\n')[0]}`);
    if (wrong) return [wrong];
  }
  return [];
};

/** An hour later a guide has all quotas to itself, and needs a token of its own. */
const beginNext = async (stage: TestStage, shell: Shell): Promise<void> => {
  await pageOf(stage)({ do: 'clock', seconds: 3_600 });
  await shell.run(
    'TOKEN=$(curl -s -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials "$AUTH_URL/oauth2/token" | cut -d \'"\' -f 4)',
  );
};

/** Every guide, in the order of the list for tools. The first one gets the token that the others use. */
const follow = async (stage: TestStage): Promise<string[]> => {
  const overview = await (await fetch(`${stage.baseUrl}/llms.txt`)).text();
  await shell.run(`export TRANSACTIONS_STACK='${join(stage.dataDir, 'stack.json')}'`);
  const faults: string[] = [];
  for (const [, address = ''] of overview.matchAll(/\]\((\S+\.md)\)/g)) {
    console.log(address);
    faults.push(...(await followOne(address)));
    await beginNext(stage, shell);
  }
  faults.push(...(await attackReceivers(`${stage.baseUrl}/docs/webhooks.md`)));
  for (const fault of faults) console.error(`\n${fault}`);
  console.log(faults.length === 0 ? 'Every guide is true.' : `${faults.length} failed`);
  return faults;
};

const folder = mkdtempSync(join(tmpdir(), 'guide-'));
const shell = openShell(folder);
const stage = await startStage({ demo: true });
try {
  const faults = await follow(stage);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await shell.close();
  await stage.stop();
  rmSync(folder, { recursive: true });
}
