import { TransactionsError } from '../client/errors.ts';
import type { TransactionCompleted, TransactionUpdated, WebhookTest } from '../types.ts';
import { type MessageFault, type ReadMessage, readMessage, type Versions, versionsIn } from './message.ts';
import { bookOf, isAccepted, type SignatureBook } from './signature.ts';

/** What a message is verified by. */
export type VerifyOptions = {
  /** The values that the operator gave you, or where they are kept. */
  readonly signatures: string | readonly string[] | SignatureBook;
  /** `svc.production.online-payments` or `svc.staging.online-payments`: refuses messages of the other environment. */
  readonly source?: string;
  readonly clock?: () => number;
};

/** A message of the operator's, read, with the versions that its headers name. */
export type VerifiedMessage = Omit<ReadMessage, 'message'> &
  Versions & { readonly message: TransactionUpdated | TransactionCompleted | WebhookTest };

/** Headers as servers have them: of a Request, of Node, of a function's event. Names in any letter case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The message is not to be taken: answer `status`. */
export class WebhookRefusedError extends TransactionsError {
  readonly type: 'wrong-signature' | 'wrong-source' | MessageFault;
  readonly status: 400 | 401;
  readonly requestId = undefined;

  constructor(type: WebhookRefusedError['type']) {
    super(`The webhook message is refused: ${type}.`);
    this.type = type;
    this.status = type === 'wrong-signature' ? 401 : 400;
  }
}

/**
 * Verifies one message in constant time and reads it; throws a WebhookRefusedError. Copies, order and gaps remain yours: or
 * use `createReceiver`.
 */
export const verifyWebhook = async (
  headers: WebhookHeaders,
  /** The text, its bytes, or what a body parser made of it. */
  body: unknown,
  { signatures, source, clock = Date.now }: VerifyOptions,
): Promise<VerifiedMessage> => {
  const header = readerOf(headers);
  const accepted = await bookOf(signatures).accepted();
  if (!(await isAccepted(header('x-webhook-signature') ?? '', accepted, clock())))
    throw new WebhookRefusedError('wrong-signature');
  const message = readMessage(body instanceof Uint8Array ? new TextDecoder().decode(body) : body);
  if (typeof message === 'string') throw new WebhookRefusedError(message);
  if (source !== undefined && message.source !== source) throw new WebhookRefusedError('wrong-source');
  return { ...message, ...versionsIn(header) };
};

const readerOf = (headers: WebhookHeaders): ((name: string) => string | undefined) => {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const lowered = new Map(entries.map(([name, value]) => [name.toLowerCase(), [value].flat()[0]]));
  return (name) => lowered.get(name);
};
