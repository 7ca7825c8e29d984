import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { handler as Keep } from '../../../functions/keep-endpoints/index.ts';
import type { handler as Probe } from '../../../functions/probe-endpoint/index.ts';
import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { createWebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aDelivery, anEvent, someBodies } from '../../support/builders/events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { type Interfere, refusal } from '../../support/functions/aws.ts';
import { heldAtMs, useFunctions } from '../../support/functions/use-functions.ts';
import { createMemoryEventBridge } from '../../support/memory/event-bridge.ts';
import { rightsOf } from '../../support/rights/rights.ts';
import { startReceiver } from '../../support/stage/receivers.ts';

const functions = useFunctions({
  DELIVERY_ROLE: 'arn:aws:iam::000000000000:role/delivery',
  DEAD_LETTER_QUEUE: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters',
  CONNECTION_KEY: 'arn:aws:kms:eu-west-2:000000000000:key/k',
  ENDPOINT_EFFECT_SECONDS: '0',
  LOOPBACK_ENDPOINTS: 'allowed',
  PROBE_FUNCTION: 'Probe',
});
const clientId = 'SERVEDABCDEFGHIJKLMNOPQRST';
const signature = 's'.repeat(64);

const bus = createMemoryEventBridge();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let keep: typeof Keep;
let probe: typeof Probe;
/** At the tables, by all tests before. */
const rightsUsed = new Set<string>();
/** So many requests of the bus are still to fail. */
let faults = 0;
/** What the partner's endpoint answers to the right signature. */
let answer = 204;

const askBus = (operation: string, body: string): Promise<object> => {
  const command = { constructor: { name: `${operation}Command` }, input: JSON.parse(body) };
  return bus
    .send(command as never)
    .catch(({ name, message }: Error) => ({ __type: name, message })) as Promise<object>;
};
/** The bus and probe-endpoint, which has no operation in its header. */
const neighbours: Interfere = ({ target, body }) => {
  const [service, operation = ''] = target.split('.');
  if (service === 'AWSEvents') return faults-- > 0 ? refusal('ThrottlingException') : askBus(operation, body);
  return service === 'undefined' ? probe(JSON.parse(body)) : undefined;
};
/** What the bus was asked of this kind since the test began. */
const askedFor = (operation: string) =>
  functions.aws.calls
    .filter(({ target }) => target === `AWSEvents.${operation}`)
    .map(({ body }) => JSON.parse(body));

const access = () => ({ documents: functions.documents, partnersTable: 'Partners' });
const partners = () => createPartnerStore(access());
const webhookSwitch = () => createWebhookSwitch(access());
const deliveryLog = () =>
  createDeliveryLogStore({
    ...{ documents: functions.documents, debounceTable: 'Debounce' },
    clock: () => new Date(),
  });
const statusOf = async (of = clientId) => (await partners().profileOf(of))?.endpoint;
const create = (changes: Partial<Partner>, by = signature) =>
  partners().create({ partner: aPartner({ clientId, ...changes }), secrets: [] }, by);
const aDeliveryOf = (facts: Partial<Delivery> & Pick<Delivery, 'eventId'>) =>
  deliveryLog().addMissing({
    event: anEvent({ ...eventFactsOf(facts), recipients: [clientId] }),
    bodies: someBodies,
    deliveries: [aDelivery({ clientId, state: 'HELD', ...facts })],
  });
const eventFactsOf = ({ eventId, ...facts }: Partial<Delivery>) => {
  const { type = 'TransactionUpdated', from = 0, to = 1, uuid = uuidOf(1), claimedAtMs = heldAtMs } = facts;
  return { eventId: eventId ?? '', type, from, to, uuid, claimedAtMs };
};
const deliveryOf = (eventId: string) => deliveryLog().delivery({ eventId, clientId });
/** What the function has reached for the partner, as if it were so. */
const setEndpoint = async (changes: Partial<EndpointStatus>) =>
  functions.documents.send(
    new UpdateCommand({
      TableName: 'Partners',
      Key: { pk: `PARTNER#${clientId}`, sk: 'PROFILE' },
      UpdateExpression: 'SET endpoint = :endpoint',
      ExpressionAttributeValues: { ':endpoint': { ...(await statusOf()), ...changes } },
    }),
  );
const work = (message: object, by = keep) =>
  by({ Records: [{ messageId: 'm', body: JSON.stringify(message) } as SQSRecord] });
const start = (variables: Record<string, string> = {}): Promise<typeof Keep> =>
  functions.start('keep-endpoints', variables);

