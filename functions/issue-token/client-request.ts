import type { RefusalCause } from '../shared/domain/wrong-secrets.ts';
import type { Form } from '../shared/http/form.ts';
import type { HttpResponse } from '../shared/http/response.ts';
import type { PipelineEvent } from '../shared/middleware/respond.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { TokenLog } from '../shared/runtime/logger.ts';
import {
  type AuthenticatedClient,
  type AuthenticationDeps,
  authenticateClient,
  type ClientRefusal,
  isPossibleId,
} from './authenticate-client.ts';
import { networkOf } from './network.ts';
import { type NoteUseDeps, noteUse } from './note-use.ts';
import { oauthRefusal } from './oauth-response.ts';
import { readTokenRequest } from './request.ts';

export type ClientRequestDeps = AuthenticationDeps &
  NoteUseDeps & {
    clock: Clock;
    log: TokenLog;
    reportRefusal: (cause: RefusalCause) => void;
  };

/** The form of an authenticated client, and the time at which the whole request is judged. */
export type ClientRequest = AuthenticatedClient & { form: Form; now: Date };

type Read = { ok: true; value: ClientRequest } | { ok: false; response: HttpResponse };

/** Begins every client request: reads the form, then authenticates the client (O-31). */
export const readClientRequest = async (event: PipelineEvent, deps: ClientRequestDeps): Promise<Read> => {
  const now = deps.clock();
  const request = readTokenRequest(event);
  if (!request.ok) return { ok: false, response: oauthRefusal(request.reason) };
  const { client, form } = request.value;
  if (isPossibleId(client.clientId)) event.partner = { clientId: client.clientId };
  const network = networkOf(event.requestContext?.identity?.sourceIp ?? '');
  const authenticated = await authenticateClient(client, { network, now }, deps);
  if (!authenticated.ok) {
    noteRefusal(event, authenticated.cause, deps);
    return { ok: false, response: refusalResponse(authenticated, now) };
  }
  await noteUse(authenticated.value, { ...client, now }, deps);
  return { ok: true, value: { ...authenticated.value, form, now } };
};

/** The log line has the client's id. The metric has only the cause, because ids would make dimensions without end. */
const noteRefusal = (
  { partner, requestContext }: PipelineEvent,
  cause: RefusalCause,
  { log, reportRefusal }: ClientRequestDeps,
) => {
  log('clientRefused', { requestId: requestContext?.requestId, ...partner, reason: cause });
  reportRefusal(cause);
};

const refusalResponse = (refusal: ClientRefusal, now: Date): HttpResponse => {
  if (refusal.reason === 'invalid-client') return oauthRefusal('invalid-client');
  const waitSeconds = Math.ceil((refusal.untilMs - now.getTime()) / 1000);
  return oauthRefusal('guessing', { 'Retry-After': String(waitSeconds) });
};
