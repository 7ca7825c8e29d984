import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from '../../bin/openapi/collection/collection.ts';
import type { Report } from '../deploy/report.ts';
import { runProofs } from '../deploy/run-proofs.ts';
import { inPlace, installPackages, runTool } from '../generators/packages.ts';
import { aPartnerProgram } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { differences, type Import, ofPostman } from './imported.ts';

/**
 * `npm run nightly -- collection`: runs the collection that a stage serves from top to bottom in Newman, and imports it into
 * Bruno and Insomnia by their own importers (OA-20).
 */
const partnerOf = ({ stack }: TestStage) => {
  const [partner] = stack.partners;
  if (!partner) throw new Error('The stage has no demo partner.');
  return partner;
};

/** A completion, so that there is an event to replay. */
const haveAnEvent = async (stage: TestStage) => {
  const { get, write, uuids } = await aPartnerProgram(stage, partnerOf(stage));
  const [transaction] = await uuids('filter[status]=0&per-page=1&fields=uuid');
  await write('POST', '/api/v2/payment', { transaction, type: 1, value: '1.00', status: 1 });
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await get('/api/v2/event')).list().data.length > 0) return;
    await pause(200);
  }
  throw new Error('No event of the payment came within 20 s.');
};

type Shop = { origins: string[]; identityProvider?: { issuer: string } };

/** What the demo shop's identity provider says of a buyer. */
const idTokenFrom = async (issuer: string) => {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'ada' }),
  });
  return ((await answer.json()) as { id_token: string }).id_token;
};

/** The collection as a person fills it in. */
const filledIn = async (stage: TestStage): Promise<Collection> => {
  const { clientId, clientSecret } = partnerOf(stage);
  const shop = (stage.stack.storefronts as Shop[]).find(({ identityProvider }) => identityProvider);
  const idToken = await idTokenFrom(shop?.identityProvider?.issuer ?? '');
  const values: Record<string, string> = {
    ...{ clientId, clientSecret, idToken, irreversible: 'yes' },
    shopOrigin: shop?.origins[0] ?? '',
  };
  const served = (await (await fetch(`${stage.baseUrl}/docs/collection.json`)).json()) as Collection;
  return {
    ...served,
    variable: served.variable.map(({ key, value }) => ({ key, value: values[key] ?? value })),
  };
};

type Execution = {
  item: { name: string };
  response?: { code: number };
  assertions?: { error?: { message: string } }[];
  testScript?: { error?: { message: string } }[];
};

/** It ends with 1 where a test failed: then what it wrote says which. */
const runNewman = async (collection: Collection): Promise<Execution[]> => {
  writeFileSync(inPlace('collection.json'), JSON.stringify(collection), { mode: 0o600 });
  const written = inPlace('newman.json');
  const args = ['run', inPlace('collection.json'), '--reporters', 'json', '--reporter-json-export', written];
  await runTool('newman', args, { NODE_NO_WARNINGS: '1' }).catch(() => undefined);
  return JSON.parse(readFileSync(written, 'utf8')).run.executions;
};

const proveExecution = ({ response, assertions = [], testScript = [] }: Execution) => {
  const faults = [...assertions, ...testScript].flatMap(({ error }) => (error ? [error.message] : []));
  if (!response) faults.push('It was not sent.');
  if (assertions.length === 0) faults.push('Nothing was tested.');
  if (faults.length > 0) throw new Error(faults.join('\n'));
};

const imports = async (): Promise<Record<'Bruno' | 'Insomnia', Import>> => {
  copyFileSync(`${import.meta.dirname}/importers.mjs`, inPlace('importers.mjs'));
  return JSON.parse(await runTool('node', [inPlace('importers.mjs'), inPlace('collection.json')]));
};

const proveCollection = async (report: Report, stage: TestStage) => {
  await report.need('an event was sent', () => haveAnEvent(stage));
  const collection = await report.need('the collection is served', () => filledIn(stage));
  const wanted = ofPostman(collection);
  const executions = await report.need('Newman runs it', () => runNewman(collection));
  for (const [index, { name }] of wanted.requests.entries())
    await report.prove(`OA-20 Newman: ${name}`, async () => {
      const execution = executions[index];
      if (execution?.item.name !== name) throw new Error(`In its place was ${execution?.item.name}`);
      proveExecution(execution);
    });
  for (const [tool, imported] of Object.entries(await report.need('Bruno and Insomnia import it', imports)))
    await report.prove(`OA-20 ${tool} has all ${wanted.requests.length} requests, whole`, async () => {
      const wrong = differences(imported, wanted);
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    });
};

await runProofs(async (report) => {
  await report.need('the packages are installed', installPackages);
  const stage = await report.need('a stage is up, with its demo data', () => startStage({ demo: true }));
  await proveCollection(report, stage).finally(stage.stop);
});
