/**
 * What the bus is to have for a partner: everything (`on`), everything but the target while its events are kept (`kept`), or
 * nothing (`none`).
 */
export type WantedEndpoint = 'on' | 'kept' | 'none';

/** What a partner's record, and the switch for all webhooks (S-77), want of its endpoint. */
export type EndpointWish = {
  wanted: WantedEndpoint;
  url?: string;
  setAtMs?: number;
  signatureMadeAtMs?: number;
  nextSignatureMadeAtMs?: number;
};

/** How a partner's webhook stands (V2-13). `off`: there is none. */
export type EndpointState = 'verifying' | 'on' | 'paused' | 'failing' | 'off';

/** What an endpoint answered to a check: two test messages, with a wrong signature and with the right one. */
export type EndpointCheck = {
  /** Chosen by whoever asked for the check, so that the answer is recognised. */
  id: string;
  url: string;
  atMs: number;
  /** HTTP status of the answer to the right signature, and to the wrong one; absent where there was none. */
  status?: number;
  wrongStatus?: number;
  /** The status of the answer to the announced signature, where one is announced. */
  nextStatus?: number;
  /** Why there was no answer: `timed out`, `name not found`, `address not allowed`, `redirect` and so on. */
  fault?: string;
};

/** What `keep-endpoints` has reached for a partner. It alone writes this. */
export type EndpointStatus = {
  state: EndpointState;
  sinceMs: number;
  /** Why the state is `failing`: a fault of the check, `HTTP_500`, `rules-quota`, `CONNECTION_NOT_AUTHORIZED` and so on. */
  reason?: string;
  /** The wish that the bus matches; absent = none yet. */
  reached?: EndpointWish;
  /** The address that the destination has. The former one serves until a new one has passed its check. */
  servedUrl?: string;
  /** Events leave from this time on: the bus knows the target by then. Absent = no target, so events are kept. */
  servesFromMs?: number;
  /** When `keep-endpoints` looks again by itself. */
  lookAgainAtMs?: number;
  /** The latest check that somebody asked for. */
  checked?: EndpointCheck;
};
