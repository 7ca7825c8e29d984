/**
 * What the bus is to have for a partner: everything (`on`), everything except the target while its events are kept
 * (`kept`), or nothing (`none`).
 */
type WantedEndpoint = 'on' | 'kept' | 'none';

/** What a partner's record and the switch for all webhooks (S-77) want of its endpoint. */
export type EndpointWish = {
  wanted: WantedEndpoint;
  url?: string;
  setAtMs?: number;
  signatureMadeAtMs?: number;
};

/** The state of a partner's webhook (V2-13). `off`: there is none. */
export type EndpointState = 'verifying' | 'on' | 'paused' | 'failing' | 'off';

/** Answers of an endpoint to test messages with a wrong signature, the right one, and the next one. */
export type EndpointAnswers = {
  /** HTTP status of the answer to the right signature, and to the wrong one; absent where there was none. */
  status?: number;
  wrongStatus?: number;
  /** Status of the answer to the next signature. Absent if there is none. */
  nextStatus?: number;
  /** Why there was no answer: `timed out`, `name not found`, `address not allowed`, `redirect` and so on. */
  fault?: string;
};

/** A requested check. */
export type EndpointCheck = EndpointAnswers & {
  /** Chosen by the requester, to recognise the answer. */
  id: string;
  url: string;
  atMs: number;
};

/**
 * A pass over kept deliveries: when it began, the last delivery that it has processed, and whether a delivery must be
 * retried.
 */
export type KeptPass = {
  beganAtMs: number;
  after?: { claimedAtMs: number; eventId?: string };
  isFaulty?: true;
};

/** The result of a part of a pass: where to go on, and the first fault, which stopped no other delivery. */
export type KeptPart = { next?: KeptPass; fault?: unknown };

/** What `keep-endpoints` has reached for a partner. Only that function writes it. */
export type EndpointStatus = {
  state: EndpointState;
  sinceMs: number;
  /**
   * Why the state is `failing`: a fault of the check, `HTTP_500`, `rules-quota`, `CONNECTION_NOT_AUTHORIZED` and so on.
   */
  reason?: string;
  /** The wish that the bus matches. Absent if none was reached yet. With `on`, events are sent from `servesFromMs`. */
  reached?: EndpointWish;
  /**
   * The address that events go to. The destination has it, or gets it next. A new address replaces it after passing its
   * check.
   */
  servedUrl?: string;
  /** `setAtMs` of the wish for which the served address passed its check. */
  servedSetAtMs?: number;
  /**
   * Events are sent from this time on, because the bus has the target by then. Absent if there is no target, so events
   * are kept.
   */
  servesFromMs?: number;
  /** When kept deliveries are made due. Absent if none are left. */
  sendsKeptAtMs?: number;
  /** The current pass over kept deliveries, if it was too much for one invocation. */
  keptPass?: KeptPass;
  /**
   * The change of the record, or the start of all webhooks, for which kept deliveries were last made due. It shows a
   * pause that began and ended unseen.
   */
  resumedAtMs?: number;
  /** The wish that was last tried, failed or not, and the answers of its address if it was checked. */
  tried?: { wish: EndpointWish; atMs: number; answers?: EndpointAnswers };
  /** When `keep-endpoints` polls again. */
  pollAgainAtMs?: number;
  /** The latest requested check. */
  checked?: EndpointCheck;
};
