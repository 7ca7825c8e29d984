import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { filledIn, isAsPrinted, type Step, stepsOf } from './guide.ts';
import { openShell, type Shell } from './shell.ts';

/**
 * `npm run test:guide`: does what the guide of the first ten minutes says, to the letter, as it is served by the stage that it
 * is about, and tells how long a reader who types at once would need (DOC-8).
 */
const milestones: readonly (readonly [what: string, command: RegExp])[] = [
  ['first token', /oauth2\/token/],
  ['first page', /v2\/transaction\?per-page/],
  ['first verified webhook', /until grep/],
];

/** What the operator gave the reader, by the names that the guide has for it. */
const valuesOf = ({ stack }: TestStage): Record<string, string> => {
  const [partner] = stack.partners;
  if (!partner) throw new Error('The stage has no demo partner.');
  const { clientId, clientSecret, webhookSignature } = partner;
  return {
    ...{ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, SIGNATURE: webhookSignature },
    SOURCE: 'svc.local.online-payments',
  };
};

/** Why a step is not as the guide says; nothing where it is. */
const wrongIn = async (
  step: Step,
  shell: Shell,
  values: Record<string, string>,
): Promise<string | undefined> => {
  const command = filledIn(step.command, values);
  const { said, status } = await shell.run(
    step.isOperators ? `(cd '${root}' && ${command.trimEnd()})` : command,
  );
  if (status !== 0) return `It ended with ${status}: ${said}`;
  if (step.answer === undefined || isAsPrinted(said, step.answer)) return undefined;
  return `The guide prints\n${step.answer}\nand the answer was\n${said}`;
};

const follow = async (stage: TestStage, shell: Shell): Promise<string[]> => {
  const guide = await (await fetch(`${stage.baseUrl}/docs/start.md`)).text();
  const faults: string[] = [];
  const startedAt = performance.now();
  await shell.run(`export TRANSACTIONS_STACK='${join(stage.dataDir, 'stack.json')}'`);
  for (const step of stepsOf(guide)) {
    const wrong = await wrongIn(step, shell, valuesOf(stage));
    console.log(`${wrong ? 'failed' : 'passed'}: ${step.command.split('\n')[0]}`);
    if (wrong) faults.push(wrong);
    const [reached] = milestones.find(([, command]) => command.test(step.command)) ?? [];
    if (reached) console.log(`  ${reached} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    // What follows would fail for the same reason, or wait for ever.
    if (wrong) break;
  }
  for (const fault of faults) console.error(`\n${fault}`);
  console.log(`${stepsOf(guide).length - faults.length} passed, ${faults.length} failed`);
  return faults;
};

const folder = mkdtempSync(join(tmpdir(), 'guide-'));
const shell = openShell(folder);
const stage = await startStage({ demo: true });
try {
  const faults = await follow(stage, shell);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await shell.close();
  await stage.stop();
  rmSync(folder, { recursive: true });
}
