import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { DescribeEventBusCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageBatchCommand, type SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { createHandler as createCapture } from '../../../functions/capture-change/handler.ts';
import { createHandler as createCollect } from '../../../functions/collect-dead-letters/handler.ts';
import { createHandler as createPublish, lightLoad } from '../../../functions/publish-dormant/handler.ts';
import { createNextTick, createTicks, type TickMemory } from '../../../functions/publish-dormant/ticks.ts';
import { createHandler as createReconcile } from '../../../functions/reconcile/handler.ts';
import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import { createEndpointRequests } from '../../../functions/shared/outbound/endpoint-requests.ts';
import { createEventBus } from '../../../functions/shared/outbound/event-bus-client.ts';
import {
  createCompletionRequest,
  createWorkerRequest,
} from '../../../functions/shared/outbound/flush-queues.ts';
import type { OutboundQueue } from '../../../functions/shared/outbound/queue.ts';
import type { Workload } from '../../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../../functions/shared/publish/publish-deps.ts';
import type { Log } from '../../../functions/shared/runtime/logger.ts';
import { publishTimeoutSeconds } from '../../../lib/event-times.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Process, Processes } from '../kernel/process.ts';
import type { Bus } from './bus.ts';
import type { History } from './history.ts';
import type { Message } from './queue.ts';

const stage = 'local';
export const source = 'svc.local.online-payments';
const dormancyMs = 120_000;
const tickSeconds = 10;

/** The queues that feed the flush, and those of `keep-endpoints`, by their addresses. */
export type QueueName = 'ticks' | 'shards' | 'completions' | 'endpoints' | 'delays';

export type ServiceDeps = {
  processes: Processes;
  ports: (process: Process) => Ports;
  bus: Bus;
  history: History;
  /** Puts a message into a queue. */
  sendMessage: (queue: QueueName, message: Message, delaySeconds: number) => void;
  /** What the container of a process remembers. */
  memoryOf: (process: Process) => TickMemory;
  /** What a poll publishes itself. Defaults to production's. */
  light?: Workload;
};

/** The production functions, each run over ports that belong to its own process. */
export const createService = (deps: ServiceDeps) => {
  const { processes, history, bus } = deps;

  const log: Log = (name, facts, fault) => {
    history.logs.push(`${name} ${JSON.stringify(facts)}${fault instanceof Error ? ` ${fault.name}` : ''}`);
  };

  /** The SDK's client, as far as the production adapter uses it. */
  const eventBridge = (process: Process) => ({
    send: async (command: unknown) => {
      if (command instanceof DescribeEventBusCommand) return {};
      if (!(command instanceof PutEventsCommand)) throw new Error('The simulated bus knows PutEvents only');
      const { Entries = [] } = command.input;
      return processes.step(process, { port: 'bus', method: 'putEvents', args: [Entries] }, async () => ({
        Entries: bus.putEvents(Entries, process.name),
      }));
    },
  });

  const queueOf = (process: Process, name: QueueName): OutboundQueue => ({
    client: queueClient(process) as unknown as OutboundQueue['client'],
    queueUrl: name,
  });

  const queueClient = (process: Process) => ({
    send: async (command: unknown) => {
      if (!(command instanceof SendMessageBatchCommand))
        throw new Error('The simulated queue takes batches only');
      const { Entries = [], QueueUrl } = command.input;
      return processes.step(
        process,
        { port: 'queue', method: 'sendBatch', args: [Entries.length] },
        async () => {
          for (const { DelaySeconds = 0, ...entry } of Entries)
            deps.sendMessage(QueueUrl as QueueName, messageOf(entry), DelaySeconds);
          return {};
        },
      );
    },
  });

  const publishing = (process: Process): PublishDeps => {
    const { transactions, partners, debounceRows, deliveryLog } = deps.ports(process);
    const client = eventBridge(process) as unknown as Pick<EventBridgeClient, 'send'>;
    return {
      ...{ transactions, partners, debounceRows, deliveryLog, log, stage },
      clock: processes.clockOf(process),
      bus: createEventBus(client, { busName: 'bus', source, stage, log }),
      settings: settingsOf(dormancyMs),
      origin: { source, region: 'eu-west-2' },
    };
  };

  /** Makes replayed deliveries due. */
  const sendingAgain = (process: Process) => {
    const { transactions, deliveryLog } = deps.ports(process);
    return { transactions, deliveryLog, clock: processes.clockOf(process) };
  };

  const common = (process: Process) => ({
    ...deps.ports(process),
    clock: processes.clockOf(process),
    log,
    report: () => {},
    dormancyMs,
  });

  /** Has `keep-endpoints` look at a partner. */
  const endpointRequests = (process: Process) => createEndpointRequests(queueOf(process, 'endpoints'));

  return {
    sendingAgain,
    queueOf,
    log,
    /** What the payment's function does when a transaction has completed. */
    askForCompletion: (process: Process) => createCompletionRequest(queueOf(process, 'completions')),
    captureChange: (process: Process, event: DynamoDBStreamEvent) => {
      const { debounceRows, ...others } = common(process);
      return createCapture({ ...others, recordChange: debounceRows.recordChange })(event);
    },
    publishDormant: (process: Process, event: unknown) => {
      const remaining = () =>
        publishTimeoutSeconds * 1_000 - trueMsOf(process, processes) + process.startedAtMs;
      return createPublish({
        publishing: publishing(process),
        ticks: createTicks({
          ...{ ...queueOf(process, 'ticks'), tickSeconds },
          ...{ clock: processes.clockOf(process), memory: deps.memoryOf(process) },
        }),
        light: deps.light ?? lightLoad,
        askForWorkers: createWorkerRequest(queueOf(process, 'shards')),
        sendTick: createNextTick(queueOf(process, 'ticks')),
        report: () => {},
      })(event, { awsRequestId: process.name, getRemainingTimeInMillis: remaining });
    },
    reconcile: (process: Process, event: unknown) => createReconcile(common(process))(event),
    collectDeadLetters: (process: Process, event: SQSEvent) =>
      createCollect({ ...common(process), endpointRequests: endpointRequests(process) })(event),
    endpointRequests,
  };
};

export type Service = ReturnType<typeof createService>;

/** A message in a queue. Only messages of a FIFO queue have a group. */
const messageOf = ({
  MessageBody = '',
  MessageGroupId,
  MessageDeduplicationId,
}: SendMessageBatchRequestEntry): Message => ({
  body: MessageBody,
  ...(MessageGroupId !== undefined && { groupId: MessageGroupId }),
  ...(MessageDeduplicationId !== undefined && { deduplicationId: MessageDeduplicationId }),
});

/** Since the world began, without what the machine's own clock is off. */
export const trueMsOf = (process: Process, { clockOf, epochMs }: Processes) =>
  clockOf(process)().getTime() - process.skewMs - epochMs;
