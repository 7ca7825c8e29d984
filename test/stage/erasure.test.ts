import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { type EventStage, startEventStage } from '../support/stage/event-stage.ts';

jest.setTimeout(300_000);

const email = 'canary-00@erase.example';
/** Each is written to one member, and to no other. */
const canary = (number: number) => `canary-${String(number).padStart(2, '0')}-zq`;
const canaries = [email, ...Array.from({ length: 20 }, (_, index) => canary(index + 1))];

const shop = 'https://canary.example';
const owner = anOwner({ group: 'G-canary', location: 'L-canary' });
const imported = uuidOf(5001);

let place: EventStage;
beforeAll(async () => {
  place = await startEventStage();
}, 120_000);
afterAll(() => place.stop());

test('S-61 S-62 S-57 TH-16 what is held about a customer is exported by one command, and erased by another from every store', async () => {
  const partners = await openPartners();
  await importOne();
  const { uuid: bought, ...told } = await buy(partners.prompt.program);
  const before = await hitsByStore();

  const file = join(place.stage().dataDir, 'customer.json');
  const exported = await place.operate('customer', 'export', file, '--email', email.toUpperCase());
  const inExport = canaries.filter((one) => readFileSync(file, 'utf8').includes(one));
  const erased = await place.operate('customer', 'erase', '--email', email, '--yes');
  const deletions = await whenDeleted('prompt', [imported, bought]);
  const after = await hitsByStore();
  const again = await place.operate('customer', 'erase', '--email', email, '--yes');
  process.stdout.write(
    `canaries before: ${JSON.stringify(before)}\ncanaries after: ${JSON.stringify(after)}\n`,
  );

  expect(told).toEqual({ created: 201, patched: 200, paid: 201 });
  expect(before).toMatchObject({ Transactions: 21, Debounce: expect.any(Number), logs: 0 });
  expect([before.Debounce, before.Requests, before.Listing].every((hits = 0) => hits > 0)).toBe(true);
  expect(exported).toMatchObject({ transactions: 2, mentionedIn: [] });
  expect(inExport).toEqual(canaries);
  expect(erased).toMatchObject({ transactions: 2 });
  expect(Object.values(after).every((hits) => hits === 0)).toBe(true);
  expect(deletions).toEqual([
    { uuid: imported, status: 0, isDeleted: 1, ndMeta: owner },
    { uuid: bought, status: 1, isDeleted: 1, ndMeta: owner },
  ]);
  expect(again).toMatchObject({ transactions: 0, copies: 0 });
  expect(await place.operate('listing', 'audit')).toMatchObject({ drift: 0 });
});

/** One that takes everything, one that refuses for good, and one whose events are kept. */
const openPartners = async () => {
  place.receiver.answers('refusing', () => 400);
  const prompt = await place.partner('prompt', 'group=G-canary');
  const refusing = await place.partner('refusing', 'group=G-canary');
  const paused = await place.partner('paused', 'group=G-canary');
  await place.operate('partner', 'pause', 'paused');
  return { prompt, refusing, paused };
};

const importOne = async () => {
  const line = {
    ...{ uuid: imported, status: 0, ndMeta: owner, guestEmail: email },
    customer: { title: canary(1), firstName: canary(2), address: { line1: canary(3), postcode: canary(4) } },
    vehicle: { identifiers: { ndstockid: canary(5) } },
    extras: [{ name: canary(6) }],
    payments: [{ ...{ id: 900_001, type: 1, value: '1.00', status: 1 }, message: canary(7) }],
  };
  const file = join(place.stage().dataDir, 'canaries.ndjson');
  writeFileSync(file, `${JSON.stringify(line)}\n`);
  await place.operate('transactions', 'import', file);
};

/** A buyer enters what is asked for, a partner adds to it and completes it. */
const buy = async (program: EventProgram) => {
  const names = ['--group', owner.group, '--franchise', owner.franchise, '--location', owner.location];
  await place.operate(
    ...['storefront', 'create', '--name', 'canary', '--branch', owner.branch, ...names, '--origin', shop],
  );
  const buyer = aBrowserOn(place.stage(), shop);
  const created = await buyer.send('/transaction', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'one' },
    body: {
      customer: { email, lastName: canary(8), mobile: canary(9), address: { town: canary(10) } },
      referrerUrl: `https://shop.example/?name=${canary(11)}`,
      document_id: canary(12),
      valuation: { registration: canary(13) },
      financeProposal: { provider: canary(14) },
    },
  });
  const { uuid } = created.body;
  const change = { deliveryCollection: { method: canary(15) }, customer: { landline: canary(16) } };
  const patched = await program.write('PATCH', `/api/v2/transaction/${uuid}`, change, {
    'Idempotency-Key': 'two',
  });
  const touched = await program.write('PATCH', `/api/v2/transaction/${imported}`, {
    customer: { country: canary(20) },
  });
  expect(touched.status).toBe(200);
  const payment = {
    ...{ transaction: uuid, type: 1, value: '10.00', status: 1, reference: canary(17) },
    ...{ token: canary(18), details: { holder: canary(19) } },
  };
  const paid = await program.write('POST', '/api/v2/payment', payment, { 'Idempotency-Key': 'three' });
  await place.whenTold('prompt', 3);
  await place.whenAsked('refusing', 3);
  return { uuid: String(uuid), created: created.status, patched: patched.status, paid: paid.status };
};

type EventProgram = Awaited<ReturnType<EventStage['partner']>>['program'];

const whenDeleted = async (name: string, uuids: string[]) => {
  await place.whenTold(name, 5);
  const details = place.toldTo(name).map(({ message }) => message.detail);
  return uuids.map((uuid) => details.find((detail) => detail.uuid === uuid && detail.isDeleted === 1));
};

/** How many canaries each table, the file of bus and queues, and the logs have. */
const hitsByStore = async (): Promise<Record<string, number>> => {
  const { stack, dataDir, said } = place.stage();
  const client = clientOf(stack.operator.endpoints.dynamodb);
  const hits: Record<string, number> = {};
  for (const table of tableNames) {
    const TableName = stack.operator.variables[`${table.toUpperCase()}_TABLE`];
    const { Items, LastEvaluatedKey } = await documentsOf(client).send(new ScanCommand({ TableName }));
    expect(LastEvaluatedKey).toBeUndefined();
    hits[table] = hitsIn(JSON.stringify(Items, legibly));
  }
  client.destroy();
  const database = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true });
  for (const table of ['records', 'deliveries', 'messages'])
    hits[`bus ${table}`] = hitsIn(JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all(), legibly));
  database.close();
  const logs = join(dataDir, 'logs');
  const lines = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  return { ...hits, logs: hitsIn([said(), ...lines].join('\n')) };
};

const tableNames = ['Transactions', 'Listing', 'Partners', 'Debounce', 'Requests', 'Audit'];

/** What is stored as bytes, both as it is and inflated where it can be: deflated text has no canary to be seen. */
const legibly = (_key: string, value: unknown) => {
  if (!(value instanceof Uint8Array)) return value;
  const stored = Buffer.from(value).toString();
  try {
    return [stored, inflateRawSync(value).toString()];
  } catch {
    return [stored];
  }
};

const hitsIn = (text: string) => canaries.filter((one) => text.includes(one)).length;
