import type { EndpointAnswers, EndpointStatus } from '../shared/domain/endpoint.ts';
import { endpointWishOf } from '../shared/domain/endpoint-wish.ts';
import type { WebhookSignature } from '../shared/domain/partner.ts';
import type { EndpointMessage } from '../shared/outbound/endpoint-requests.ts';
import { checkAddress } from './check.ts';
import type { KeepDeps } from './keep.ts';

type CheckRequest = Required<Pick<EndpointMessage, 'clientId' | 'check'>>;

/** Checks an address and notes what it answered, for whoever asked; nothing else changes. */
export const answerCheck = async ({ clientId, check }: CheckRequest, deps: KeepDeps): Promise<void> => {
  const { partner, signature, status, isStopped } = await deps.endpoints.read(clientId);
  if (!partner || !signature) return;
  const answers = await answersOf(check.url, signature, deps);
  const atMs = deps.clock().getTime();
  const isWanted = endpointWishOf(partner, isStopped).wanted !== 'none';
  const first: EndpointStatus = { state: isWanted ? 'verifying' : 'off', sinceMs: atMs };
  await deps.endpoints.write(clientId, { ...(status ?? first), checked: { ...answers, ...check, atMs } });
};

const answersOf = async (
  url: string,
  signature: WebhookSignature,
  deps: KeepDeps,
): Promise<EndpointAnswers> => {
  try {
    return await checkAddress(url, signature, deps);
  } catch (fault) {
    deps.log('checkFailed', {}, fault);
    return { fault: 'not checked' };
  }
};
