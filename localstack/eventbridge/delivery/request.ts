import { validateHeaderValue } from 'node:http';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { apiDestinationHeaders } from '../../../functions/shared/outbound/endpoint/definition.ts';
import type { PostRequest } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import type { ApiDestination, Connection } from '../records.ts';
import type { BusDelivery } from './store.ts';

export type RequestFault = 'input path finds nothing' | 'a header cannot be sent';

/** EventBridge's request for an event: the body from the target's input, headers from the target, and the connection's key. */
export const requestOf = (
  { event, target }: Pick<BusDelivery, 'event' | 'target'>,
  destination: Pick<ApiDestination, 'InvocationEndpoint'>,
  { apiKey }: Pick<Connection, 'apiKey'>,
): Outcome<PostRequest, RequestFault> => {
  const parsed: unknown = JSON.parse(event);
  const input = target.InputPath === undefined ? parsed : valueAt(parsed, target.InputPath);
  if (input === undefined) return refuse('input path finds nothing');
  const headers = mergedHeaders(
    Object.entries(usualHeaders),
    targetHeaders(parsed, target.HttpParameters?.HeaderParameters),
    [[apiKey.ApiKeyName, apiKey.ApiKeyValue]],
  );
  if (!Object.entries(headers).every(isSendable)) return refuse('a header cannot be sent');
  const body = target.Input ?? JSON.stringify(input);
  return succeed({ url: destination.InvocationEndpoint, headers, body });
};

type HeaderEntry = [name: string, value: string];

const usualHeaders = { ...apiDestinationHeaders, 'Content-Type': 'application/json; charset=utf-8' };

/** Headers that targets and connections cannot set: EventBridge removes them. */
const stripped = new Set(
  [
    ...Object.keys(apiDestinationHeaders),
    'A-IM Accept-Charset Accept-Datetime Cache-Control Content-Encoding Content-Length Content-MD5 Date Expect Forwarded',
    'From Host HTTP2-Settings If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Max-Forwards Origin',
    'Pragma Proxy-Authorization Referer TE Trailer Transfer-Encoding Upgrade Via Warning',
  ].flatMap((names) => names.toLowerCase().split(' ')),
);

/** A value that is a JSON path is read from the event; a header without a value is left out. */
const targetHeaders = (event: unknown, parameters: Record<string, string> = {}): HeaderEntry[] =>
  Object.entries(parameters).flatMap(([name, value]) => {
    const found = value.startsWith('$.') ? valueAt(event, value) : value;
    if (found === undefined) return [];
    return [[name, typeof found === 'string' ? found : JSON.stringify(found)] as HeaderEntry];
  });

/** Of headers with equal names, in any case, the last one counts: the connection's before the target's. */
const mergedHeaders = (usual: HeaderEntry[], ...given: HeaderEntry[][]): Record<string, string> => {
  const byName = new Map<string, HeaderEntry>();
  const wanted = given.flat().filter(([name]) => !stripped.has(name.toLowerCase()));
  for (const header of [...usual, ...wanted]) byName.set(header[0].toLowerCase(), header);
  return Object.fromEntries(byName.values());
};

const isSendable = ([name, value]: HeaderEntry): boolean => {
  try {
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

/** The value at a path such as `$.detail.message`. */
const valueAt = (event: unknown, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      event,
    );
