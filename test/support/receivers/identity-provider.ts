import {
  type IdentityProvider,
  issuerOf,
  openIdentityProvider,
} from '../../../localstack/embedded/demo/identity-provider.ts';
import { openLoopback } from '../../../localstack/embedded/loopback.ts';

/** The demo identity provider at a port of its own, for shops of these origins, and the tokens of its users. */
export const startIdentityProvider = async (origins: readonly string[] = []) => {
  let provider: IdentityProvider | undefined;
  const server = await openLoopback((request, response) => void provider?.handle(request, response), {
    admits: (request) => provider?.admits(request) === true,
  });
  provider = await openIdentityProvider(server.port, () => origins);
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
