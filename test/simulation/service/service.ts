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
import type { SendDeps } from '../../../functions/shared/events/send.ts';
import { createEndpointRequests } from '../../../functions/shared/outbound/endpoint-requests.ts';
import { createEventBus } from '../../../functions/shared/outbound/event-bus-client.ts';
import {
  createCompletionRequest,
  createWorkerRequest,
} from '../../../functions/shared/outbound/flush-queues.ts';
import type { OutboundQueue } from '../../../functions/shared/outbound/queue.ts';
import type { Log } from '../../../functions/shared/runtime/logger.ts';
import { publishTimeoutSeconds, reconcileTimeoutSeconds } from '../../../lib/event-times.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Process, Processes } from '../kernel/process.ts';
import type { Bus } from './bus.ts';
import type { History } from './history.ts';
import type { Message } from './queue.ts';

const stage = 'local';
export const source = 'svc.local.online-payments';
const dormancyMs = 120_000;
const tickSeconds = 10;

/** The queues of `publish-dormant`, and that of `keep-endpoints`, by their addresses. */
export type QueueName = 'publish' | 'shards' | 'endpoints';

export type ServiceDeps = {
  processes: Processes;
  ports: (process: Process) => Ports;
  bus: Bus;
  history: History;
  /** Puts a message into a queue. */
  sendMessage: (queue: QueueName, message: Message, delaySeconds: number) => void;
  /** Of all partners. */
  clientIds: () => string[];
  /** What the container of a process remembers. */
  memoryOf: (process: Process) => TickMemory;
  /** What a poll publishes itself. Defaults to production's. */
  light?: { rows: number };
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

  const sending = (process: Process): SendDeps => {
    const { transactions, partners, table, stop } = deps.ports(process);
    const client = eventBridge(process) as unknown as Pick<EventBridgeClient, 'send'>;
    return {
      ...{ transactions, partners, table, log, stage },
      isStopped: stop.isStopped,
      newId: newIdOf(process),
      pause: (ms) => (ms > 0 ? processes.sleep(process, ms) : Promise.resolve()),
      clock: processes.clockOf(process),
      bus: createEventBus(client, { busName: 'bus', source, stage, log }),
      settings: settingsOf(dormancyMs),
      origin: { source, region: 'eu-west-2' },
    };
  };

  /** Puts passes and debts. */
  const sendingAgain = (process: Process) => {
    const { table } = deps.ports(process);
    return { table, clock: processes.clockOf(process), newId: newIdOf(process) };
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
    askForCompletion: (process: Process) => createCompletionRequest(queueOf(process, 'publish')),
    captureChange: (process: Process, event: DynamoDBStreamEvent) => {
      const { table, ...others } = common(process);
      return createCapture({ ...others, recordChange: table.recordChange })(event);
    },
    publishDormant: (process: Process, event: unknown) => {
      const remaining = () =>
        publishTimeoutSeconds * 1_000 - trueMsOf(process, processes) + process.startedAtMs;
      return createPublish({
        sending: sending(process),
        ticks: createTicks({
          ...{ ...queueOf(process, 'publish'), tickSeconds },
          ...{ clock: processes.clockOf(process), memory: deps.memoryOf(process) },
        }),
        atMostRows: deps.light?.rows ?? lightLoad,
        askForWorkers: createWorkerRequest(queueOf(process, 'shards')),
        sendTick: createNextTick(queueOf(process, 'publish')),
        report: () => {},
      })(event, { awsRequestId: process.name, getRemainingTimeInMillis: remaining });
    },
    reconcile: (process: Process, event: unknown) => {
      const { stop } = deps.ports(process);
      const more = {
        clientIds: async () => deps.clientIds(),
        isStopped: stop.isStopped,
        newId: newIdOf(process),
      };
      const remaining = () =>
        reconcileTimeoutSeconds * 1_000 - trueMsOf(process, processes) + process.startedAtMs;
      return createReconcile({ ...common(process), ...more })(event, { getRemainingTimeInMillis: remaining });
    },
    collectDeadLetters: (process: Process, event: SQSEvent) =>
      createCollect({
        ...common(process),
        newId: newIdOf(process),
        endpointRequests: endpointRequests(process),
      })(event),
    endpointRequests,
  };
};

export type Service = ReturnType<typeof createService>;

/** Different in each process. */
const newIdOf = ({ name }: Process) => {
  let made = 0;
  return () => {
    made += 1;
    return `${name}-${made}`;
  };
};

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
