import type { EndpointAnswers } from '../shared/domain/endpoint.ts';
import type { WebhookSignature } from '../shared/domain/partner.ts';
import type { EndpointMessage } from '../shared/outbound/endpoint-requests.ts';
import { checkAddress } from './check.ts';
import type { KeepDeps } from './keep.ts';

type CheckRequest = Required<Pick<EndpointMessage, 'clientId' | 'check'>> & {
  /** Epoch milliseconds. An answer that the address gave since then serves this check, too. */
  beganAtMs: number;
};

/** Checks an address on request, and writes its answers to the endpoint's status. Nothing else changes. */
export const answerCheck = async (
  { clientId, check, beganAtMs }: CheckRequest,
  deps: KeepDeps,
): Promise<void> => {
  const { signature, status } = await deps.endpoints.read(clientId);
  if (!signature || !status) return;
  const { wish, atMs: triedAtMs = 0, answers: tried } = status.tried ?? {};
  const isAnswered = wish?.url === check.url && triedAtMs >= beganAtMs;
  const answers = (isAnswered ? tried : undefined) ?? (await answersOf(check.url, signature, deps));
  const checked = { ...answers, ...check, atMs: deps.clock().getTime() };
  await deps.endpoints.write(clientId, { ...status, checked });
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
