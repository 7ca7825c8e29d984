/** One event for one partner. */
export type BusEntry = {
  clientId: string;
  eventId: string;
  type: string;
  from: number;
  to: number;
  omitted: readonly string[];
  /** The body, as JSON text. */
  message: string;
  /** Sendings that failed for one reason before: a dead letter brings it back, and the pause follows from it. */
  tries: number;
};

/** The outcome of an entry: accepted, refused, unconfirmed, or refused together with others because of some entry's content. */
export type BusAnswer =
  | { outcome: 'accepted'; busEventId: string }
  | { outcome: 'refused'; code: string }
  | { outcome: 'refused-together'; code: string }
  | { outcome: 'unconfirmed' };

/** The stage's bus. Entries are sent in groups that fit one request; answers are in order. */
export type EventBus = {
  put: (entries: readonly BusEntry[]) => Promise<BusAnswer[]>;
};

/** PutEvents: at most ten entries and less than 1 MB. */
const largestGroup = 10;
const largestRequestBytes = 1_000_000;

/** `detail` of an entry. The message is inserted as text, so that all of one sending have the same bytes (I6). */
export const entryDetail = (entry: BusEntry): string => {
  const { clientId, eventId, from, to, omitted, message, tries } = entry;
  // Members are texts, because a rule's target makes headers of them.
  const delivery = {
    id: eventId,
    from: String(from),
    to: String(to),
    omitted: omitted.join(','),
    tries: String(tries),
  };
  return `{"to":${JSON.stringify(clientId)},"message":${message},"delivery":${JSON.stringify(delivery)}}`;
};

/** Splits entries into groups that fit one request each. */
export const groupsThatFit = <Addressed extends { entry: BusEntry }>(
  addressed: readonly Addressed[],
): Addressed[][] => {
  const groups: Addressed[][] = [];
  let bytes = 0;
  for (const one of addressed) {
    // Source and detail-type have less than 100 bytes.
    const size = Buffer.byteLength(entryDetail(one.entry)) + 100;
    const last = groups.at(-1);
    if (last && last.length < largestGroup && bytes + size < largestRequestBytes) {
      last.push(one);
      bytes += size;
    } else {
      groups.push([one]);
      bytes = size;
    }
  }
  return groups;
};
