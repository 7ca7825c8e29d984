import { UserError } from '../../bin/operator/user-error.ts';
import { createPattern, type Pattern } from '../aws/event-pattern.ts';
import { account, region } from '../aws/names.ts';
import type {
  CloudEventSource,
  CloudQueueSource,
  CloudStreamSource,
  EventSourceCommon,
  ResolvedResource,
} from './model.ts';

/** Reads an event source mapping. Throws a UserError for a property that the local stage does not know. */
export const eventSourceOf = ({ id, properties }: ResolvedResource): CloudEventSource => {
  refuseUnknown(id, properties);
  const source = String(properties.EventSourceArn);
  const table = /^arn:aws:dynamodb:[^:]*:[^:]*:table\/([^/]+)\/stream\//.exec(source)?.[1];
  if (table) return streamSourceOf(id, table, properties);
  if (source.startsWith('arn:aws:sqs:')) return queueSourceOf(id, source, properties);
  throw new UserError(`The local stage does not know the event source ${source} (${id}).`);
};

type Properties = Record<string, unknown>;

const known = [
  'BatchSize',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'EventSourceArn',
  'FilterCriteria',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumRecordAgeInSeconds',
  'MaximumRetryAttempts',
  'ScalingConfig',
  'Tags',
];

/** Properties with a single known value. */
const knownValues: Properties = {
  MaximumBatchingWindowInSeconds: 0,
  ParallelizationFactor: 1,
  // LATEST misses records that are written while a mapping is created.
  StartingPosition: 'TRIM_HORIZON',
};

const refuseUnknown = (id: string, properties: Properties) => {
  for (const [name, value] of Object.entries(properties)) {
    if (known.includes(name) || knownValues[name] === value) continue;
    throw new UserError(
      `The local stage does not know ${name} ${JSON.stringify(value)} of an event source (${id}).`,
    );
  }
};

const streamSourceOf = (id: string, table: string, properties: Properties): CloudStreamSource => {
  const onFailureArn = onFailureOf(id, properties.DestinationConfig);
  const common = commonOf(id, properties, 100);
  return {
    ...common,
    kind: 'stream',
    table,
    accepts: filterOf(properties.FilterCriteria),
    functionArn: `arn:aws:lambda:${region}:${account}:function:${common.functionId}`,
    bisects: properties.BisectBatchOnFunctionError === true,
    maxRetries: limitOf(properties.MaximumRetryAttempts),
    maxAgeMs: limitOf(properties.MaximumRecordAgeInSeconds) * 1000,
    ...(onFailureArn && { onFailureArn }),
  };
};

/** -1 or an absent value means no limit. */
const limitOf = (value: unknown): number =>
  value === undefined || value === -1 ? Number.POSITIVE_INFINITY : Number(value);

const onFailureOf = (id: string, config: unknown): string | undefined => {
  const { OnFailure } = (config ?? {}) as { OnFailure?: { Destination?: unknown } };
  if (!OnFailure) return undefined;
  const arn = String(OnFailure.Destination);
  if (arn.startsWith('arn:aws:sqs:')) return arn;
  throw new UserError(`The local stage does not know the failure destination ${arn} (${id}).`);
};

const queueSourceOf = (id: string, queueArn: string, properties: Properties): CloudQueueSource => {
  if (properties.FilterCriteria !== undefined)
    throw new UserError(`The local stage does not know FilterCriteria of a queue (${id}).`);
  return {
    ...commonOf(id, properties, 10),
    kind: 'queue',
    queueArn,
    maximumConcurrency: concurrencyOf(properties.ScalingConfig),
  };
};

/** The default here is one batch at a time, whereas Lambda starts up to 1,000. */
const concurrencyOf = (config: unknown): number =>
  Number((config as { MaximumConcurrency?: unknown } | undefined)?.MaximumConcurrency ?? 1);

const commonOf = (id: string, properties: Properties, batchSize: number): EventSourceCommon => ({
  id,
  functionId: String(properties.FunctionName).replace(/^.*:function:/, ''),
  batchSize: Number(properties.BatchSize ?? batchSize),
  reportsItemFailures:
    (properties.FunctionResponseTypes as string[] | undefined)?.includes('ReportBatchItemFailures') === true,
});

/** A record passes if any of the filters matches. */
const filterOf = (criteria: unknown): Pattern => {
  const { Filters = [] } = (criteria ?? {}) as { Filters?: { Pattern: string }[] };
  const patterns = Filters.map(({ Pattern }) => createPattern(JSON.parse(Pattern)));
  return (record) => patterns.length === 0 || patterns.some((matches) => matches(record));
};
