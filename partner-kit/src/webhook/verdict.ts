import type { MessageFault, ReadMessage, Versions } from './message.ts';
import type { Taken } from './take.ts';

/** A request, as any server can give it. */
export type Incoming = {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
  /** The text, a body that was parsed already, or why there is none. */
  readonly body: () => Promise<{ readonly value: unknown } | BodyFault>;
};
export type BodyFault = 'too-large' | 'too-slow' | 'broken-off' | 'body-consumed';

/** What is answered; the reason is for your log, and is sent, too. Of what is taken there is a receipt, for your log alone. */
export type Verdict = { readonly status: number; readonly reason?: Refusal; readonly receipt?: Receipt };

/** A message that was taken, and what became of it. */
export type Receipt = ReadMessage & Versions & Pick<Taken, 'outcome' | 'link'>;
export type Refusal =
  | BodyFault
  | MessageFault
  | 'wrong-method'
  | 'wrong-signature'
  | 'wrong-source'
  | 'failed'
  | 'busy';
