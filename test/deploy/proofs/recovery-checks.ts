import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, json } from '../../journeys/answers.ts';
import { programOf } from '../../journeys/clients.ts';
import { grantedUuids } from '../../journeys/imported-transactions.ts';
import type { World } from '../../journeys/world.ts';
import { root } from '../../support/repository.ts';
import type { Emulator } from '../account.ts';
import { deploy, type Outputs, synthesiseRestored } from '../cdk.ts';
import { outputNamed } from '../deployed.ts';
import type { Report } from '../report.ts';
import { copyTable } from '../restored-table.ts';
import { eventPlaceOf } from './event-place.ts';

type Proofs = { emulator: Emulator; outputs: Outputs; world: World };

/**
 * The steps of docs/recovery.md on deployed stacks, with the commands of the page: the Transactions table goes back. Returns the
 * release that is deployed then.
 */
export const proveRecovery = async (
  report: Report,
  { emulator, outputs, world }: Proofs,
): Promise<string> => {
  const uuid = grantedUuids[6] ?? '';
  const path = `/api/v2/transaction/${uuid}`;
  const { ask, write, total } = programOf(world);
  const name = async () => at(json(await ask(`${path}?expand=vehicle`)), 'vehicle', 'name');
  const rename = (to: string) => write('PATCH', path, { vehicle: { name: to } });
  const run = async (step: number) => {
    const said: unknown[] = [];
    for (const words of commandsOfStep(step)) said.push(await world.operator(...words));
    return said;
  };
  const before = await total();

  const { restored, release } = await report.need('S-56 step 1 stops webhooks and what writes', async () => {
    assert.equal((await rename('kept')).status, 200);
    const table = outputNamed(outputs, 'TransactionsTable');
    const copied = await copyTable(emulator, table, 'transactions-staging-restored-1');
    assert.equal((await rename('lost')).status, 200);
    await run(1);

    assert.ok((await rename('refused')).status >= 500);
    assert.equal(await name(), 'lost');
    return { restored: copied, release: await synthesiseRestored(emulator, copied) };
  });
  const restoredOutputs = await report.need('step 3 deploys the stage with the restored table', async () => {
    const isRestored = (found: Outputs) => outputNamed(found, 'TransactionsTable') === restored.table;
    const first = await deploy(emulator, release);
    // A busy LocalStack may report the outputs of before the update; deploying again only reads them.
    return isRestored(first) ? first : deploy(emulator, release);
  });
  await report.prove('DR-3 step 4 stops again, and adopts the table', async () => {
    await world.operator('stage', 'stop', 'writes', '--yes');
    const adopted = await world.operator('restore', 'adopt', 'transactions', '--yes');

    assert.equal(at(adopted, 'dryRun'), false);
    assert.equal(outputNamed(restoredOutputs, 'TransactionsTable'), restored.table);
  });
  await report.prove('step 5 starts everything', async () => {
    await world.operator('stage', 'start', 'all');
    await world.operator('webhooks', 'start');
    assert.deepEqual(await world.operator('stage', 'status'), { stopped: [] });
  });
  await report.prove(
    'DR-3 step 6: what went back went back, totals are exact, and changes are captured',
    async () => {
      assert.deepEqual([await name(), await total()], ['kept', before]);
      assert.deepEqual(at(await world.operator('listing', 'audit'), 'entryDrift'), []);
      assert.equal((await rename('after')).status, 200);
      await eventPlaceOf(emulator, restoredOutputs).whenScheduled(uuid);
      assert.equal(await name(), 'after');
    },
  );
  return release;
};

/** The commands of the operator's tool in the first block of a step, as words without its global options. */
const commandsOfStep = (step: number): string[][] => {
  const page = readFileSync(join(root, 'docs/recovery.md'), 'utf8');
  const [, text = ''] = new RegExp(`\\n${step}\\. ([\\s\\S]*?)(?=\\n\\d\\. )`).exec(page) ?? [];
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
  const commands = [...block.matchAll(/npm run operator -- --outputs outputs\.json (.*)/g)];
  assert.ok(commands.length > 0, `Step ${step} of docs/recovery.md has no commands`);
  return commands.map(([, words = '']) => words.trim().split(' '));
};
