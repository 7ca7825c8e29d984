import { type Client, createClient } from '../client/client.ts';
import type { CommandContext } from './context.ts';
import { needed } from './settings.ts';
import { UserError } from './user-error.ts';

/** A client with the credentials that were found. */
export const clientOf = ({ settings, deps }: CommandContext): Client => {
  const options = {
    baseUrl: needed(settings, 'baseUrl'),
    authUrl: needed(settings, 'authUrl'),
    clientId: needed(settings, 'clientId'),
    clientSecret: needed(settings, 'clientSecret'),
  };
  try {
    return createClient({
      ...options,
      fetch: deps.fetch,
      newKey: deps.newId,
      sleep: deps.pause,
      clock: () => deps.now().getTime(),
    });
  } catch (error) {
    // Names the option, and never a secret.
    throw error instanceof TypeError ? new UserError(error.message) : error;
  }
};
