import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The cost of requests: units of the listing and of the records, and the longest chain of waiting requests. */
export type Cost = { index: number; records: number; requests: number; waves: number; writeItems: number };

type Consumed = { TableName?: string; CapacityUnits?: number };
type Request = { input: Record<string, unknown> };
type Answer = { output: { ConsumedCapacity?: Consumed | Consumed[] } };

/** Counts capacity units from `ReturnConsumedCapacity` of the real engine. */
export const createMeter = (documents: DynamoDBDocumentClient, listingTable: string) => {
  let cost: Cost = noCost();
  let answered = 0;

  const count = async (request: Request, send: (request: Request) => Promise<Answer>) => {
    const depth = answered + 1;
    const answer = await send({ ...request, input: { ...request.input, ReturnConsumedCapacity: 'TOTAL' } });
    answered = Math.max(answered, depth);
    const isIndex = ({ TableName }: Consumed) => TableName === listingTable;
    const consumed = [answer.output.ConsumedCapacity ?? []].flat();
    cost = {
      index: cost.index + unitsOf(consumed.filter(isIndex)),
      records: cost.records + unitsOf(consumed.filter((part) => !isIndex(part))),
      requests: cost.requests + 1,
      waves: answered,
      writeItems: Math.max(
        cost.writeItems,
        (request.input.TransactItems as unknown[] | undefined)?.length ?? 1,
      ),
    };
    return answer;
  };

  documents.middlewareStack.add((next) => ((request: Request) => count(request, next as never)) as never, {
    step: 'initialize',
    name: 'meter',
  });

  /** Measures one piece of work; only one may run at a time. */
  return async (work: () => Promise<unknown>): Promise<Cost> => {
    cost = noCost();
    answered = 0;
    await work();
    return cost;
  };
};

export type Meter = ReturnType<typeof createMeter>;

const noCost = (): Cost => ({ index: 0, records: 0, requests: 0, waves: 0, writeItems: 0 });

const unitsOf = (consumed: Consumed[]) =>
  consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
