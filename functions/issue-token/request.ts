import type { Outcome } from '../shared/domain/outcome.ts';
import { succeed } from '../shared/domain/outcome.ts';
import { type Form, type FormFault, readForm } from '../shared/http/form.ts';
import { type HttpEvent, headerValues } from '../shared/http/request.ts';
import type { PresentedClient } from './client-authentication.ts';
import { readPresentedClient } from './client-authentication.ts';

export type TokenRequest = { client: PresentedClient; form: Form };

/** Why a form is refused, or its client cannot be authenticated. */
export type FormRefusal = FormFault | 'two-authentications' | 'invalid-client';

const largestBody = 8192;

/** Reads the client and its form from the header and the body, never from the URL (O-42). */
export const readTokenRequest = (event: HttpEvent): Outcome<TokenRequest, FormRefusal> => {
  const form = readForm(event, largestBody);
  if (!form.ok) return form;
  const client = readPresentedClient(headerValues(event, 'Authorization'), form.value);
  return client.ok ? succeed({ client: client.value, form: form.value }) : client;
};
