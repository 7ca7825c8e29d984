import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { commandGroups } from '../../bin/operator/command-groups.ts';
import { recordRights } from '../../bin/operator/context.ts';
import { anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { templatesOf } from '../support/engine/templates.ts';
import { recordOperator } from '../support/operator/recorded-operator.ts';
import { declaredIn } from '../support/rights/declared.ts';
import { isAllowedToRole } from '../support/rights/rights.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { openStageKeys } from '../support/stage/stage-keys.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/stage/webhook-receiver.ts';

jest.setTimeout(600_000);

let stage: ServiceStage;
let receiver: WebhookReceiver;
let tool: Awaited<ReturnType<typeof recordOperator>>;

const shop = 'https://recorded.example';
const email = 'ann@recorded.example';
const owner = '--group G-recorded --franchise F --location L-recorded --branch B';

beforeAll(async () => {
  stage = await openStage({ tickSeconds: 1 });
  receiver = await startWebhookReceiver();
  tool = await recordOperator(stage);
  await workOnStorefronts();
  await workOnEvents(await workOnPartners());
  await workOnTransactions();
  await workOnKeys();
  await workAfterRestore();
  // Its origin is looked for; events above were of this storefront.
  await run('storefront delete recorded');
});
afterAll(async () => {
  tool.stop();
  await stage.close();
  await receiver.stop();
});
endEngineAfterFile();

/** Runs command lines, one after the other. */
const run = async (...lines: string[]) => {
  for (const line of lines) await tool.operate(...line.split(' '));
};

const workOnStorefronts = () =>
  run(
    `storefront create --name recorded ${owner} --origin ${shop}`,
    'storefront create --name default --group D --franchise F --location L --branch B --default',
    'storefront list',
    'storefront show recorded',
    'storefront delete default',
  );

const workOnPartners = async (): Promise<Credentials> => {
  const create = 'partner create --grant group=G-recorded --name';
  const { url } = receiver;
  await run(`${create} plain`);
  const notified = await tool.operate(...`${create} notified --webhook-url ${url}/notified`.split(' '));
  await run(
    'partner list',
    'partner show notified',
    'partner grant plain --grant group=H',
    'partner set-oauth-scopes plain --oauth-scopes nop2/read',
    `partner set-webhook plain --url ${url}/plain`,
    `partner set-webhook plain --url ${url}/plain-2`,
    'partner revoke-grant plain --grant group=H',
    'partner check-webhook plain',
    'partner pause plain',
    'partner resume plain',
    'partner rotate-signature plain',
    'partner rotate-signature plain --cancel',
    'partner rotate-signature plain',
    'partner rotate-signature plain --finish',
    'partner rotate-secret plain',
    'partner revoke-tokens plain',
    'partner disable plain',
  );
  // What waited is withheld by then.
  await stage.passTime(60_000);
  await run('partner enable plain', 'partner remove-webhook plain', 'partner repair', 'partner delete plain');
  return notified;
};

/** A checkout of the customer, which a partner is notified of twice, with answers that are kept for repetitions. */
const buy = async (notified: Credentials) => {
  const buyer = aBrowserOn(stage, shop);
  const body = { customer: { email, firstName: 'Ann' }, vehicle: { make: 'Ford' } };
  const made = await buyer.send('/api/transaction', { method: 'POST', body });
  const uuid = String(made.body.uuid);
  await stage.passTime(121_000);
  const { write } = await aPartnerProgram(stage, notified);
  const change = { customer: { lastName: 'Lee' } };
  await write('PATCH', `/api/v2/transaction/${uuid}`, change, { 'Idempotency-Key': 'change' });
  await stage.passTime(121_000);
  return uuid;
};

const workOnEvents = async (notified: Credentials) => {
  const uuid = await buy(notified);
  await run(
    'events list',
    `events list --transaction ${uuid}`,
    'events list --state waiting',
    `events resend notified ${uuid}`,
    'events resend notified --since 1h',
    `explain notified ${uuid}`,
    'webhooks status',
    'webhooks stop',
    'webhooks start',
    `session revoke ${uuid}`,
  );
};

const workOnTransactions = async () => {
  const { dataDir } = stage;
  const file = join(dataDir, 'recorded.ndjson');
  const imported = { uuid: uuidOf(7001), status: 0, ndMeta: anOwner({ group: 'New', location: 'New' }) };
  const deleted = { ...imported, uuid: uuidOf(7002), isDeleted: 1 };
  writeFileSync(file, [imported, deleted].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { franchise } = imported.ndMeta;
  await run(
    `transactions import ${file}`,
    `transactions import ${file}`,
    // Takes over the storefront that the import has made for an owner without one.
    `storefront create --name taken-over --group New --franchise ${franchise} --location New --branch B --issuer https://id.example --audience shop`,
    `transactions export ${join(dataDir, 'lists.ndjson')}`,
    `transactions export ${join(dataDir, 'all.ndjson')} --with-deleted`,
    `transactions restore ${uuidOf(7002)}`,
    'listing audit',
  );
  await spoilListing();
  await run(
    'listing repair',
    `customer export ${join(dataDir, 'ann.json')} --email ${email}`,
    `customer erase --email ${email}`,
    `customer erase --uuid ${uuidOf(7001)} --issuer https://id.example --subject ada --same-user`,
    'customer reapply',
    'audit list --partner notified',
  );
};

const workOnKeys = async () => {
  const keys = openStageKeys(stage);
  for (const kind of ['access', 'session', 'pepper'] as const) {
    await keys.age(kind, 3_600_000);
    await run(`keys rotate ${kind}`);
  }
  const [key] = (await tool.operate('keys', 'list')) as { kid: string }[];
  await run(`keys remove ${key?.kid}`);
};

/** Tables as a restore may leave them: a transaction that partners know is gone, an answer of later is still kept, and a checkout is open. */
const workAfterRestore = async () => {
  await aBrowserOn(stage, shop).send('/api/transaction', { method: 'POST', body: {} });
  const { documents, nameOf } = openTables();
  const Item = { pk: 'IDEM#recorded', sk: '0', expiresAtMs: Date.now() + 10 * 86_400_000 };
  await documents.send(new PutCommand({ TableName: nameOf('REQUESTS'), Item }));
  const adopt = 'restore adopt transactions,listing,partners,debounce,requests';
  await run(`${adopt} --dry-run`, adopt);
};

/** Takes one entry away, puts another into a run that it is not of, and miscounts. */
const spoilListing = async () => {
  const { documents, nameOf } = openTables();
  const TableName = nameOf('LISTING');
  const { Items = [] } = await documents.send(new ScanCommand({ TableName }));
  const [entry, other] = Items.filter(({ pk }) => String(pk).startsWith('e#'));
  await documents.send(new DeleteCommand({ TableName, Key: { pk: entry?.pk, sk: entry?.sk } }));
  await documents.send(new PutCommand({ TableName, Item: { ...other, pk: 'e#nobody' } }));
  const [counter = {}] = Items.filter(({ pk }) => String(pk).startsWith('c#'));
  const [name = '', count] = Object.entries(counter).find(([, value]) => typeof value === 'number') ?? [];
  await documents.send(new PutCommand({ TableName, Item: { ...counter, [name]: Number(count) + 1 } }));
};

const openTables = () => {
  const { endpoints, variables } = stage.stack.operator;
  const documents = documentsOf(clientOf(endpoints.dynamodb));
  return { documents, nameOf: (table: string) => variables[`${table}_TABLE`] };
};

/** What these commands ask for in states that are not made here. */
const seldomAsked: Record<string, string[]> = {
  // For a letter that the collector cannot read, and that is of the customer.
  customer: ['PartnerBusDeadLetters sqs:DeleteMessage'],
  // The tokens of secrets that end with a removed pepper, after a minute.
  keys: [
    ...['Partners/PARTNER#* dynamodb:GetItem', 'Partners/PARTNER#* dynamodb:UpdateItem'],
    'Partners/PARTNERS dynamodb:GetItem',
  ],
  restore: [
    // A pass that came back with the table.
    'Debounce dynamodb:DeleteItem',
    // Where a user's transactions are now: the only ones with a session are erased here (S-88).
    'Requests/SESSION#* dynamodb:GetItem',
  ],
};

test.each(Object.entries(commandGroups))(
  'RUN-9 the commands of "%s" need the rights that they declare, neither more nor less',
  (name, { rights }) => {
    const ofRecords = declaredIn(recordRights);
    const asked = tool.rightsOf(name).filter((right) => !ofRecords.includes(right));

    const known = new Set([...asked, ...(seldomAsked[name] ?? [])]);
    expect([...known].sort()).toEqual(declaredIn(rights));
  },
);

/** Every command of the tool: `audit list`. */
const commandsOf = (command: Command, names: string[] = []): string[] =>
  command.commands.length === 0
    ? [names.join(' ')]
    : command.commands.flatMap((one) => commandsOf(one, [...names, one.name()]));

test('RUN-9 every command was recorded', () => {
  const program = new Command();
  // A local stage has no functions to stop; the role on call has the rights (RUN-14).
  const { stage: _, ...groups } = commandGroups;
  for (const { add } of Object.values(groups)) add(program, () => async () => {});
  const isRecorded = (command: string) => tool.operated.some((line) => `${line} `.startsWith(`${command} `));

  expect(commandsOf(program).filter((command) => !isRecorded(command))).toEqual([]);
});

test('RUN-9 S-28 an audit record needs only rights that all commands have', () => {
  expect(tool.rightsOf('session')).toEqual(expect.arrayContaining(declaredIn(recordRights)));
});

test('RUN-9 S-66 the role may do each request at a table: all keys of a batch at once, with the returned values', () => {
  const { service } = templatesOf('local');
  const refused = tool.atTables.filter((asked) => !isAllowedToRole(service, 'TransactionsOperator', asked));

  expect(tool.atTables.length).toBeGreaterThan(100);
  expect(refused).toEqual([]);
});
