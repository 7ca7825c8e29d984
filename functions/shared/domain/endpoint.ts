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

/** What an endpoint answered to test messages with a wrong signature, the right one, and the announced one. */
export type EndpointAnswers = {
  /** HTTP status of the answer to the right signature, and to the wrong one; absent where there was none. */
  status?: number;
  wrongStatus?: number;
  /** The status of the answer to the announced signature, where one is announced. */
  nextStatus?: number;
  /** Why there was no answer: `timed out`, `name not found`, `address not allowed`, `redirect` and so on. */
  fault?: string;
};

/** A check that somebody asked for. */
export type EndpointCheck = EndpointAnswers & {
  /** Chosen by whoever asked for the check, so that the answer is recognised. */
  id: string;
  url: string;
  atMs: number;
};

/** A pass over what was kept: when it began, the last delivery that it has seen, and whether one of them has to be tried again. */
export type KeptPass = {
  beganAtMs: number;
  after?: { claimedAtMs: number; eventId?: string };
  isFaulty?: true;
};

/** What a part of a pass came to: the rest of it, and the first fault, which stopped no other delivery. */
export type KeptPart = { next?: KeptPass; fault?: unknown };

/** What `keep-endpoints` has reached for a partner. It alone writes this. */
export type EndpointStatus = {
  state: EndpointState;
  sinceMs: number;
  /** Why the state is `failing`: a fault of the check, `HTTP_500`, `rules-quota`, `CONNECTION_NOT_AUTHORIZED` and so on. */
  reason?: string;
  /** The wish that the bus matches; absent = none yet. Of `on`, events are sent from `servesFromMs`. */
  reached?: EndpointWish;
  /** The address that events go to: the destination has it, or gets it next. It serves until a new one has passed its check. */
  servedUrl?: string;
  /** `setAtMs` of the wish for which the served address passed its check. */
  servedSetAtMs?: number;
  /** Events leave from this time on: the bus knows the target by then. Absent = no target, so events are kept. */
  servesFromMs?: number;
  /** What was kept is made due at this time; absent = all of it was. */
  sendsKeptAtMs?: number;
  /** The pass over what was kept that is under way, and has more than an invocation could do. */
  keptPass?: KeptPass;
  /** Of which change of the record, or start of all webhooks, what was kept is made due, or was: nobody may have seen the pause. */
  resumedAtMs?: number;
  /** The wish that was tried last, whether it failed or not, and what its address answered where it was checked. */
  tried?: { wish: EndpointWish; atMs: number; answers?: EndpointAnswers };
  /** When `keep-endpoints` polls again by itself. */
  pollAgainAtMs?: number;
  /** The latest check that somebody asked for. */
  checked?: EndpointCheck;
};
