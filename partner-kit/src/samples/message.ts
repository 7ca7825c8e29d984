/** The content of a sample message. Everything is passed in, so that the same values give the same bytes. */
export type SampleFacts = {
  id: string;
  type: string;
  source: string;
  publishedAt: Date;
  detail: Record<string, unknown>;
};

/** The versions that an event covers: after `from`, up to and including `to`. */
export type SampleRange = { from: number; to: number };

/** The body of a message, with the nine properties of interface 6.2 in their order. */
export const sampleBody = ({ id, type, source, publishedAt, detail }: SampleFacts): string =>
  JSON.stringify({
    version: '0',
    id,
    'detail-type': type,
    source,
    account: '000000000000',
    time: `${publishedAt.toISOString().slice(0, 19)}Z`,
    region: 'eu-west-1',
    resources: [],
    detail,
  });

/** EventBridge sends these with every request. Only a GET has a range, so a receiver ignores it (RFC 9110, 14.2). */
const apiDestinationHeaders = {
  'User-Agent': 'Amazon/EventBridge/ApiDestinations',
  Range: 'bytes=0-1048575',
  'Accept-Encoding': 'gzip,deflate',
  Connection: 'close',
};

/** The headers that the service sends with a body. A WebhookTest has none of the three about a transaction. */
export const sampleHeaders = (
  id: string,
  { range, omitted = '' }: { range?: SampleRange | undefined; omitted?: string } = {},
): Record<string, string> => ({
  ...apiDestinationHeaders,
  'Content-Type': 'application/json; charset=utf-8',
  'Idempotency-Key': id,
  ...(range && {
    'X-Transaction-From-Version': String(range.from),
    'X-Transaction-Version': String(range.to),
    'X-Transaction-Omitted': omitted,
  }),
});

export const signatureHeader = 'X-Webhook-Signature';
