import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { lineSchema } from '../../bin/operator/import/import-schema.ts';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { paymentSchema } from '../../functions/shared/schema/elements.ts';
import { newTransactionSchema } from '../../functions/shared/schema/transaction.ts';
import { canariesOf } from '../support/builders/canaries.ts';
import { anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { legibly } from '../support/engine/legibly.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { type EventPlace, openEventPlace } from '../support/stage/event-place.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { importInto } from '../support/stage/operator-of.ts';

jest.setTimeout(120_000);

const email = 'canary-00@erase.example';
/** Places of the address, one in each transaction of the customer. */
const spellings = [
  'Ann <CANARY-00@erase.example>',
  'mailto:canary-00@erase.example',
  'else@else.example, canary-00@erase.example',
  'ｃａｎａｒｙ-00＠erase.example',
  'canary-00@erase.example.',
  'canary-00%40erase.example',
  ` ${email}\t`,
];

const shop = 'https://canary.example';
const owner = anOwner({ group: 'G-canary', location: 'L-canary' });
const [imported, nameless, mentioning] = [uuidOf(5001), uuidOf(5002), uuidOf(5003)];
const spelled = spellings.map((_, index) => uuidOf(5100 + index));

/** The requests, and the canaries in them: each is written to one member of one transaction. */
const sent: unknown[] = [];
const sending = <Sent>(content: Sent): Sent => {
  sent.push(content);
  return content;
};
const canaries = () => [email, ...(JSON.stringify(sent).match(/[0-9a-f]{40}/g) ?? [])];

let stage: ServiceStage;
let place: EventPlace;
beforeAll(async () => {
  stage = await openStage();
  place = await openEventPlace(() => stage);
});
afterAll(async () => {
  await stage.close();
  await place.receiver.stop();
});
endEngineAfterFile();

test('S-61 S-62 S-82 S-57 TH-16 I13 one command exports all data of a customer, and others erase it from every store', async () => {
  const program = await openPartners();
  await importAll();
  const { uuid: bought, ...notified } = await buy(program);
  await touch(program, [imported, nameless, mentioning, ...spelled]);
  const theirs = [imported, bought, nameless, ...spelled];
  const whose = ['--email', email.toUpperCase(), '--uuid', nameless];
  const before = await hitsByStore();

  const file = join(stage.dataDir, 'customer.json');
  const exported = await place.operate('customer', 'export', file, ...whose, '--uuid', mentioning);
  const notExported = canaries().filter((one) => !readFileSync(file, 'utf8').includes(one));
  const erased = await place.operate('customer', 'erase', ...whose, '--yes');
  const named = await place.operate('customer', 'erase', '--uuid', mentioning, '--yes');
  const deletions = await notifiedOf([...theirs, mentioning], ({ isDeleted }) => isDeleted === 1);
  const after = await hitsByStore();
  const again = await place.operate('customer', 'erase', ...whose, '--yes');

  expect(notified).toEqual({ created: 201, patched: 200, paid: 201 });
  expect(canaries().length).toBeGreaterThan(100);
  expect(before).toMatchObject({ Transactions: canaries().length, Debounce: 0, logs: 0 });
  expect([before.Requests, before.Listing].every((hits = 0) => hits > 0)).toBe(true);
  expect(exported).toMatchObject({ transactions: theirs.length + 1, mentionedIn: [] });
  expect(notExported).toEqual([]);
  expect(erased).toMatchObject({ transactions: theirs.length, mentionedIn: [mentioning] });
  expect(named).toMatchObject({ transactions: 1 });
  expect(Object.values(after).every((hits) => hits === 0)).toBe(true);
  expect(deletions).toEqual(
    [...theirs, mentioning].map((uuid) => ({
      ...{ uuid, status: uuid === bought ? 1 : 0, isDeleted: 1, ndMeta: owner },
    })),
  );
  expect(again).toMatchObject({ transactions: 0, copies: 0, mentionedIn: [] });
  expect(await place.operate('listing', 'audit')).toMatchObject({ drift: 0 });
});

/** One that takes everything, which has this program, one that refuses for good, and one whose events are kept. */
const openPartners = async () => {
  place.receiver.answers('refusing', () => 400);
  const { program } = await place.partner('prompt', 'group=G-canary');
  await place.partner('refusing', 'group=G-canary');
  await place.partner('paused', 'group=G-canary');
  await place.operate('partner', 'pause', 'paused');
  return program;
};

const importAll = async () => {
  const { next, planted } = canariesOf('import');
  const { payments, ...whole } = planted(lineSchema.omit({ uuid: true, ndMeta: true, guestEmail: true }));
  const [payment] = payments as JsonObject[];
  const referrerUrl = `${shop}/?to=${encodeURIComponent(email)}`;
  const lines = [
    {
      ...{ ...whole, uuid: imported, guestEmail: email },
      payments: [{ ...payment, id: 900_001, type: 1, value: '1.00', status: 1 }],
    },
    { customer: { firstName: next() }, uuid: nameless },
    { customer: { email: 'else@else.example', firstName: next() }, referrerUrl, uuid: mentioning },
    ...spellings.map((written, index) => ({
      ...{ uuid: spelled[index], customer: { email: written, firstName: next() } },
    })),
  ];
  await importInto(
    stage,
    sending(lines).map((line) => ({ status: 0, ndMeta: owner, ...line })),
  );
};

/** Partners are notified of a change of each. */
const touch = async (program: EventProgram, uuids: string[]) => {
  const { next } = canariesOf('touch');
  for (const uuid of uuids) {
    const change = sending({ customer: { touched: next() } });
    expect((await program.write('PATCH', `/api/v2/transaction/${uuid}`, change)).status).toBe(200);
  }
  await notifiedOf(uuids, ({ customer }) => customer !== undefined);
};

/** A buyer enters data, and a partner adds to it and completes it. */
const buy = async (program: EventProgram) => {
  const names = ['--group', owner.group, '--franchise', owner.franchise, '--location', owner.location];
  await place.operate(
    ...['storefront', 'create', '--name', 'canary', '--branch', owner.branch, ...names, '--origin', shop],
  );
  const buyer = aBrowserOn(stage, shop);
  const elsewhere = { location: true, franchise: true, guestEmail: true } as const;
  const entered = canariesOf('checkout').planted(z.omit(newTransactionSchema, elsewhere));
  const created = await buyer.send('/transaction', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'one' },
    body: sending({ ...entered, customer: { ...(entered.customer as JsonObject), email } }),
  });
  const { uuid } = created.body;
  const change = { customer: { notes: { sales: canariesOf('partner').next() } } };
  const patched = await program.write('PATCH', `/api/v2/transaction/${uuid}`, sending(change), {
    'Idempotency-Key': 'two',
  });
  const payment = {
    ...canariesOf('payment').planted(z.omit(paymentSchema, { transaction: true })),
    ...{ transaction: uuid, type: 1, value: '10.00', status: 1 },
  };
  const paid = await program.write('POST', '/api/v2/payment', sending(payment), {
    'Idempotency-Key': 'three',
  });
  await notifiedOf([uuid], ({ customer }) => customer !== undefined);
  expect(place.askedOf('refusing').length).toBeGreaterThanOrEqual(2);
  return { uuid: String(uuid), created: created.status, patched: patched.status, paid: paid.status };
};

