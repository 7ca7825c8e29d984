import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What may go wrong between us and DynamoDB. dynoxide never conflicts, throttles or lags: these do it for it. */
export type Fault =
  | 'conflict'
  | 'throttle'
  | 'crash-before-send'
  | 'answer-lost'
  /** The answer is lost for longer than the engine remembers tokens: ten minutes. */
  | 'answer-and-token-lost'
  | 'duplicate'
  | 'unprocessed-keys';

/** Which fault, if any, strikes this request. */
export type ChooseFault = (command: string, input: Record<string, unknown>) => Fault | undefined;

/** Lets the next request meet the fault that a test sets. */
export const faultOfNext = () => {
  const next: { fault: Fault | undefined } = { fault: undefined };
  const choose = () => {
    const { fault } = next;
    next.fault = undefined;
    return fault;
  };
  return { next, choose };
};

type Handler = (request: { input: Record<string, unknown> }) => Promise<{ output: unknown }>;

/** Puts faults between the caller and the engine; reads that are not strongly consistent are answered as if nothing was there. */
export const injectFaults = (documents: DynamoDBDocumentClient, choose: ChooseFault) => {
  const counts: Record<string, number> = {};
  documents.middlewareStack.add(
    (next, context) =>
      (async (request: { input: Record<string, unknown> }) => {
        const command = context.commandName ?? '';
        const send = next as unknown as Handler;
        if (isStale(command, request.input)) return { output: { $metadata: {} } };
        const fault = choose(command, request.input);
        if (fault) counts[fault] = (counts[fault] ?? 0) + 1;
        return strike(fault, command, request, send);
      }) as never,
    { step: 'initialize', priority: 'high', name: 'injectFaults' },
  );
  return counts;
};

const strike = async (
  fault: Fault | undefined,
  command: string,
  request: { input: Record<string, unknown> },
  send: Handler,
) => {
  switch (fault) {
    case undefined:
      return send(request);
    case 'conflict':
      throw conflictOf(command);
    case 'throttle':
      throw errorOf('ProvisionedThroughputExceededException', { $metadata: { httpStatusCode: 400 } });
    case 'crash-before-send':
      throw errorOf('Error', { code: 'ECONNREFUSED' });
    case 'answer-lost':
      await send(request);
      throw errorOf('TimeoutError', { code: 'ECONNRESET' });
    case 'answer-and-token-lost':
      await send({ ...request, input: withoutToken(request.input) });
      throw errorOf('TimeoutError', { code: 'ECONNRESET' });
    case 'duplicate':
      await send(request);
      return sendAgain(send, request);
    case 'unprocessed-keys':
      return command === 'BatchGetItemCommand' ? leaveUnprocessed(send, request) : send(request);
    default:
      return fault satisfies never;
  }
};

const errorOf = (name: string, members: object) =>
  Object.assign(new Error(`injected ${name}`), { name }, members);

const conflictOf = (command: string) =>
  command.startsWith('Transact')
    ? errorOf('TransactionCanceledException', {
        $metadata: { httpStatusCode: 400 },
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      })
    : errorOf('TransactionConflictException', { $metadata: { httpStatusCode: 400 } });

const withoutToken = ({ ClientRequestToken: _, ...input }: Record<string, unknown>) => input;

/** As the SDK does it after a lost answer: it says how often it sent. */
const sendAgain = async (send: Handler, request: { input: Record<string, unknown> }) => {
  try {
    return await send(request);
  } catch (error) {
    const { $metadata } = error as { $metadata?: object };
    throw Object.assign(error as Error, { $metadata: { ...$metadata, attempts: 2 } });
  }
};

type Keys = Record<string, { Keys: unknown[] }>;

/** Answers the first half of the keys of each table. */
const leaveUnprocessed = async (send: Handler, request: { input: Record<string, unknown> }) => {
  const tables = Object.entries(request.input.RequestItems as Keys);
  const half = (take: (keys: unknown[]) => unknown[]) =>
    Object.fromEntries(tables.map(([table, { Keys, ...more }]) => [table, { ...more, Keys: take(Keys) }]));
  const middle = (keys: unknown[]) => Math.ceil(keys.length / 2);
  const input = { ...request.input, RequestItems: half((keys) => keys.slice(0, middle(keys))) };
  const { output, ...answer } = await send({ ...request, input });
  const rest = half((keys) => keys.slice(middle(keys)));
  const UnprocessedKeys = Object.fromEntries(Object.entries(rest).filter(([, { Keys }]) => Keys.length > 0));
  return { ...answer, output: { ...(output as object), UnprocessedKeys } };
};

/** An engine may answer such a read with an older state. An index has no other reads, so its readers expect that. */
const isStale = (command: string, input: Record<string, unknown>) => {
  if (command === 'GetItemCommand' || command === 'QueryCommand' || command === 'ScanCommand')
    return input.ConsistentRead !== true && input.IndexName === undefined;
  if (command !== 'BatchGetItemCommand') return false;
  return Object.values(input.RequestItems as Record<string, { ConsistentRead?: boolean }>).some(
    ({ ConsistentRead }) => ConsistentRead !== true,
  );
};
