import type { ReadPeppers } from '../shared/auth/peppers.ts';
import { type Outcome, succeed } from '../shared/domain/outcome.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { PartnerStore } from '../shared/store/partners/partner-store.ts';
import { type AuthenticatedClient, authenticateClient } from './client-authentication.ts';
import { type FormRefusal, readTokenRequest } from './request.ts';
import type { Form } from './token-request.ts';

export type ClientRequestDeps = {
  partners: Pick<PartnerStore, 'credentialsOf'>;
  readPeppers: ReadPeppers;
  clock: Clock;
};

/** A form of a client that proved who it is, and the moment at which all of it is judged. */
export type ClientRequest = AuthenticatedClient & { form: Form; now: Date };

/** What every endpoint for clients begins with: the form, then who sends it, before what it asks for (O-31). */
export const readClientRequest = async (
  event: HttpEvent,
  deps: ClientRequestDeps,
): Promise<Outcome<ClientRequest, FormRefusal>> => {
  const now = deps.clock();
  const request = readTokenRequest(event);
  if (!request.ok) return request;
  const authenticated = await authenticateClient(request.value.client, { ...deps, now });
  return authenticated.ok
    ? succeed({ ...authenticated.value, form: request.value.form, now })
    : authenticated;
};
