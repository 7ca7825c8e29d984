import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../runtime/clock.ts';
import { failureOf, wasSentAgain } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import type { DebounceKey } from './keys.ts';

/** Access for the stores of debounce rows and of the delivery log. */
export type DebounceAccess = TableAccess<'debounceTable'> & { clock: Clock };

/** An update of one row. Its texts have names as `#name` and values as `:name`. */
export type RowUpdate = {
  update: string;
  condition?: string;
  values: Record<string, unknown>;
  returns?: 'ALL_NEW' | 'UPDATED_NEW';
};

/** The result; `perhapsDone` if an answer was lost before the condition failed. */
export type RowUpdateResult =
  | { isDone: true; attributes: Record<string, unknown> }
  | { isDone: false; perhapsDone: boolean };

/** Updates a row on a condition, with retries where they do no harm. */
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

/** Writes a row on a condition, with retries where they do no harm. */
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

/** Every name has an alias, so that reserved words need not be known. */
export const namesIn = (expressions: string): Record<string, string> =>
  Object.fromEntries([...expressions.matchAll(/#(\w+)/g)].map(([alias, name = '']) => [alias, name]));

export const valuesOf = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]));
