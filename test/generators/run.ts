import { writeFileSync } from 'node:fs';
import type { Report } from '../deploy/report.ts';
import { runProofs } from '../deploy/run-proofs.ts';
import { aPartnerProgram } from '../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import type { GeneratedClient } from './generator.ts';
import { openapiGeneratorClients } from './openapi-generator.ts';
import { inPlace, installPackages } from './packages.ts';
import { pythonClient } from './python.ts';
import { typescriptClients } from './typescript.ts';

/**
 * `npm run nightly -- generators`: generators of other hands make clients of the description that a stage serves; each client
 * compiles, lists, filters and pays (OA-9).
 */
const clients: readonly GeneratedClient[] = [...typescriptClients, pythonClient, ...openapiGeneratorClients];

const notRun: string[] = [];

/** A token, and an incomplete transaction for each client, since a payment completes one. */
const openAccount = async (stage: TestStage) => {
  const [partner] = stage.stack.partners;
  if (!partner) throw new Error('The stage has no demo partner.');
  const { token, uuids } = await aPartnerProgram(stage, partner);
  const transactions = await uuids('filter[status]=0&per-page=10&fields=uuid');
  return { token, transactions };
};

type Account = Awaited<ReturnType<typeof openAccount>>;

type Place = { stage: TestStage; account: Account };

const proveClient = async (report: Report, client: GeneratedClient, place: Place): Promise<void> => {
  const { name, absent, make, unable } = client;
  if (absent === undefined) await report.need(`OA-9 ${name}: the client is generated and compiles`, make);
  const reason = absent ?? (await unable?.());
  if (reason === undefined) await proveUse(report, client, place);
  else notRun.push(`${name}: ${reason}`);
};

const proveUse = async (report: Report, { name, run }: GeneratedClient, { stage, account }: Place) => {
  const TRANSACTION = account.transactions.pop() ?? '';
  const { listed, found, paid } = await report.need(`OA-9 ${name}: it runs`, async () =>
    outcomeIn(await run({ BASE_URL: stage.baseUrl, TOKEN: account.token, TRANSACTION })),
  );
  await report.prove(`OA-9 ${name}: it lists`, async () => expectSame(listed, 2));
  await report.prove(`OA-9 ${name}: it filters`, async () => expectSame(found, [TRANSACTION]));
  await report.prove(`OA-9 ${name}: it pays`, async () => expectSame(paid, '12.50'));
};

/** Maven prints more than the program does. */
const outcomeIn = (printed: string): Record<'listed' | 'found' | 'paid', unknown> =>
  JSON.parse(/\{.*\}/.exec(printed)?.[0] ?? '{}');

const expectSame = (seen: unknown, wanted: unknown) => {
  if (JSON.stringify(seen) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`);
};

/** One that fails keeps no other from its proofs. */
const proveAll = async (report: Report, stage: TestStage) => {
  const served = await fetch(`${stage.baseUrl}/openapi.json`);
  writeFileSync(inPlace('openapi.json'), await served.text());
  const account = await report.need('a partner has a token', () => openAccount(stage));
  for (const client of clients) await report.goOn(() => proveClient(report, client, { stage, account }));
};

await runProofs(async (report) => {
  await report.need('the packages are installed', installPackages);
  const stage = await report.need('a stage is up, with its demo data', () => startStage({ demo: true }));
  await proveAll(report, stage).finally(stage.stop);
  for (const line of notRun) console.log(`Not run: ${line}`);
});
