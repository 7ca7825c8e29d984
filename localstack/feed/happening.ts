/** The cause of a function's call. */
export type Cause =
  | { by: 'request'; method: string; path: string }
  /** `uuids` without transactions below their `notifyFromVersion`. */
  | { by: 'stream'; records: number; uuids: string[] }
  /** `records` are messages of a queue. */
  | { by: 'queue'; records: number }
  | { by: 'schedule' }
  /** By another function, with Invoke. */
  | { by: 'function' };

/** An action of the stage, reported by the part that took it, without secrets, tokens and bodies. */
export type Happening =
  | { kind: 'called'; function: string; cause: Cause }
  | { kind: 'returned'; function: string; cause: Cause; tookMs: number; failed?: string; status?: number }
  /** The bus accepted an event. */
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
  /** The demo receiver printed a line. */
  | { kind: 'received'; line: string }
  /** A person chose the condition of a partner's receiver. */
  | { kind: 'receiver'; partner: string; condition: string }
  | { kind: 'clock'; byMs: number; aheadMs: number };

export type Emit = (happening: Happening) => void;
