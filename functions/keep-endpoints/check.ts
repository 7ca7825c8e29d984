import { makeWebhookSignature } from '../shared/auth/client-secret.ts';
import type { EndpointAnswers } from '../shared/domain/endpoint.ts';
import type { WebhookSignature } from '../shared/domain/partner.ts';
import { type EndpointRules, evaluateEndpointUrl } from '../shared/outbound/endpoint/url-policy.ts';
import {
  type ProbeAnswer,
  type ProbeRequest,
  type TestMessageDeps,
  testMessageOf,
} from '../shared/outbound/probe/test-message.ts';
import type { RandomBytes } from '../shared/runtime/random-text.ts';

export type CheckDeps = TestMessageDeps & {
  /** Invokes a function without rights, because the partner chose the address. */
  probe: (request: ProbeRequest) => Promise<ProbeAnswer[]>;
  random: RandomBytes;
  rules: EndpointRules;
};

/** Sends test messages as the bus would: with a wrong signature, the present one, and the next one if there is one. */
export const checkAddress = async (
  url: string,
  { signature, next }: WebhookSignature,
  deps: CheckDeps,
): Promise<EndpointAnswers> => {
  const allowed = evaluateEndpointUrl(url, deps.rules);
  if (!allowed.ok) return { fault: allowed.reason };
  const wrong = makeWebhookSignature(deps.random);
  const values = [wrong, signature, ...(next === undefined ? [] : [next])];
  const messages = values.map((value) => testMessageOf(value, deps));
  return answersOf(await deps.probe({ url: allowed.value.href, messages }));
};

/** An endpoint that redirects a wrong signature to a login page is usable, if it accepts the right one. */
const answersOf = ([wrong, right, next]: readonly ProbeAnswer[]): EndpointAnswers => ({
  ...(wrong && 'status' in wrong && { wrongStatus: wrong.status }),
  ...(right && 'status' in right && { status: right.status }),
  ...(next && 'status' in next && { nextStatus: next.status }),
  ...faultOf(wrong, right),
});

const faultOf = (wrong: ProbeAnswer | undefined, right: ProbeAnswer | undefined): EndpointAnswers => {
  const failed = [wrong, right].find((answer) => answer && 'fault' in answer);
  if (failed && 'fault' in failed) return { fault: failed.fault };
  return right && 'status' in right && isRedirect(right.status) ? { fault: 'redirect' } : {};
};

const isRedirect = (status: number) => status >= 300 && status < 400;
