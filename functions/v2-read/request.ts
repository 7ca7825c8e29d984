import type { Outcome } from '../shared/domain/outcome.ts';
import { succeed } from '../shared/domain/outcome.ts';
import { acceptParameters, type ParametersFault } from '../shared/domain/query/parameters.ts';
import { readSelection, type Selection } from '../shared/domain/query/selection.ts';
import type { HttpEvent } from '../shared/http/request.ts';

/** What is asked of one transaction: `fields` and `expand` as in lists (V2-1). */
export const readTransactionQuery = (
  event: Pick<HttpEvent, 'multiValueQueryStringParameters'>,
): Outcome<Selection, ParametersFault> => {
  const accepted = acceptParameters(event.multiValueQueryStringParameters);
  return accepted.ok ? succeed(readSelection(accepted.value)) : accepted;
};
