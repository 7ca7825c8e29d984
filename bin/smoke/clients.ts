import { type Answer, at } from './answer.ts';
import type { Credentials, Guest, Visit } from './visit.ts';

export const lists = '/api/v2/transaction';

/** A token as a partner asks for it (interface 4.3). */
export const askForToken = (
  { send, authUrl }: Visit,
  { clientId, clientSecret }: Credentials,
  scope: string,
): Promise<Answer> =>
  send(`${authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });

/** The partner's program: a token of its own goes with every request. */
export const programOf = async (visit: Visit, scope = 'nop2/read') => {
  if (!visit.partner) throw new Error('There is no partner');
  const answer = await askForToken(visit, visit.partner, scope);
  const token = at(answer, 'access_token');
  if (typeof token !== 'string') throw new Error(`No token for ${scope}: ${answer.status} ${answer.text}`);
  const ask = (path: string, { headers, ...init }: RequestInit = {}) =>
    visit.send(path.startsWith('/') ? `${visit.baseUrl}${path}` : path, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
  return { ask, token };
};

/** A body, and what says that it is one. */
export const jsonOf = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A checkout page of the storefront that was made for this run. */
export const buyerOf = (visit: Visit) => {
  const { origin } = guestOf(visit);
  return (init: RequestInit = {}, session?: string) =>
    visit.send(`${visit.baseUrl}/api/transaction`, {
      ...init,
      headers: {
        Origin: origin,
        ...(session !== undefined && { Authorization: `Bearer ${session}` }),
        ...init.headers,
      },
    });
};

/** A transaction in the group of this run, and the session that it was made in. */
export const newTransaction = async (visit: Visit): Promise<{ uuid: string; session: string }> => {
  const vehicle = { make: 'Smoke', identifiers: { ndstockid: 'SMOKE' } };
  const answer = await buyerOf(visit)({ method: 'POST', ...jsonOf({ vehicle }) });
  const uuid = at(answer, 'uuid');
  const session = answer.headers.get('authentication-token');
  if (typeof uuid !== 'string' || session === null)
    throw new Error(`No transaction was made: ${answer.status} ${answer.text}`);
  return { uuid, session };
};

export const guestOf = ({ guest }: Visit): Guest => {
  if (guest) return guest;
  throw new Error('There is no partner of this run');
};
