import type {
  Change,
  Evidence,
  Life,
  PartnerChange,
  PartnerRecord,
  Received,
  Sent,
  State,
} from './evidence.ts';

type Span = { fromMs: number; toMs: number };

/** A partner and a transaction as they were from `atMs` on. */
export type Moment = {
  atMs: number;
  partner: PartnerRecord | undefined;
  isServed: boolean;
  state: State | undefined;
  version: number;
};

/** The evidence put in order, once for all judgements. */
export type Timeline = Evidence & {
  life: (uuid: string) => Life | undefined;
  state: (uuid: string, version: number) => State | undefined;
  changesOf: (uuid: string) => readonly Change[];
  clientIds: readonly string[];
  /** How a partner and a transaction were, from the beginning to the end. */
  momentsOf: (clientId: string, uuid: string) => readonly Moment[];
  /** How they were at every instant of a span. */
  momentsIn: (clientId: string, uuid: string, span: Span) => readonly Moment[];
  sentTo: (clientId: string, uuid: string) => readonly Sent[];
  receivedBy: (clientId: string, uuid: string) => readonly Received[];
};

/** Puts the evidence in order. */
export const timelineOf = (evidence: Evidence): Timeline => {
  const lives = new Map(evidence.lives.map((life) => [life.uuid, life]));
  const records = Map.groupBy(evidence.partners, ({ clientId }) => clientId);
  const sent = Map.groupBy(evidence.sent, pairOf);
  const received = Map.groupBy(evidence.received, pairOf);
  const changesOf = (uuid: string) => lives.get(uuid)?.changes ?? [];
  const known = new Map<string, Moment[]>();
  const momentsOf = (clientId: string, uuid: string) => {
    const name = `${clientId} ${uuid}`;
    const moments = known.get(name) ?? momentsFrom(records.get(clientId) ?? [], changesOf(uuid));
    known.set(name, moments);
    return moments;
  };

  return {
    ...evidence,
    life: (uuid) => lives.get(uuid),
    state: (uuid, version) => changesOf(uuid)[version - 1]?.state,
    changesOf,
    clientIds: [...records.keys()],
    momentsOf,
    momentsIn: (clientId, uuid, { fromMs, toMs }) => {
      const moments = momentsOf(clientId, uuid);
      return moments.slice(firstAfter(moments, fromMs) - 1, firstAfter(moments, toMs));
    },
    sentTo: (clientId, uuid) => sent.get(`${clientId} ${uuid}`) ?? [],
    receivedBy: (clientId, uuid) => received.get(`${clientId} ${uuid}`) ?? [],
  };
};

/** Both histories as one; before it, there is nothing. */
const momentsFrom = (records: readonly PartnerChange[], changes: readonly Change[]): Moment[] => {
  const turns = [...records, ...changes].sort((one, other) => one.atMs - other.atMs);
  let last: Moment = {
    atMs: Number.NEGATIVE_INFINITY,
    partner: undefined,
    isServed: false,
    state: undefined,
    version: 0,
  };
  const moments = [last];
  for (const turn of turns) {
    last =
      'state' in turn
        ? { ...last, atMs: turn.atMs, state: turn.state, version: last.version + 1 }
        : { ...last, atMs: turn.atMs, partner: turn.partner, isServed: turn.isServed };
    moments.push(last);
  }
  return moments;
};

/** The index of the first moment after an instant, by halving. */
const firstAfter = (moments: readonly Moment[], atMs: number): number => {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

const pairOf = ({ clientId, body }: { clientId: string; body: string }) => `${clientId} ${uuidIn(body)}`;

/** The transaction that a message is about. */
export const uuidIn = (body: string): string => /"uuid":"([^"]+)"/.exec(body)?.[1] ?? '';

/** Whether a message covers a version. */
export const coversVersion = ({ from, to }: { from: number; to: number }, version: number): boolean =>
  from < version && version <= to;