type EventProgram = Awaited<ReturnType<EventPlace['partner']>>['program'];

/** What `prompt` was notified of each transaction after dormancy, in the order of the uuids. */
const notifiedOf = async (uuids: string[], isWanted: (detail: JsonObject) => boolean) => {
  await stage.passTime(130_000);
  const notified = place.notifiedTo('prompt').map(({ message }) => message.detail);
  const found = uuids.map((uuid) => notified.find((detail) => detail.uuid === uuid && isWanted(detail)));
  expect(found).not.toContain(undefined);
  return found;
};

/** How many canaries each table, the file of bus and queues, and the logs have. */
const hitsByStore = async (): Promise<Record<string, number>> => {
  const { stack, dataDir } = stage;
  const client = clientOf(stack.operator.endpoints.dynamodb);
  const hits: Record<string, number> = {};
  for (const table of tableNames) {
    const TableName = stack.operator.variables[`${table.toUpperCase()}_TABLE`];
    const { Items, LastEvaluatedKey } = await documentsOf(client).send(new ScanCommand({ TableName }));
    expect(LastEvaluatedKey).toBeUndefined();
    hits[table] = hitsIn(JSON.stringify(Items, legibly));
  }
  client.destroy();
  const database = new DatabaseSync(join(dataDir, 'state.db'), { readOnly: true });
  for (const table of ['records', 'deliveries', 'messages'])
    hits[`bus ${table}`] = hitsIn(JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all(), legibly));
  database.close();
  return { ...hits, logs: hitsIn([stage.written(), ...stage.warnings()].join('\n')) };
};

const tableNames = ['Transactions', 'Listing', 'Partners', 'Debounce', 'Requests', 'Audit'];

const hitsIn = (text: string) => canaries().filter((one) => text.includes(one)).length;
