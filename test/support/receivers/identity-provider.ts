import {
  type HandleIdentity,
  issuerOf,
  openIdentityProvider,
} from '../../../localstack/demo/identity-provider.ts';
import { openLoopbackServer } from '../../../localstack/loopback/server.ts';

/** The demo identity provider at a port of its own, and the tokens of its users. */
export const startIdentityProvider = async () => {
  let handle: HandleIdentity = () => false;
  const server = await openLoopbackServer((request, response) => void handle(request, response));
  handle = await openIdentityProvider({ port: server.port, clock: () => new Date() });
  const issuer = issuerOf(server.port);
  return {
    issuer,
    idTokenOf: async (username: string) => {
      const body = new URLSearchParams({ username });
      const answer = await fetch(`${issuer}/token`, { method: 'POST', body });
      return String(((await answer.json()) as { id_token: string }).id_token);
    },
    stop: server.stop,
  };
};
