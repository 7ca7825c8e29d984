import {
  type Change,
  createReceiver,
  fetchHandler,
  type ReceiverOptions,
  type WholeTransaction,
} from '../../../partner-kit/src/index.ts';

export const source = 'svc.staging.online-payments';
export const signature = 'the-signature-of-the-operator';

/** A message as the service sends it; `detail` is what changed. */
export const aMessage = ({
  id = 'id-1',
  type = 'TransactionUpdated',
  from = 0,
  to = 1,
  detail = {},
  omitted = '',
  headers = {},
  ...more
}: MessageFacts = {}) => ({
  headers: {
    'X-Webhook-Signature': signature,
    'Content-Type': 'application/json',
    'Idempotency-Key': id,
    'X-Transaction-From-Version': String(from),
    'X-Transaction-Version': String(to),
    'X-Transaction-Omitted': omitted,
    ...headers,
  } as Record<string, string>,
  body: JSON.stringify({
    ...{ version: '0', id, 'detail-type': type, source, account: '0', time: '2026-11-22T12:00:00Z' },
    ...{ region: 'eu-west-2', resources: [] },
    detail: { uuid: 'u', status: 0, ndMeta: {}, ...detail },
    ...more,
  }),
});
type MessageFacts = {
  id?: string;
  type?: string;
  from?: number;
  to?: number;
  detail?: Record<string, unknown>;
  omitted?: string;
  headers?: Record<string, string>;
  source?: unknown;
  time?: string;
};

export const requestOf = ({ headers, body }: ReturnType<typeof aMessage>) =>
  new Request('https://partner.example/webhook', { method: 'POST', headers, body });

/** A fetch-style receiver, and what it made of what it was sent. */
export const aReceiver = (options: Partial<ReceiverOptions> = {}) => {
  const changes: Change[] = [];
  const faults: unknown[] = [];
  const receiver = createReceiver({
    signatures: signature,
    source,
    apply: (change) => void changes.push(change),
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  const handle = fetchHandler(receiver);
  const deliver = async (facts: MessageFacts = {}) => {
    const response = await handle(requestOf(aMessage(facts)));
    await receiver.settled();
    return response.status;
  };
  return { receiver, handle, deliver, changes, faults };
};

/** The transaction as the API shows it, as far as tests look. */
export const aTransaction = (facts: Record<string, unknown> = {}) =>
  ({ uuid: 'u', status: 0, ...facts }) as unknown as WholeTransaction;
