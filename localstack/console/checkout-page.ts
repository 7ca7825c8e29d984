import type { IdentityProvider } from '../../functions/shared/domain/ownership/storefront.ts';
import {
  accessTokenType,
  idTokenType,
  tokenExchangeGrant,
} from '../../functions/v1-transaction/token-exchange.ts';
import type { StackFile } from '../stack-file.ts';

/** An answer of the API; `token` is its session token. */
type Answer = { status: number; body: Record<string, unknown>; token: string };

/** The checkout page of a demo storefront, which sends V1 requests as a browser does. Each call is a new device. */
export type CheckoutPage = {
  /** Begins an anonymous checkout with a buyer's data. */
  checkOut: (entered: object) => Promise<Answer>;
  /** Begins a checkout and signs the buyer in; `open` is the number of the user's open checkouts. */
  checkOutAs: (username: string, entered: object) => Promise<{ status: number; open: number }>;
};

/** Undefined without a demo storefront. */
export const createCheckoutPage = ({
  baseUrl,
  storefronts,
}: Pick<StackFile, 'baseUrl' | 'storefronts'>): CheckoutPage | undefined => {
  const { origins = [], identityProvider } = (storefronts.find((storefront) => storefront.default === true) ??
    {}) as {
    origins?: string[];
    identityProvider?: IdentityProvider;
  };
  const [origin] = origins;
  if (origin === undefined) return undefined;

  const ask = async (path: string, { body, token }: { body?: string | URLSearchParams; token?: string }) => {
    const isForm = body instanceof URLSearchParams;
    const answer = await fetch(`${baseUrl}${path}`, {
      ...(body !== undefined && { method: 'POST', body }),
      headers: {
        Origin: origin,
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
    });
    return toAnswer(answer);
  };
  const checkOut = (entered: object) => ask('/api/transaction', { body: JSON.stringify(entered) });
  return {
    checkOut,
    checkOutAs: async (username, entered) => {
      const anonymous = await checkOut(entered);
      const idToken = await idTokenOf(username, identityProvider);
      const signedIn = await ask('/api/session', { body: exchange(idToken, anonymous.token) });
      const list = await ask('/api/transaction?filter[status]=0&fields=uuid', { token: signedIn.token });
      const { totalCount = 0 } = (list.body._meta ?? {}) as { totalCount?: number };
      return { status: signedIn.status, open: totalCount };
    },
  };
};

const toAnswer = async (answer: Response): Promise<Answer> => ({
  status: answer.status,
  body: (await answer.json()) as Record<string, unknown>,
  token: answer.headers.get('authentication-token') ?? '',
});

const idTokenOf = async (username: string, provider: IdentityProvider | undefined) => {
  const body = new URLSearchParams({ username });
  const answer = await fetch(`${provider?.issuer}/token`, { method: 'POST', body });
  return String(((await answer.json()) as { id_token?: unknown }).id_token);
};

const exchange = (idToken: string, actorToken: string) =>
  new URLSearchParams({
    ...{ grant_type: tokenExchangeGrant, subject_token: idToken, subject_token_type: idTokenType },
    ...{ actor_token: actorToken, actor_token_type: accessTokenType },
  });
