import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { succeed } from '../../../functions/shared/domain/outcome.ts';
import type { PinnedPost, PostRequest } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import { openMessagesFile } from '../../../localstack/data/messages-file.ts';
import { createDispatcher } from '../../../localstack/eventbridge/delivery/dispatcher.ts';
import { type AttemptRecord, createReporter } from '../../../localstack/eventbridge/delivery/report.ts';
import { createDeliveryStore } from '../../../localstack/eventbridge/delivery/store.ts';
import { createEventRecords, type RuleTarget } from '../../../localstack/eventbridge/records.ts';
import type { QueueMessage } from '../../../localstack/sqs/message.ts';
import { openQueues } from '../../../localstack/sqs/queue.ts';
import { aClock } from '../builders/manual-clock.ts';

/** A request that waits for its receiver: the test answers it when it likes. */
type SentRequest = PostRequest & {
  answer: (outcome: Awaited<ReturnType<PinnedPost>>) => void;
  signal: AbortSignal | undefined;
};

const arn = 'arn:aws:events:eu-west-2:000000000000';
const deadLetterArn = 'arn:aws:sqs:eu-west-2:000000000000:dead';

/** The sending half of the bus over a file of its own, with a clock that stands still and receivers in the test's hands. */
export const aDispatcher = (path = join(mkdtempSync(join(tmpdir(), 'bus-')), 'events.db')) => {
  const clock = aClock();
  const file = openMessagesFile(path);
  const records = createEventRecords(file);
  const deliveries = createDeliveryStore(file);
  const queues = openQueues(file, [deadLetterQueue], { now: clock.now, endpoint: 'http://queues' });
  const sent: SentRequest[] = [];
  const recorded: AttemptRecord[] = [];
  const lines: Record<string, unknown>[] = [];
  const post: PinnedPost = (request, signal) =>
    new Promise((resolve) => {
      sent.push({ ...request, answer: resolve, signal });
      const cutShort = () => resolve({ ok: false, reason: 'timed out' });
      signal?.addEventListener('abort', () => queueMicrotask(cutShort));
    });
  const report = createReporter({
    recordAttempt: async (record) => {
      recorded.push(record);
    },
    log: (line) => lines.push(line),
  });
  const { dispatchDue, removeTarget, stop } = createDispatcher({
    deliveries,
    records,
    inOneStep: file.inOneStep,
    sendToQueue: (_, message) => queues.store.send(deadLetterQueue, message, clock.now().getTime()),
    post,
    report,
    now: clock.now,
    random: () => 1,
    patienceMs: 0,
  });
  /** Waits until everything that follows from the known facts has happened. */
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  return {
    ...{ path, clock, file, records, deliveries, sent, recorded, lines, removeTarget, settled },
    dispatchDue: async () => {
      dispatchDue();
      await settled();
    },
    answer: async (index: number, status: number, retryAfter?: string) => {
      sent[index]?.answer(succeed({ status, ...(retryAfter !== undefined && { retryAfter }) }));
      await settled();
    },
    deadLetters: (): Promise<QueueMessage[]> =>
      queues.byArn.get(deadLetterArn)?.receive(10) ?? Promise.resolve([]),
    stop: async () => {
      await stop();
      file.close();
    },
    remove: () => rmSync(join(path, '..'), { recursive: true }),
  };
};

export type TestDispatcher = ReturnType<typeof aDispatcher>;

const deadLetterQueue = {
  id: 'Dead',
  name: 'dead',
  arn: deadLetterArn,
  visibilitySeconds: 30,
  retentionSeconds: 1_209_600,
};

/** A partner's connection, destination and target, as the operator's tool makes them. */
export const addPartner = ({ records, clock }: TestDispatcher, name: string, perSecond = 300): RuleTarget => {
  const at = { createdMs: clock.now().getTime(), modifiedMs: clock.now().getTime() };
  records.connections.put(name, {
    ...at,
    Name: name,
    ConnectionArn: `${arn}:connection/${name}/1`,
    apiKey: { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue: `${name}-secret` },
    headers: [],
  });
  records.destinations.put(name, {
    ...at,
    Name: name,
    ApiDestinationArn: `${arn}:api-destination/${name}/1`,
    ConnectionArn: `${arn}:connection/${name}/1`,
    InvocationEndpoint: `https://${name}.example/`,
    HttpMethod: 'POST',
    InvocationRateLimitPerSecond: perSecond,
  });
  return {
    Id: 'partner',
    Arn: `${arn}:api-destination/${name}/1`,
    RoleArn: 'arn:role',
    InputPath: '$.detail.message',
    HttpParameters: { HeaderParameters: { 'Idempotency-Key': '$.detail.delivery.id' } },
    RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 3600 },
    DeadLetterConfig: { Arn: deadLetterArn },
  };
};

/** An event that the bus took for a partner. */
export const accept = (
  { deliveries, clock }: TestDispatcher,
  target: RuleTarget,
  eventId: string,
): string => {
  const event = JSON.stringify({
    version: '0',
    id: `bus-${eventId}`,
    detail: { to: 'CLIENT', message: { id: eventId }, delivery: { id: eventId, from: '0', to: '1' } },
  });
  const ruleArn = `${arn}:rule/bus/${target.Arn.split('/')[1]}`;
  deliveries.accept({ ruleArn, target, event, acceptedMs: clock.now().getTime() });
  return event;
};
