/** A request to the public API, and the status that it answered. */
export type SendAsPartner = (method: string, path: string, body: unknown) => Promise<number>;

type ProgramDeps = {
  baseUrl: string;
  authUrl: string;
  credentials: { clientId: string; clientSecret: string };
  send?: typeof fetch;
};

/** A partner's program like those of others: a token by its credentials, kept until the API refuses it (a moved clock does). */
export const createPartnerProgram = (deps: ProgramDeps): SendAsPartner => {
  let token: Promise<string> | undefined;
  const request = async (...[method, path, body]: Parameters<SendAsPartner>) => {
    token ??= fetchToken(deps);
    const { status } = await (deps.send ?? fetch)(`${deps.baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${await token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return status;
  };
  return async (...call) => {
    let status = await request(...call);
    // The clock may be moved again before the new token arrives.
    for (let renewals = 0; status === 401 && renewals < 2; renewals += 1) {
      token = undefined;
      status = await request(...call);
    }
    return status;
  };
};

const fetchToken = async ({ authUrl, credentials, send = fetch }: ProgramDeps): Promise<string> => {
  const { clientId, clientSecret } = credentials;
  const answer = await send(`${authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return String(((await answer.json()) as { access_token?: unknown }).access_token);
};
