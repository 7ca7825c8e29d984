import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * The cost of requests: capacity units of writes and reads, those of the listing and of all other tables, the longest chain
 * of waiting requests, the items of the largest write, and the writes that were done and refused. The engine reports no units
 * of a refused one.
 */
export type Cost = Record<
  'write' | 'read' | 'index' | 'records' | 'requests' | 'waves' | 'writeItems' | 'writes' | 'refused',
  number
>;

type Consumed = { TableName?: string; CapacityUnits?: number };
type Request = { input: Record<string, unknown> };
type Answer = { output: { ConsumedCapacity?: Consumed | Consumed[] } };

/** Counts capacity units from `ReturnConsumedCapacity` of the real engine. */
export const createMeter = (documents: DynamoDBDocumentClient, listingTable: string) => {
  let cost: Cost = noCost();
  let answered = 0;

  const count = async (name: string, request: Request, send: (request: Request) => Promise<Answer>) => {
    const depth = answered + 1;
    const kind = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(name) ? 'write' : 'read';
    const metered = { ...request, input: { ...request.input, ReturnConsumedCapacity: 'TOTAL' } };
    const answer = await send(metered).catch((fault) => {
      if (kind === 'write') cost.refused += 1;
      throw fault;
    });
    if (kind === 'write') cost.writes += 1;
    answered = Math.max(answered, depth);
    cost.requests += 1;
    cost.waves = answered;
    const items = (request.input.TransactItems as unknown[] | undefined)?.length ?? 1;
    cost.writeItems = Math.max(cost.writeItems, items);
    for (const { TableName, CapacityUnits = 0 } of [answer.output.ConsumedCapacity ?? []].flat()) {
      cost[kind] += CapacityUnits;
      cost[TableName === listingTable ? 'index' : 'records'] += CapacityUnits;
    }
    return answer;
  };

  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      ((request: Request) => count(commandName, request, next as never)) as never,
    { step: 'initialize', name: 'meter' },
  );

  /** Measures one piece of work; only one may run at a time. */
  return async (work: () => Promise<unknown>): Promise<Cost> => {
    cost = noCost();
    answered = 0;
    await work();
    return { ...cost };
  };
};

export type Meter = ReturnType<typeof createMeter>;

const noCost = (): Cost => ({
  write: 0,
  read: 0,
  index: 0,
  records: 0,
  requests: 0,
  waves: 0,
  writeItems: 0,
  writes: 0,
  refused: 0,
});
