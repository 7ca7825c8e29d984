import { presentTransaction, type Sight } from '../domain/query/projection.ts';
import type { Selection } from '../domain/query/selection.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { strongTag } from './entity-tag.ts';
import { type AnswerHeaders, json, type Written } from './response.ts';

/** One transaction as an answer, with its strong tag (V2-1, COND-1). */
export const transactionAnswer = (
  { transaction, version }: Pick<StoredTransaction, 'transaction' | 'version'>,
  selection: Selection,
  { sight, headers, status = 200 }: { sight: Sight; headers?: AnswerHeaders; status?: number },
): Written => {
  const answer = json(status, presentTransaction(transaction, selection, sight), headers);
  return { ...answer, headers: { ...answer.headers, ETag: strongTag(version, answer.body) } };
};
