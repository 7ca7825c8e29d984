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

/** A form of a client that proved who it is, and the moment at which all of it is judged. */
export type ClientRequest = AuthenticatedClient & { form: Form; now: Date };

type Read = { ok: true; value: ClientRequest } | { ok: false; response: HttpResponse };

/** What every endpoint for clients begins with: the form, then who sends it, before what it asks for (O-31). */
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

/** The line has the client's id, the metric only the cause: a dimension for each text that is tried would have no end. */
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
