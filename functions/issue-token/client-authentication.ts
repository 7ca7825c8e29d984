import type { Outcome } from '../shared/domain/outcome.ts';
import { refuse, succeed } from '../shared/domain/outcome.ts';
import { type Form, formDecoded, splitOnce } from '../shared/http/form.ts';

export type PresentedClient = { clientId: string; clientSecret: string };

/** The client's id and secret, by Basic or in the body, never both (RFC 6749 section 2.3.1, O-42). */
export const readPresentedClient = (
  authorizations: readonly string[],
  form: Form,
): Outcome<PresentedClient, 'invalid-client' | 'two-authentications'> => {
  const [authorization, ...more] = authorizations;
  if (authorization === undefined) return readBodyCredentials(form);
  if (more.length > 0 || form.has('client_secret')) return refuse('two-authentications');
  const client = readBasic(authorization);
  if (!client) return refuse('invalid-client');
  const bodyId = form.get('client_id') ?? client.clientId;
  return bodyId === client.clientId ? succeed(client) : refuse('two-authentications');
};

const readBodyCredentials = (form: Form): Outcome<PresentedClient, 'invalid-client'> => {
  const [clientId, clientSecret] = [form.get('client_id'), form.get('client_secret')];
  return clientId && clientSecret ? succeed({ clientId, clientSecret }) : refuse('invalid-client');
};

/**
 * Both parts are form-encoded before they are joined, so the first colon separates them (O-09). Bytes that are not UTF-8
 * become U+FFFD, which no stored id or secret has.
 */
const readBasic = (authorization: string): PresentedClient | undefined => {
  const [, base64] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization.trim()) ?? [];
  const joined = Buffer.from(base64 ?? '', 'base64').toString();
  if (!joined.includes(':')) return undefined;
  const [clientId, clientSecret] = splitOnce(joined, ':').map(formDecoded);
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
};
