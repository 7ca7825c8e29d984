import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { Pattern } from '../aws/event-pattern.ts';
import type { Resource, Stack } from './resolve.ts';
import type { Route } from './routes.ts';

export type CloudFunction = {
  id: string;
  /** For people: the name of its log. */
  name: string;
  /** Where its bundle lies. */
  folder: string;
  /** `file.export` */
  handler: string;
  timeoutSeconds: number;
  variables: Record<string, string>;
};

export type CloudSecret = {
  id: string;
  arn: string;
  name: string;
  generated?: { length: number; punctuation: boolean };
};

/** A secret that is rotated by a function, when it is asked for. */
export type CloudRotation = { secretArn: string; functionId: string };

export type CloudTable = { id: string; name: string; definition: CreateTableCommandInput };

export type CloudTask = { id: string; type: string; functionId: string; properties: Record<string, unknown> };

/** Everything of the synthesised stacks that the local stage runs. */
export type Cloud = {
  tables: CloudTable[];
  secrets: CloudSecret[];
  rotations: CloudRotation[];
  functions: CloudFunction[];
  routes: Route[];
  gatewayResponses: GatewayResponse[];
  /** Custom resources: functions that run once at each start. */
  tasks: CloudTask[];
  schedules: CloudSchedule[];
  eventSources: CloudEventSource[];
  buses: CloudBus[];
  queues: CloudQueue[];
  /** What the stacks tell people and programs, by name. */
  outputs: Record<string, string>;
};

/** One resource with its properties resolved. */
export type ResolvedResource = {
  stack: Stack;
  id: string;
  resource: Resource;
  properties: Record<string, unknown>;
};

/** A function that is called again and again, as the template says. */
export type CloudSchedule = { id: string; functionId: string; everyMs: number; input: unknown };

export type CloudBus = { id: string; name: string; arn: string };

/** A queue, with SQS's own defaults where the template names nothing. The name of a FIFO queue ends in `.fifo`. */
export type CloudQueue = {
  id: string;
  name: string;
  arn: string;
  visibilitySeconds: number;
  retentionSeconds: number;
};

/** What the sources of a stream and of a queue have in common. */
export type EventSourceCommon = {
  id: string;
  functionId: string;
  /** The most records that one event brings. */
  batchSize: number;
  /** The function's answer names the records that failed. */
  reportsItemFailures: boolean;
};

/** A function that is told of the changes of a table. */
export type CloudStreamSource = EventSourceCommon & {
  kind: 'stream';
  table: string;
  /** What the function is told of; the rest is passed over. */
  accepts: Pattern;
  functionArn: string;
  /** A failed batch is halved, until what fails is alone. */
  bisects: boolean;
  maxRetries: number;
  maxAgeMs: number;
  /** The queue that is told of records which were given up. */
  onFailureArn?: string;
};

/** A function that is told of the messages of a queue. */
export type CloudQueueSource = EventSourceCommon & {
  kind: 'queue';
  queueArn: string;
  /** At most so many batches are worked on at the same time. */
  maximumConcurrency: number;
};

export type CloudEventSource = CloudStreamSource | CloudQueueSource;

/** What an API answers by itself: the type of answer, and its body and headers with `$context` placeholders. */
export type GatewayResponse = {
  api: string;
  type: string;
  status?: number;
  body?: { contentType: string; template: string };
  headers: Record<string, string>;
};
