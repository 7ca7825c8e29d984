import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateConnectionCommand,
  type CreateConnectionCommandInput,
  DeleteConnectionCommand,
  DescribeConnectionCommand,
  EventBridgeClient,
} from '@aws-sdk/client-eventbridge';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { handler as Collect } from '../../../functions/collect-dead-letters/index.ts';
import type { handler as Keep } from '../../../functions/keep-endpoints/index.ts';
import type { handler as Probe } from '../../../functions/probe-endpoint/index.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { createWebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { queueUrl } from '../../../localstack/aws/names.ts';
import { startInvokeServer } from '../../../localstack/lambda/invoke-server.ts';
import { openMessaging } from '../../../localstack/messaging.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aDeadLetter, busEventText } from '../../support/builders/dead-letters.ts';
import { aDelivery, anEvent, someBodies } from '../../support/builders/events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { startFunction } from '../../support/engine/start-place.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { startRecorder } from '../../support/rights/recorder.ts';
import { tableRights } from '../../support/rights/recording-engine.ts';
import { rightsOf } from '../../support/rights/rights.ts';
import { deadLetterQueue, testBus } from '../../support/stage/messaging.ts';
import { startReceiver } from '../../support/stage/receivers.ts';

const engine = useEngine();
const clientId = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const queueOf = (name: string) => ({
  ...deadLetterQueue,
  ...{ id: name, name, arn: `arn:aws:sqs:eu-west-2:000000000000:${name}` },
});
const queues = [deadLetterQueue, queueOf('Requests.fifo'), queueOf('Delays')];
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const folder = mkdtempSync(join(tmpdir(), 'keep-endpoints-'));
const stops: (() => Promise<void> | void)[] = [];
let keep: typeof Keep;
let collect: typeof Collect;
let probe: typeof Probe;
let served: ReturnType<Awaited<ReturnType<typeof openMessaging>>['serve']>;
let recorder: Awaited<ReturnType<typeof startRecorder>>;
/** What the bus and the queues were asked. */
const asked: Record<string, unknown>[] = [];
/** So many requests of the bus are still to fail. */
let faults = 0;
let bus: EventBridgeClient;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
/** What the partner's endpoint takes. */
const accepted = new Set<unknown>();

beforeAll(async () => {
  recorder = await startRecorder(engine.endpoint, tableRights);
  const messaging = await openMessaging(join(folder, 'events.db'));
  served = messaging.serve({ buses: [testBus], queues }, { logs: folder, recordAttempt: async () => {} });
  const lambda = await startInvokeServer();
  const noted = (target: string, body: Buffer) => {
    asked.push({ target: target.split('.').at(-1), ...JSON.parse(body.toString()) });
    return [];
  };
  const sqs = await startRecorder(messaging.endpoints.sqs, noted);
  const events = await startRecorder(messaging.endpoints.eventbridge, noted, () => faults-- > 0);
  receiver = await startReceiver(({ headers }) => (accepted.has(headers['x-webhook-signature']) ? 204 : 401));
  bus = new EventBridgeClient({
    endpoint: messaging.endpoints.eventbridge,
    region: 'eu-west-2',
    credentials,
  });
  stops.push(
    sqs.stop,
    events.stop,
    receiver.stop,
    lambda.stop,
    served.stop,
    messaging.stop,
    recorder.stop,
    () => bus.destroy(),
  );
  Object.assign(process.env, {
    ...{ TRANSACTIONS_TABLE: 'Transactions', PARTNERS_TABLE: 'Partners', DEBOUNCE_TABLE: 'Debounce' },
    ...{ EVENT_BUS: 'Bus', EVENT_SOURCE: 'svc.local.online-payments', STAGE: 'local' },
    ...{ DELIVERY_ROLE: 'arn:aws:iam::000000000000:role/delivery', DEAD_LETTER_QUEUE: deadLetterQueue.arn },
    ...{ CONNECTION_KEY: 'arn:aws:kms:eu-west-2:000000000000:key/k', ENDPOINT_EFFECT_SECONDS: '0' },
    ENDPOINT_QUEUE: queueUrl(sqs.endpoint, 'Requests.fifo'),
    ENDPOINT_DELAYS: queueUrl(sqs.endpoint, 'Delays'),
    ...{ LOOPBACK_ENDPOINTS: 'allowed', PROBE_FUNCTION: 'Probe', AWS_REGION: 'eu-west-2' },
    ...{ AWS_ENDPOINT_URL_DYNAMODB: recorder.endpoint, AWS_ENDPOINT_URL_LAMBDA: lambda.endpoint },
    ...{ AWS_ENDPOINT_URL_EVENTBRIDGE: events.endpoint },
    ...{ AWS_ENDPOINT_URL_SQS: sqs.endpoint },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  });
  probe = await startFunction('probe-endpoint');
  const probes = {
    invoke: async (event: unknown) =>
      ({ ok: true, value: JSON.stringify(await probe(event as never)) }) as const,
  };
  lambda.serve(new Map([['Probe', probes]]));
  keep = await startFunction('keep-endpoints');
  collect = await startFunction('collect-dead-letters');
});
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true });
});

