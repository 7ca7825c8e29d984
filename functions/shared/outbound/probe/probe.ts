import { randomUUID } from 'node:crypto';
import { makeWebhookSignature } from '../../auth/client-secret.ts';
import type { MessageOrigin } from '../../domain/event/message.ts';
import { renderTestMessage } from '../../domain/event/message.ts';
import { type Outcome, refuse, succeed } from '../../domain/outcome.ts';
import type { WebhookSignature } from '../../domain/partner.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/random-text.ts';
import { signatureHeaders } from '../endpoint/definition.ts';
import type { PinnedPost, PostFailure } from './pinned-post.ts';

/** Why an endpoint cannot be one. */
export type ProbeFault = PostFailure | 'redirect';

/** What an endpoint answered to a test message with a wrong signature: 401 or 403 is wanted. */
export type Reached = { wrongStatus: number };

/** And what it answered to the right one: 2xx is wanted. */
export type Checked = Reached & { status: number };

/** Asks an endpoint as the bus would, before it is set up at the bus. The text of the URL is checked before. */
export type EndpointProbe = {
  /** With a wrong signature only: the partner need not know the right one yet. */
  reach: (url: URL) => Promise<Outcome<Reached, ProbeFault>>;
  check: (url: URL, signature: WebhookSignature) => Promise<Outcome<Checked, ProbeFault>>;
};

/** What a probe works with. */
export type ProbeDeps = { post: PinnedPost; origin: MessageOrigin; clock: Clock; random: RandomBytes };

/** Whether the endpoint took the message. */
export const isTaken = (status: number) => status >= 200 && status < 300;
const isRedirect = (status: number) => status >= 300 && status < 400;

/** Whether the endpoint refuses a wrong signature; undefined where its answer has another reason, such as a fault. */
export const refusesWrong = ({ wrongStatus }: Reached): boolean | undefined => {
  if (isTaken(wrongStatus)) return false;
  return wrongStatus === 401 || wrongStatus === 403 ? true : undefined;
};

/** A probe that posts test messages. */
export const createEndpointProbe = (deps: ProbeDeps): EndpointProbe => {
  const ask = async (url: URL, signature: WebhookSignature): Promise<Outcome<number, ProbeFault>> => {
    const answer = await deps.post({ url: url.href, ...testOf(signature, deps) });
    return answer.ok ? succeed(answer.value.status) : answer;
  };
  const askWrong = (url: URL) => ask(url, { signature: makeWebhookSignature(deps.random) });

  return {
    reach: async (url) => {
      const wrong = notRedirected(await askWrong(url));
      return wrong.ok ? succeed({ wrongStatus: wrong.value }) : wrong;
    },
    // An endpoint that sends strangers to a login page, and takes the right signature, can be used all the same.
    check: async (url, signature) => {
      const wrong = await askWrong(url);
      if (!wrong.ok) return wrong;
      const right = notRedirected(await ask(url, signature));
      return right.ok ? succeed({ wrongStatus: wrong.value, status: right.value }) : right;
    },
  };
};

const notRedirected = (answer: Outcome<number, ProbeFault>): Outcome<number, ProbeFault> =>
  answer.ok && isRedirect(answer.value) ? refuse('redirect') : answer;

/** Each test is a message of its own. */
const testOf = (signature: WebhookSignature, { origin, clock }: ProbeDeps) => {
  const id = randomUUID();
  return {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'transactions-webhook-test',
      'Idempotency-Key': id,
      ...signatureHeaders(signature),
    },
    body: renderTestMessage({ id, publishedAt: clock() }, origin),
  };
};
