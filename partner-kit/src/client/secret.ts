import type { NewSecret } from '../types.ts';
import { basicCredentials, refusalOf } from './access-token.ts';
import { type Answer, answerOf } from './answer.ts';
import { exchange, objectIn } from './exchange.ts';
import { createRedactor } from './redactor.ts';
import type { CallOptions, Settings } from './settings.ts';

export type SecretOptions = Omit<CallOptions, 'attempts'> & {
  /** How many hours the present secret continues to work: 1 to 168. 24 if absent. */
  readonly overlapHours?: number;
};

/** Your client secret. */
export type SecretClient = {
  /**
   * Makes a second secret. The client's own one works for the overlap, and any other one ends. Only this answer has the
   * new secret, and the client continues with its own. If no answer came, call again: the lost secret ends.
   */
  rotate(options?: SecretOptions): Promise<Answer<NewSecret>>;
};

export const createSecret = (settings: Settings): SecretClient => ({
  rotate: (options = {}) => rotateSecret(settings, options),
});

/** Sent once, because a repetition would make another secret and end this one. */
const rotateSecret = async (
  settings: Settings,
  { overlapHours, signal, timeoutMs = settings.timeoutMs }: SecretOptions,
): Promise<Answer<NewSecret>> => {
  const { authUrl, clientId, clientSecret, userAgent } = settings;
  const basic = basicCredentials(clientId, clientSecret);
  const deps = { ...settings, timeoutMs, redactor: createRedactor([clientSecret, basic]) };
  const reply = await exchange(
    {
      ...{ method: 'POST', url: `${authUrl}/oauth2/secret`, signal },
      headers: {
        Authorization: `Basic ${basic}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'application/json',
        'User-Agent': userAgent,
      },
      body: new URLSearchParams(
        overlapHours === undefined ? {} : { overlap_hours: String(overlapHours) },
      ).toString(),
    },
    deps,
  );
  if (reply.status !== 201) throw refusalOf(reply, deps);
  return answerOf<NewSecret>({ ...reply, body: objectIn(reply) });
};
