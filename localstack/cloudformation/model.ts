import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { Pattern } from '../aws/event-pattern.ts';
import type { Resource, Stack } from './resolve.ts';
import type { Route } from './routes.ts';

export type CloudFunction = {
  id: string;
  /** The name for people, and for the log file. */
  name: string;
  /** The folder of its bundle. */
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

/** A secret that a function rotates by command. */
export type CloudRotation = { secretArn: string; functionId: string };

export type CloudTable = { id: string; name: string; definition: CreateTableCommandInput };

export type CloudTask = { id: string; type: string; functionId: string; properties: Record<string, unknown> };

/** The resources of the synthesised stacks that the local stage runs. */
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
  /** The outputs of all stacks by name. */
  outputs: Record<string, string>;
};

/** A resource with its properties resolved. */
export type ResolvedResource = {
  stack: Stack;
  id: string;
  resource: Resource;
  properties: Record<string, unknown>;
};

/** A function that is called at a rate. */
export type CloudSchedule = { id: string; functionId: string; everyMs: number; input: unknown };

export type CloudBus = { id: string; name: string; arn: string };

/** A queue, with the defaults of SQS. The name of a FIFO queue ends in `.fifo`. */
export type CloudQueue = {
  id: string;
  name: string;
  arn: string;
  visibilitySeconds: number;
  retentionSeconds: number;
};

/** The common properties of stream and queue sources. */
export type EventSourceCommon = {
  id: string;
  functionId: string;
  /** The most records of one call. */
  batchSize: number;
  /** Whether the function's answer names the records that failed. */
  reportsItemFailures: boolean;
};

/** A function that gets the changes of a table. */
export type CloudStreamSource = EventSourceCommon & {
  kind: 'stream';
  table: string;
  /** The records that the function gets; others are skipped. */
  accepts: Pattern;
  functionArn: string;
  /** Whether a failed batch is halved until the failing record is alone. */
  bisects: boolean;
  maxRetries: number;
  maxAgeMs: number;
  /** The queue for notices of records that were given up. */
  onFailureArn?: string;
};

/** A function that gets the messages of a queue. */
export type CloudQueueSource = EventSourceCommon & {
  kind: 'queue';
  queueArn: string;
  /** The most batches that are processed at the same time. */
  maximumConcurrency: number;
};

export type CloudEventSource = CloudStreamSource | CloudQueueSource;

/** An API's own response of a type, with `$context` placeholders in body and headers. */
export type GatewayResponse = {
  api: string;
  type: string;
  status?: number;
  body?: { contentType: string; template: string };
  headers: Record<string, string>;
};
