import { TransactionsError } from '../client/errors.ts';
import type { TransactionCompleted, TransactionUpdated, WebhookTest } from '../types.ts';
import { type MessageFault, type ReadMessage, readMessage, type Versions, versionsIn } from './message.ts';
import { acceptedSignatures, isAccepted } from './signature.ts';

/** Options for verifying a message. */
export type VerifyOptions = {
  /** The signature, or several: during a rotation the present and the next one. */
  readonly signatures: string | readonly string[];
  /** `svc.production.online-payments` or `svc.staging.online-payments`: refuses messages of the other environment. */
  readonly source?: string;
};

/** A verified and parsed message, with the versions of its headers. */
export type VerifiedMessage = Omit<ReadMessage, 'message'> &
  Versions & { readonly message: TransactionUpdated | TransactionCompleted | WebhookTest };

/** Headers in any server's form: of a Request, of Node, of a function's event. Names are case-insensitive. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Refuse the message with this `status`. */
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
 * Verifies one message in constant time and parses it. Throws a WebhookRefusedError. Copies, order and gaps are up to
 * you, or use `createReceiver`.
 */
export const verifyWebhook = async (
  headers: WebhookHeaders,
  /** The text, its bytes, or the result of a body parser. */
  body: unknown,
  { signatures, source }: VerifyOptions,
): Promise<VerifiedMessage> => {
  const header = readerOf(headers);
  const accepted = acceptedSignatures(signatures);
  if (!(await isAccepted(header('x-webhook-signature') ?? '', accepted)))
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
