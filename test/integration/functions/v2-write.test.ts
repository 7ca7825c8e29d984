import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { getTransaction } from '../../../functions/shared/store/transactions/get.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import type { Ask } from '../../support/builders/http-event.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { refusal } from '../../support/functions/aws.ts';
import { provePartnerApi } from '../../support/functions/partner-api.ts';
import { askingOf, heldAtMs, sending, useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions();
let asking: ReturnType<typeof askingOf>;
let uuid = '';
let numbers = 0;

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };

beforeAll(async () => {
  asking = askingOf(await functions.start('v2-write'));
});
beforeEach(async () => {
  numbers += 1;
  uuid = uuidOf(numbers);
  const { create } = createTransactionWriter({ documents: functions.documents, ...tables });
  await create(aNewTransaction({ uuid }));
  functions.aws.calls.length = 0;
});

const write = async (target: string, { headers, ...ask }: Ask) =>
  asking(target, {
    ...{ ...ask, headers: { ...headers, Authorization: `Bearer ${await functions.place.signToken()}` } },
  });
const patch = (body: object, headers = {}) =>
  write(`/api/v2/transaction/${uuid}`, sending('PATCH', body, headers));
const pay = (body: object = {}) =>
  write(
    '/api/v2/payment',
    sending('POST', { transaction: uuid, type: 1, value: '1.00', status: 0, ...body }),
  );
const stored = () => getTransaction({ documents: functions.documents, ...tables }, uuid);

test('V2-2 a change is stored with the time at which it was made, and its repeat is answered from the record', async () => {
  const first = await patch({ guestEmail: 'a@b.example' }, { 'Idempotency-Key': 'key-1' });
  const again = await patch({ guestEmail: 'a@b.example' }, { 'Idempotency-Key': 'key-1' });

  expect([first.status, again.status, again.headers['Idempotency-Replayed']]).toEqual([200, 200, 'true']);
  expect(await stored()).toMatchObject({
    ...{ version: 2, updatedAtMs: heldAtMs, transaction: { guestEmail: 'a@b.example' } },
  });
  functions.pass(24 * 3_600 + 1);
  const later = await patch({ guestEmail: 'c@d.example' }, { 'Idempotency-Key': 'key-1' });
  expect([later.status, later.headers['Idempotency-Replayed']]).toEqual([200, undefined]);
});

test('OWN-2 a transaction moves to a storefront of its group in the table', async () => {
  const { register } = createStorefrontStore({ documents: functions.documents, partnersTable: 'Partners' });
  const owner = anOwner({ location: 'location-b' });
  await register({ name: 'shop', owner, origins: [], retired: false, createdAtMs: 1 });

  const { status } = await patch({ location: 'location-b' });

  expect(status).toBe(200);
  expect((await stored())?.transaction.ndMeta).toEqual(owner);
  const { group, franchise, location } = owner;
  const scope = { kind: 'grants', grants: [{ group, franchise, location }] } as const;
  const { listWithin } = readerWithoutDrift({ documents: functions.documents, ...tables });
  const { transactions } = await listWithin({ scope, filter: {}, page: 1, perPage: 10 });
  expect(transactions.map(({ transaction }) => transaction.uuid)).toEqual([uuid]);
});

test('WR-2 two concurrent changes are both made', async () => {
  const answers = await Promise.all([patch({ guestEmail: 'a@b.example' }), patch({ document_id: '7' })]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await stored()).toMatchObject({
    ...{ version: 3, transaction: { guestEmail: 'a@b.example', document_id: '7' } },
  });
});

test('ID-2 payments have numbers of the one sequence of the table, and their own hashes', async () => {
  await pay();
  await pay();
  asking = askingOf(await functions.start('v2-write'));
  await pay();

  const { payments = [] } = (await stored())?.transaction ?? {};
  // The second number is the transaction's.
  expect(payments.map(({ id }) => id)).toEqual([1, 3, 4]);
  expect(new Set(payments.map(({ hash }) => hash)).size).toBe(3);
});

test('EV-16 a completing payment leaves a marker, and sends its transaction to the queue of completions', async () => {
  const { status } = await pay({ status: 1 });

  expect([status, functions.aws.sent()]).toEqual([
    ...[201, [{ queue: 'completions', Id: 'completed', MessageBody: `completed ${uuid}` }]],
  ]);
  const rows = createDebounceRowStore({
    ...{ documents: functions.documents, ...tables, clock: () => new Date() },
  });
  expect(await rows.get({ uuid, kind: 'COMPLETED' })).toMatchObject({ dueAtMs: expect.any(Number) });
});

test('I18 a completion is made even if the queue refuses its message, and the metric is reported', async () => {
  functions.aws.interfere(({ target }) =>
    target.startsWith('AmazonSQS.') ? refusal('AccessDenied') : undefined,
  );

  const { status } = await pay({ status: 1 });
  functions.aws.interfere();

  expect(status).toBe(201);
  expect(functions.logged('COMPLETION_LEFT')).toMatchObject([{ service: 'v2-write', level: 'ERROR' }]);
});

provePartnerApi(functions, {
  ...{ name: 'v2-write', target: `/api/v2/transaction/${uuidOf(0)}`, status: 404 },
  ask: sending('PATCH', {}),
});
