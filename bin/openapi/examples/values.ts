import type { ResponseHeaders } from '../../../functions/shared/http/response.ts';
import { cursorAt } from '../../../functions/v2-partner/event-query.ts';
import { addresses } from './addresses.ts';
import { eventId } from './messages.ts';
import { complete, listHeaders } from './transactions.ts';

/** The value of one header of an answer by the service. */
export const headerIn = (headers: ResponseHeaders, name: string): string => {
  const value = headers[name];
  if (value === undefined) throw new Error(`The example has no ${name}`);
  return value;
};

const next = /<([^>]+)>; rel=next/.exec(headerIn(listHeaders, 'Link'))?.[1] ?? '';

/** The cursor in the examples of lists. */
export const listCursor = new URL(next).searchParams.get('after') ?? '';

/** After the event of the examples (V2-7). */
export const eventCursorExample = cursorAt(
  `01795253580000#${eventId}#FAILED`,
  { 'per-page': ['1'] },
  'exampleclient0000000000001',
);

export const webhookAddress = `${addresses.baseUrl}/v2/webhook`;
export const transactionAddress = `${addresses.baseUrl}/transaction/${complete.uuid}`;
export const requestId = '5b0c4f1e-6a0a-4c1e-9c43-1f2d8f0f3f5b';
export const correlationId = 'crm-7f3a.42';
export const idempotencyKey = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const sessionTokenExample = 'eyJhbGciOiJFUzI1NiIsImtpZCI6InYxIn0.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl';
