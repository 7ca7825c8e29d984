import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../runtime/clock.ts';
import { failureOf, wasSentAgain } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { DebounceKey } from './keys.ts';

/** What the stores of debounce rows and of the delivery log are handed. */
export type DebounceAccess = TableAccess<'debounceTable'> & { clock: Clock };

/** An update of one row. Names stand in its texts as `#name`, values as `:name`. */
export type RowUpdate = {
  update: string;
  condition?: string;
  values: Record<string, unknown>;
  returns?: 'ALL_NEW' | 'UPDATED_NEW';
};

/** What came of it; `perhapsDone` where an answer was lost before the condition failed. */
export type RowUpdateResult =
  | { isDone: true; attributes: Record<string, unknown> }
  | { isDone: false; perhapsDone: boolean };

/** Makes a change on its condition, tried again where that does no harm. */
export const updateRow = (
  { documents, debounceTable, retryDelays }: TableAccess<'debounceTable'>,
  key: DebounceKey,
  { update, condition, values, returns }: RowUpdate,
): Promise<RowUpdateResult> => {
  const request = new UpdateCommand({
    TableName: debounceTable,
    Key: key,
    UpdateExpression: update,
    ...(condition !== undefined && { ConditionExpression: condition }),
    ExpressionAttributeNames: namesIn(`${update} ${condition ?? ''}`),
    ExpressionAttributeValues: valuesOf(values),
    ...(returns && { ReturnValues: returns }),
  });
  return writeRow(retryDelays, () => documents.send(request));
};

/** Makes a write of one row on its condition, tried again where that does no harm. */
export const writeRow = (
  retryDelays: TableAccess<never>['retryDelays'],
  write: () => Promise<{ Attributes?: Record<string, unknown> | undefined }>,
): Promise<RowUpdateResult> =>
  withRetries(async (perhapsDone): Promise<RowUpdateResult> => {
    try {
      const { Attributes = {} } = await write();
      return { isDone: true, attributes: Attributes };
    } catch (error) {
      if (failureOf(error) !== 'condition-failed') throw error;
      return { isDone: false, perhapsDone: perhapsDone || wasSentAgain(error) };
    }
  }, retryDelays);

/** Every name is aliased by itself, so that none has to be known as reserved. */
export const namesIn = (expressions: string): Record<string, string> =>
  Object.fromEntries([...expressions.matchAll(/#(\w+)/g)].map(([alias, name = '']) => [alias, name]));

export const valuesOf = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]));
