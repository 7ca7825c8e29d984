import type { MessageOrigin } from './message.ts';

/** The `detail-type` of a message that tells of no transaction: it only asks whether the endpoint is there. */
export const testMessageType = 'WebhookTest';

/**
 * The body that asks an endpoint whether it takes messages of ours (events 7). It has the nine properties of every message,
 * but a type of its own and an empty `detail`: a receiver has nothing to do but to judge the signature and answer.
 */
export const renderTestMessage = (
  { id, publishedAt }: { id: string; publishedAt: Date },
  { source, region }: MessageOrigin,
): string =>
  JSON.stringify({
    version: '0',
    id,
    'detail-type': testMessageType,
    source,
    account: '000000000000',
    time: `${publishedAt.toISOString().slice(0, 19)}Z`,
    region,
    resources: [],
    detail: {},
  });
