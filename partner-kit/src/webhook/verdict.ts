import type { MessageFault, ReadMessage, Versions } from './message.ts';
import type { Taken } from './take.ts';

/** A request, in a form that any server can give. */
export type Incoming = {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  /** The text, a parsed body, or why there is none. */
  readonly body: () => Promise<{ readonly value: unknown } | BodyFault>;
};
export type BodyFault = 'too-large' | 'too-slow' | 'broken-off' | 'body-consumed';

/**
 * The answer. The reason is for your log, and is sent as well. An accepted message has a receipt, for your log only.
 */
export type Verdict = { readonly status: number; readonly reason?: Refusal; readonly receipt?: Receipt };

/** An accepted message, and its result. */
export type Receipt = ReadMessage & Versions & Pick<Taken, 'outcome' | 'link'>;
export type Refusal =
  | BodyFault
  | MessageFault
  | 'wrong-method'
  | 'wrong-signature'
  | 'wrong-source'
  | 'failed'
  | 'busy';