type Sent = { QueueUrl: string; Entries: Record<string, unknown>[] };

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };
const clock = () => new Date();
const stores = () => ({
  partners: createPartnerStore({ documents: engine.documents, partnersTable: 'Partners' }),
  webhookSwitch: createWebhookSwitch({ documents: engine.documents, partnersTable: 'Partners' }),
  deliveryLog: createDeliveryLogStore({ documents: engine.documents, debounceTable: 'Debounce', clock }),
});
const statusOf = async (of = clientId) => (await stores().partners.profileOf(of))?.endpoint;

const change = async (changes: Partial<Partner>) => {
  const before = await stores().partners.byClientId(clientId);
  if (!before) throw new Error('There is no partner');
  await stores().partners.update({ before, after: { ...before, ...changes } });
};

/** What `keep-endpoints` has reached for the partner, as if it were so. */
const setEndpoint = (status: object) =>
  Promise.all(
    Object.entries(status).map(([name, value]) =>
      engine.documents.send(
        new UpdateCommand({
          TableName: 'Partners',
          Key: { pk: `PARTNER#${clientId}`, sk: 'PROFILE' },
          UpdateExpression: `SET endpoint.${name} = :value`,
          ExpressionAttributeValues: { ':value': value },
        }),
      ),
    ),
  );

/** What the messages of a queue make the function do, with what it logged and reported. */
const lines: string[] = [];
const quietly = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  const keepLine = (line: unknown) => lines.push(String(line)) > 0;
  const written = [
    jest.spyOn(process.stdout, 'write').mockImplementation(keepLine),
    jest.spyOn(process.stderr, 'write').mockImplementation(keepLine),
    ...(['info', 'error', 'log'] as const).map((level) =>
      jest.spyOn(console, level).mockImplementation(keepLine),
    ),
  ];
  try {
    return await act();
  } finally {
    for (const one of written) one.mockRestore();
  }
};
/** Lines with this code, or with these figures. */
const logged = (code: string) =>
  lines.flatMap((line) => (line.includes(`"${code}"`) ? [JSON.parse(line)] : []));
const work = (message: object, by = keep) =>
  quietly(() => by({ Records: [{ messageId: 'm', body: JSON.stringify(message) } as SQSRecord] }));
/** Lambda removes what a function did. */
const waitingIn = async (name: string) => {
  const queue = served.queues.get(queueOf(name).arn);
  const messages = (await queue?.receive(10)) ?? [];
  for (const { receiptHandle } of messages) await queue?.remove(receiptHandle);
  return messages.map(({ body }) => JSON.parse(body));
};