beforeAll(async () => {
  receiver = await startReceiver(({ headers }) =>
    headers['x-webhook-signature'] === signature ? answer : 401,
  );
  functions.aws.interfere(neighbours);
  probe = await functions.start('probe-endpoint');
  const { endpoint } = functions.aws;
  keep = await start({ ENDPOINT_DELAYS: `${endpoint}/delays`, AWS_ENDPOINT_URL_LAMBDA: endpoint });
});
afterEach(() => {
  for (const right of functions.aws.rightsUsed()) rightsUsed.add(right);
  functions.aws.calls.length = 0;
});
afterAll(() => receiver.stop());

test('S-27 a partner’s endpoint is checked by probe-endpoint, made, and serves; what was kept is due', async () => {
  const webhookUrl = `http://127.0.0.1:${receiver.port}/hook`;
  await create({ name: 'Served', webhookUrl, webhookSetAtMs: 1 });
  // Each of a deleted transaction is due by itself.
  const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };
  const writer = createTransactionWriter({ documents: functions.documents, ...tables });
  await writer.create(aNewTransaction({ uuid: uuidOf(1), isDeleted: 1 }, { version: 3 }));
  await aDeliveryOf({ eventId: 'held' });
  await aDeliveryOf({ eventId: 'held-later', from: 1, to: 2 });
  await aDeliveryOf({ eventId: 'held-completion', type: 'TransactionCompleted', from: 1, to: 2 });
  await aDeliveryOf({ eventId: 'given-up', uuid: uuidOf(2), state: 'DEAD', reason: 'TARGET_REMOVED' });

  expect(await work({ clientId })).toEqual({ batchItemFailures: [] });

  const [wrong, right] = receiver.received;
  expect(wrong?.headers['x-webhook-signature']).toMatch(/^\w{64}$/);
  expect(right?.headers['x-webhook-signature']).toBe(signature);
  expect(JSON.parse(wrong?.body ?? '')).toMatchObject({
    'detail-type': 'WebhookTest',
    source: 'svc.local.online-payments',
    region: 'eu-west-2',
  });
  expect(await statusOf()).toMatchObject({ state: 'on', servedUrl: webhookUrl, reached: { wanted: 'on' } });
  for (const eventId of ['held', 'held-later', 'held-completion', 'given-up'])
    expect(await deliveryOf(eventId)).toMatchObject({ state: 'READY', dueAtMs: heldAtMs });
  expect(askedFor('CreateConnection')).toMatchObject([
    {
      Name: `transactions-local-${clientId}`,
      Description: 'Signature of 2023-11-14T22:13:20.000Z',
      KmsKeyIdentifier: 'arn:aws:kms:eu-west-2:000000000000:key/k',
    },
  ]);
  expect(askedFor('PutTargets')).toMatchObject([
    {
      EventBusName: 'bus',
      Targets: [
        {
          RoleArn: 'arn:aws:iam::000000000000:role/delivery',
          DeadLetterConfig: { Arn: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters' },
        },
      ],
    },
  ]);
  expect(functions.logged('ENDPOINT_CHANGED')).toMatchObject([{ service: 'keep-endpoints', clientId }]);
});

test('TH-03 a check that is asked for is answered, with another wrong signature', async () => {
  const url = `http://127.0.0.1:${receiver.port}/other`;

  await work({ clientId, check: { id: 'c1', url } });

  const checked = { id: 'c1', status: 204, wrongStatus: 401 };
  expect(await statusOf()).toMatchObject({ state: 'on', checked });
  const [before, , wrong] = receiver.received.map(({ headers }) => headers['x-webhook-signature']);
  expect(wrong).not.toBe(before);
});

test('EV-13 a pass over kept events continues in the next invocation', async () => {
  await aDeliveryOf({ eventId: 'passed', type: 'TransactionCompleted', claimedAtMs: 1_000 });
  await aDeliveryOf({ eventId: 'left', type: 'TransactionCompleted', claimedAtMs: 3_000 });
  const keptPass = { beganAtMs: heldAtMs, after: { claimedAtMs: 2_000, eventId: 'between' } };
  await setEndpoint({ keptPass, sendsKeptAtMs: 1 });

  await work({ clientId });

  expect(await deliveryOf('passed')).toMatchObject({ state: 'HELD' });
  expect(await deliveryOf('left')).toMatchObject({ state: 'READY' });
});

test('S-70 one that fails after a dead letter is said in the log', async () => {
  answer = 410;
  functions.pass(600);

  await work({ clientId, isUndelivered: true });

  expect(await statusOf()).toMatchObject({ state: 'failing', reason: 'HTTP_410' });
  expect(functions.logged('ENDPOINT_FAILING')).toMatchObject([{ service: 'keep-endpoints', clientId }]);
});

