import type { WebhookSignature } from '../domain/partner.ts';

/** The header that tells a receiver who sends (interface 5), and the one that announces its next value (S-27). */
export const signatureHeader = 'X-Webhook-Signature';
export const nextSignatureHeader = 'X-Webhook-Signature-Next';

export const signatureHeaders = ({ signature, next }: WebhookSignature): Record<string, string> => ({
  [signatureHeader]: signature,
  ...(next !== undefined && { [nextSignatureHeader]: next }),
});