describe('keep-endpoints with its real neighbours', () => {
  test('a partner’s endpoint is checked by probe-endpoint, created, and used; kept events become due', async () => {
    const { partners, deliveryLog } = stores();
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    accepted.add('s'.repeat(64));
    await partners.create(
      { partner: aPartner({ webhookUrl: url, webhookSetAtMs: 1 }), secrets: [] },
      's'.repeat(64),
    );
    // Each of a deleted transaction is due by itself.
    const { create } = createTransactionWriter({ documents: engine.documents, ...tables });
    await create(aNewTransaction({ uuid: uuidOf(1), isDeleted: 1 }, { version: 3 }));
    for (const [eventId, type, to] of [
      ['held', 'TransactionUpdated', 1],
      ['held-later', 'TransactionUpdated', 2],
      ['held-completion', 'TransactionCompleted', 2],
    ] as const)
      await deliveryLog.addMissing({
        event: anEvent({ eventId, type, from: to - 1, to, recipients: [clientId] }),
        bodies: someBodies,
        deliveries: [aDelivery({ eventId, type, from: to - 1, to, clientId, state: 'HELD' })],
      });

    const removed = { eventId: 'given-up-before', clientId, uuid: uuidOf(2) };
    await deliveryLog.addMissing({
      event: anEvent({ ...removed, recipients: [clientId] }),
      bodies: someBodies,
      deliveries: [aDelivery({ ...removed, state: 'DEAD', reason: 'TARGET_REMOVED' })],
    });
    const beganAtMs = Date.now();

    const answer = await work({ clientId });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(receiver.received.map(({ headers }) => headers['x-webhook-signature'] === 's'.repeat(64))).toEqual(
      [false, true],
    );
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      'detail-type': 'WebhookTest',
      source: 'svc.local.online-payments',
      region: 'eu-west-2',
    });
    expect(await statusOf()).toMatchObject({ state: 'on', servedUrl: url, reached: { wanted: 'on' } });
    for (const eventId of ['held', 'held-later', 'held-completion', 'given-up-before']) {
      const kept = await deliveryLog.delivery({ eventId, clientId });
      expect(kept).toMatchObject({ state: 'READY' });
      expect(kept?.dueAtMs).toBeGreaterThanOrEqual(beganAtMs);
    }
    expect(
      await bus.send(new DescribeConnectionCommand({ Name: `transactions-local-${clientId}` })),
    ).toMatchObject({ Description: 'Signature of 2023-11-14T22:13:20.000Z' });
    expect(logged('ENDPOINT_CHANGED')).toMatchObject([{ service: 'keep-endpoints', clientId }]);
  });

  test('S-27 the connection uses the stage’s key, and the target the stage’s role and dead-letter queue', () => {
    expect(asked.find(({ target }) => target === 'CreateConnection')).toMatchObject({
      KmsKeyIdentifier: 'arn:aws:kms:eu-west-2:000000000000:key/k',
    });
    expect(asked.find(({ target }) => target === 'PutTargets')).toMatchObject({
      Targets: [
        {
          RoleArn: 'arn:aws:iam::000000000000:role/delivery',
          DeadLetterConfig: { Arn: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters' },
        },
      ],
    });
  });

  test('a requested check gets its result', async () => {
    const wrong = receiver.received[0]?.headers['x-webhook-signature'];
    await work({ clientId, check: { id: 'c1', url: `http://127.0.0.1:${receiver.port}/other` } });

    expect(await statusOf()).toMatchObject({
      state: 'on',
      checked: { id: 'c1', status: 204, wrongStatus: 401 },
    });
    expect(receiver.received.at(-2)?.headers['x-webhook-signature']).toMatch(/^\w{64}$/);
    expect(receiver.received.at(-2)?.headers['x-webhook-signature']).not.toBe(wrong);
  });

  test('EV-13 a pass over kept events continues in the next invocation', async () => {
    const { deliveryLog } = stores();
    for (const [eventId, claimedAtMs] of [
      ['passed', 1_000],
      ['left', 3_000],
    ] as const) {
      const about = { eventId, claimedAtMs, type: 'TransactionCompleted' } as const;
      await deliveryLog.addMissing({
        event: anEvent({ ...about, recipients: [clientId] }),
        bodies: someBodies,
        deliveries: [aDelivery({ ...about, clientId, state: 'HELD' })],
      });
    }
    const keptPass = { beganAtMs: Date.now(), after: { claimedAtMs: 2_000, eventId: 'between' } };
    await setEndpoint({ keptPass, sendsKeptAtMs: 1 });

    await work({ clientId });

    expect(await deliveryLog.delivery({ eventId: 'passed', clientId })).toMatchObject({ state: 'HELD' });
    expect(await deliveryLog.delivery({ eventId: 'left', clientId })).toMatchObject({ state: 'READY' });
  });

  test('a dead letter of the endpoint causes a check, and a failing one is reported and polled later', async () => {
    const { deliveryLog } = stores();
    await deliveryLog.addMissing({
      event: anEvent({ eventId: 'dead', recipients: [clientId] }),
      bodies: someBodies,
      deliveries: [aDelivery({ eventId: 'dead', clientId, state: 'ACCEPTED', busEventId: 'bus-1' })],
    });
    accepted.clear();
    const body = busEventText({ eventId: 'dead', clientId });
    const notFound = { code: 'SDK_CLIENT_ERROR', message: 'failed because status 404 was returned' };

    const answer = await quietly(() => collect({ Records: [aDeadLetter({ ...notFound, body })] }));
    const asked = await waitingIn('Requests.fifo');
    // The check before was a moment ago.
    const status = await statusOf();
    await setEndpoint({ tried: { ...status?.tried, atMs: 0 } });
    for (const message of asked) await work(message);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(asked).toEqual([{ clientId, isUndelivered: true }]);
    expect(await statusOf()).toMatchObject({ state: 'failing', reason: 'HTTP_401' });
    expect(logged('ENDPOINT_FAILING')).toMatchObject([{ clientId }]);
  });

  test('S-77 a stop of all webhooks is seen, and delayed work returns by the delayed queue', async () => {
    await stores().webhookSwitch.stop(1);

    await work({ clientId });
    await work({ clientId, isLater: true });

    expect(await statusOf()).toMatchObject({ state: 'paused', pollAgainAtMs: expect.any(Number) });
    expect(await waitingIn('Requests.fifo')).toEqual([{ clientId }]);
    const { QueueUrl, Entries } = asked.findLast((one) => JSON.stringify(one).includes('isLater')) as Sent;
    expect([QueueUrl, Entries[0]?.MessageBody]).toEqual([
      process.env.ENDPOINT_DELAYS,
      JSON.stringify({ clientId, isLater: true }),
    ]);
  });

  test('EV-13 a letter for a missing target is kept while all are stopped, and ends when the partner is disabled', async () => {
    const { deliveryLog } = stores();
    await deliveryLog.addMissing({
      event: anEvent({ eventId: 'given-up', recipients: [clientId] }),
      bodies: someBodies,
      deliveries: [aDelivery({ eventId: 'given-up', clientId, state: 'ACCEPTED', busEventId: 'bus-1' })],
    });
    const body = busEventText({ eventId: 'given-up', clientId });

    await quietly(() => collect({ Records: [aDeadLetter({ code: 'NO_RESOURCE', body })] }));
    const kept = await deliveryLog.delivery({ eventId: 'given-up', clientId });
    await change({ enabled: false });
    const beganAtMs = Date.now();
    await work({ clientId });

    expect(kept?.state).toBe('HELD');
    const ended = await deliveryLog.delivery({ eventId: 'given-up', clientId });
    expect(ended).toMatchObject({ state: 'SUPPRESSED', reason: 'DISABLED' });
    expect(ended?.timeline.at(-1)?.atMs).toBeGreaterThanOrEqual(beganAtMs);
    expect(await statusOf()).toMatchObject({ state: 'off' });
  });

  test('EV-21 the schedule reads all partners, logs it, and reports the metric of its alarm', async () => {
    lines.length = 0;
    // A partner takes a fifth of a second, so that questions to the bus have their pace.
    const beganAtMs = performance.now();

    await quietly(() => keep({ every: 'rate(10 minutes)' }));

    expect(performance.now() - beganAtMs).toBeGreaterThan(190);
    expect(logged('ENDPOINTS_SEEN')).toMatchObject([{ service: 'keep-endpoints', partners: 1 }]);
    expect(logged('DifferingEndpoints')).toMatchObject([
      { service: 'keep-endpoints', DifferingEndpoints: 0 },
    ]);
    const turn = { TableName: 'Partners', Key: { pk: 'TURN', sk: 'ENDPOINTS' } };
    const { Item } = await engine.documents.send(new GetCommand(turn));
    expect(Item).toMatchObject({ lastClientId: clientId });
  });

  test('S-47 in AWS a loopback address is refused', async () => {
    await stores().webhookSwitch.start(2);
    process.env.LOOPBACK_ENDPOINTS = 'refused';
    const keepInAws = await startFunction('keep-endpoints');
    const webhookUrl = `http://127.0.0.1:${receiver.port}/hook`;
    const partner = aPartner({ clientId: 'LOCAL', name: 'Local', webhookUrl, webhookSetAtMs: 1 });
    await stores().partners.create({ partner, secrets: [] }, 't'.repeat(64));
    const askedBefore = receiver.received.length;

    await work({ clientId: 'LOCAL' }, keepInAws);

    expect(await statusOf('LOCAL')).toMatchObject({ state: 'failing', reason: 'not-https' });
    expect(receiver.received).toHaveLength(askedBefore);
  });

  test('I9 in AWS events leave a minute after their target was created', async () => {
    process.env.ENDPOINT_EFFECT_SECONDS = '60';
    const keepInAws = await startFunction('keep-endpoints');
    const address = { webhookUrl: 'https://partner.example/hook', webhookUnchecked: true } as const;
    const partner = aPartner({ clientId: 'SERVED', name: 'Served', ...address });
    await stores().partners.create({ partner, secrets: [] }, 'u'.repeat(64));
    const beganAtMs = Date.now();

    await work({ clientId: 'SERVED' }, keepInAws);

    const { servesFromMs = 0 } = (await statusOf('SERVED')) ?? {};
    expect(servesFromMs - beganAtMs).toBeGreaterThanOrEqual(60_000);
    expect(servesFromMs - Date.now()).toBeLessThanOrEqual(60_000);
  });

  test('S-27 a connection without the age of its signature is created again in AWS, and not on an emulator', async () => {
    const isOfServed = ({ Name }: Record<string, unknown>) => String(Name).endsWith('-SERVED');
    const first = asked.find((one) => one.target === 'CreateConnection' && isOfServed(one));
    const { Description, ...made } = first as unknown as CreateConnectionCommandInput;
    const updatesOf = async (by: typeof Keep) => {
      await bus.send(new DeleteConnectionCommand({ Name: made.Name }));
      await bus.send(new CreateConnectionCommand(made));
      asked.length = 0;
      await work({ clientId: 'SERVED' }, by);
      return asked.filter(({ target }) => target === 'UpdateConnection').length;
    };

    const atEmulator = await updatesOf(keep);
    const inAws = await updatesOf(await startFunction('keep-endpoints'));

    expect([Description, atEmulator, inAws]).toEqual([expect.stringContaining('Signature of'), 0, 1]);
  });

  test('EV-21 a bus that fails a few times is called again', async () => {
    // All four questions, and each once more.
    faults = 8;

    await work({ clientId });

    expect(faults).toBeLessThanOrEqual(0);
    expect(logged('ENDPOINT_DIFFERS')).toEqual([]);
  });

  test('S-22 no log line has the signature', () => {
    expect(lines.join('\n')).not.toContain('s'.repeat(64));
  });

  test('S-50 S-66 S-80 it needs the rights of its role at the tables, and no others', () => {
    const { service } = templatesOf('production');
    const grantedTo = (name: string) =>
      rightsOf(service, name).filter((right) => right.includes('dynamodb:'));
    const used = recorder.usedBy('');
    const byCollector = grantedTo('collect-dead-letters');

    expect(grantedTo('keep-endpoints').filter((right) => !used.includes(right))).toEqual([]);
    expect(
      used.filter((right) => !grantedTo('keep-endpoints').includes(right) && !byCollector.includes(right)),
    ).toEqual([]);
  });
});
