import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Capacity units that requests consumed; `index` is the part of the listing. */
export type Units = { write: number; index: number; read: number; requests: number };

type Consumed = { TableName?: string; CapacityUnits?: number };

/**
 * Adds up the capacity units of writes and of reads, as the engine reports them; one piece of work at a time, and of its
 * requests those that `isCounted` names.
 */
export const countUnits = (
  documents: DynamoDBDocumentClient,
  { listingTable }: { listingTable: string },
  isCounted: (input: Record<string, unknown>) => boolean = () => true,
) => {
  let units: Units = { write: 0, index: 0, read: 0, requests: 0 };
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!isCounted(args.input as Record<string, unknown>)) return next(args);
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' };
        const answer = await next({ ...args, input: input as typeof args.input });
        const { ConsumedCapacity } = answer.output as { ConsumedCapacity?: Consumed | Consumed[] };
        const isWrite = /^(Put|Update|Delete|TransactWrite)/.test(commandName);
        units.requests += 1;
        for (const { TableName, CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) {
          units[isWrite ? 'write' : 'read'] += CapacityUnits;
          if (TableName === listingTable) units.index += CapacityUnits;
        }
        return answer;
      },
    { step: 'initialize' },
  );
  return async (work: () => Promise<unknown>): Promise<Units> => {
    units = { write: 0, index: 0, read: 0, requests: 0 };
    await work();
    return { ...units };
  };
};
