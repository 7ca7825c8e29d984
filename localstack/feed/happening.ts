/** What called a function. */
export type Cause =
  | { by: 'request'; method: string; path: string }
  /** The uuids are those of what was not changed in silence. */
  | { by: 'stream'; records: number; uuids: string[] }
  /** Messages of a queue: ticks, or dead letters. */
  | { by: 'queue'; records: number }
  | { by: 'schedule' }
  /** Another function, by Invoke. */
  | { by: 'function' };

/** One thing that the stage itself did, told by the part that did it: never a secret, a token or a body. */
export type Happening =
  | { kind: 'called'; function: string; cause: Cause }
  | { kind: 'returned'; function: string; cause: Cause; tookMs: number; failed?: string; status?: number }
  /** The bus took an event. */
  | { kind: 'accepted'; type: string; uuid?: string; clientId?: string; rules: number }
  | {
      kind: 'attempted';
      destination: string;
      type: string;
      uuid?: string;
      clientId?: string;
      attempt: number;
      status?: number;
      error?: string;
      verdict: 'delivered' | 'retry' | 'dead';
    }
  /** A line of the demo receiver. */
  | { kind: 'received'; line: string }
  /** A person chose how a partner's receiver does. */
  | { kind: 'receiver'; partner: string; condition: string }
  | { kind: 'clock'; byMs: number; aheadMs: number };

export type Tell = (happening: Happening) => void;