test('S-77 a stop of all webhooks is seen, and delayed work returns by the delayed queue', async () => {
  await webhookSwitch().stop(1);

  await work({ clientId });
  await work({ clientId, isLater: true });

  expect(await statusOf()).toMatchObject({ state: 'paused', pollAgainAtMs: expect.any(Number) });
  expect(functions.aws.sent()).toMatchObject([
    { queue: 'delays', MessageBody: JSON.stringify({ clientId, isLater: true }) },
    { queue: 'endpoints.fifo', MessageBody: JSON.stringify({ clientId }) },
  ]);
});

test('EV-13 what was kept ends when the partner is disabled', async () => {
  await aDeliveryOf({ eventId: 'kept', uuid: uuidOf(2) });
  const before = await partners().byClientId(clientId);
  if (!before) throw new Error('There is no partner');
  await partners().update({ before, after: { ...before, enabled: false } });

  await work({ clientId });

  const ended = await deliveryOf('kept');
  expect(ended).toMatchObject({ state: 'SUPPRESSED', reason: 'DISABLED' });
  expect(ended?.timeline.at(-1)?.atMs).toBe(Date.now());
  expect(await statusOf()).toMatchObject({ state: 'off' });
});

test('EV-21 the schedule reads all partners, logs it, and reports the metric of its alarm', async () => {
  // A partner takes a fifth of a second, so that questions to the bus have their pace.
  const beganAtMs = performance.now();

  await keep({ every: 'rate(10 minutes)' });

  expect(performance.now() - beganAtMs).toBeGreaterThan(390);
  expect(functions.logged('ENDPOINTS_SEEN')).toMatchObject([{ service: 'keep-endpoints', partners: 2 }]);
  expect(functions.reported()).toEqual([{ service: 'keep-endpoints', DifferingEndpoints: 0 }]);
  const turn = { TableName: 'Partners', Key: { pk: 'TURN', sk: 'ENDPOINTS' } };
  const { Item } = await functions.documents.send(new GetCommand(turn));
  expect(Item).toMatchObject({ lastClientId: clientId });
});

test('S-47 in AWS a loopback address is refused', async () => {
  await webhookSwitch().start(2);
  const webhookUrl = `http://127.0.0.1:${receiver.port}/hook`;
  await create({ clientId: 'LOCAL', name: 'Local', webhookUrl, webhookSetAtMs: 1 });
  const askedBefore = receiver.received.length;

  await work({ clientId: 'LOCAL' }, await start({ LOOPBACK_ENDPOINTS: 'refused' }));

  expect(await statusOf('LOCAL')).toMatchObject({ state: 'failing', reason: 'not-https' });
  expect(receiver.received).toHaveLength(askedBefore);
});

test('I9 S-27 in AWS events leave a minute after their target was made, and a connection says when its signature was made', async () => {
  const inAws = await start({ LOOPBACK_ENDPOINTS: 'refused', ENDPOINT_EFFECT_SECONDS: '60' });
  const webhookUrl = 'https://partner.example/hook';
  await create({ clientId: 'AWS', name: 'Aws', webhookUrl, webhookUnchecked: true });
  await work({ clientId: 'AWS' }, inAws);
  const updatesOf = async (by: typeof Keep) => {
    delete bus.connections.get('transactions-local-AWS')?.Description;
    functions.aws.calls.length = 0;
    await work({ clientId: 'AWS' }, by);
    return askedFor('UpdateConnection').length;
  };

  expect(await statusOf('AWS')).toMatchObject({ servesFromMs: Date.now() + 60_000 });
  // An emulator does not say it.
  expect([await updatesOf(keep), await updatesOf(inAws)]).toEqual([0, 1]);
});

test('EV-21 a bus that fails a few times is called again', async () => {
  // All four questions, and each once more.
  faults = 8;

  await work({ clientId });

  expect(faults).toBeLessThanOrEqual(0);
  expect(functions.logged('ENDPOINT_DIFFERS')).toEqual([]);
});

test('S-22 no log line has the signature', () => {
  expect(functions.written()).not.toContain(signature);
});

test('S-50 S-66 S-80 it needs the rights of its role at the tables, and no others', () => {
  const granted = rightsOf(templatesOf('production').service, 'keep-endpoints');
  // Only a delivery that somebody else made due at the same moment is read by itself.
  const rarely = 'Debounce/EV#* dynamodb:GetItem';

  expect([...rightsUsed, rarely].sort()).toEqual(granted.filter((right) => right.includes('dynamodb:')));
});
