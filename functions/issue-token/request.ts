import type { Outcome } from '../shared/domain/outcome.ts';
import { refuse, succeed } from '../shared/domain/outcome.ts';
import { type HttpEvent, headerValues } from '../shared/http/request.ts';
import type { PresentedClient } from './client-authentication.ts';
import { readPresentedClient } from './client-authentication.ts';
import type { Form } from './token-request.ts';
import { parseForm } from './token-request.ts';

export type TokenRequest = { client: PresentedClient; form: Form };

/** Why a form is not taken, or its sender is nobody. */
export type FormRefusal =
  | 'too-large'
  | 'wrong-content-type'
  | 'malformed-form'
  | 'two-authentications'
  | 'invalid-client';

const largestBody = 8192;

/** The client and what it asks for. Only the header and the body are read, never the URL (O-42). */
export const readTokenRequest = (event: HttpEvent): Outcome<TokenRequest, FormRefusal> => {
  const body = bodyOf(event);
  if (body.length > largestBody) return refuse('too-large');
  if (!isForm(headerValues(event, 'Content-Type'))) return refuse('wrong-content-type');
  const form = parseForm(body.toString());
  if (!form.ok) return form;
  const client = readPresentedClient(headerValues(event, 'Authorization'), form.value);
  return client.ok ? succeed({ client: client.value, form: form.value }) : client;
};

/** The gateway flags bodies that it carries as base64 (O-50). */
const bodyOf = ({ body, isBase64Encoded }: HttpEvent) =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

const isForm = ([contentType, ...more]: string[]) =>
  more.length === 0 && /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType?.trim() ?? '');
