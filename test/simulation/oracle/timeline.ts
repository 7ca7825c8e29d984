import type { Change, Evidence, Life, PartnerRecord, Received, Sent, State } from './evidence.ts';

type Span = { fromMs: number; toMs: number };

/** A partner and a transaction as they were at one instant. */
export type Moment = { partner: PartnerRecord | undefined; state: State | undefined; version: number };

/** The evidence put in order, once for all judgements. */
export type Timeline = Evidence & {
  life: (uuid: string) => Life | undefined;
  state: (uuid: string, version: number) => State | undefined;
  changesOf: (uuid: string) => readonly Change[];
  clientIds: readonly string[];
  /** How a partner and a transaction were at every instant of a span. */
  moments: (clientId: string, uuid: string, span: Span) => Moment[];
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

  const momentAt = (clientId: string, uuid: string, atMs: number): Moment => {
    const partner = records.get(clientId)?.findLast((one) => one.atMs <= atMs)?.partner;
    const version = changesOf(uuid).findLastIndex((one) => one.atMs <= atMs) + 1;
    return { partner, version, state: changesOf(uuid)[version - 1]?.state };
  };

  return {
    ...evidence,
    life: (uuid) => lives.get(uuid),
    state: (uuid, version) => changesOf(uuid)[version - 1]?.state,
    changesOf,
    clientIds: [...records.keys()],
    moments: (clientId, uuid, { fromMs, toMs }) => {
      const isWithin = ({ atMs }: { atMs: number }) => atMs > fromMs && atMs <= toMs;
      const turns = [...(records.get(clientId) ?? []), ...changesOf(uuid)].filter(isWithin);
      return [fromMs, ...turns.map(({ atMs }) => atMs)].map((atMs) => momentAt(clientId, uuid, atMs));
    },
    sentTo: (clientId, uuid) => sent.get(`${clientId} ${uuid}`) ?? [],
    receivedBy: (clientId, uuid) => received.get(`${clientId} ${uuid}`) ?? [],
  };
};

const pairOf = ({ clientId, body }: { clientId: string; body: string }) => `${clientId} ${uuidIn(body)}`;

/** The transaction that a message is about. */
export const uuidIn = (body: string): string => /"uuid":"([^"]+)"/.exec(body)?.[1] ?? '';

/** Whether a message tells of a version. */
export const coversVersion = ({ from, to }: { from: number; to: number }, version: number): boolean =>
  from < version && version <= to;
