import type { WebhookSignature } from '../../../functions/shared/domain/partner.ts';
import { isTaken, refusesWrong } from '../../../functions/shared/outbound/probe/probe.ts';
import type { CommandContext } from '../context.ts';
import { faultSentence, rightSignatureSentence, wrongSignatureSentence } from '../output/webhook.ts';
import { UserError } from '../user-error.ts';

/** How an endpoint responded to two test messages; null where it did not respond, or its response does not tell. */
export type WebhookCheck = {
  takesSignature: boolean;
  refusesWrongSignature: boolean | null;
  status: number | null;
  wrongStatus: number | null;
  fault: string | null;
};

/** Sends an endpoint a wrong signature and the right one. An address that must not be called is a UserError at once. */
export const checkEndpoint = async (
  url: URL,
  signature: WebhookSignature,
  { deps }: CommandContext,
): Promise<{ check: WebhookCheck; text: string }> => {
  const probed = await deps.probe.check(url, signature);
  if (!probed.ok) {
    const fault = faultSentence(probed.reason, url.href);
    if (probed.reason === 'address not allowed') throw new UserError(fault);
    return { check: { ...unknown, fault }, text: `${fault}\n` };
  }
  const { status, wrongStatus } = probed.value;
  return {
    check: {
      takesSignature: isTaken(status),
      refusesWrongSignature: refusesWrong(probed.value) ?? null,
      ...{ status, wrongStatus, fault: null },
    },
    text: `${rightSignatureSentence(probed.value)}\n${wrongSignatureSentence(probed.value)}\n`,
  };
};

const unknown = { takesSignature: false, refusesWrongSignature: null, status: null, wrongStatus: null };
