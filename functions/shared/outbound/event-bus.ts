/** One event for one partner, as the bus takes it. `message` is the stored body, byte for byte. */
export type BusEntry = {
  clientId: string;
  eventId: string;
  type: string;
  from: number;
  to: number;
  omitted: readonly string[];
  message: string;
};

/**
 * What became of one entry: the bus has it, or refused it, or its answer was lost; or the whole request was refused for
 * what is in it, and nobody knows yet which entry is at fault.
 */
export type BusAnswer =
  | { outcome: 'accepted'; busEventId: string }
  | { outcome: 'refused'; code: string }
  | { outcome: 'refused-together'; code: string }
  | { outcome: 'unconfirmed' };

/** The stage's own bus. Entries go in groups that fit one request; there is one answer for each entry, in order. */
export type EventBus = {
  put: (entries: readonly BusEntry[]) => Promise<BusAnswer[]>;
};

/** At most ten entries and less than 1 MB in one request (PutEvents). */
export const largestGroup = 10;
const largestRequestBytes = 1_000_000;

/** `detail` of an entry; the message is put in as it is, so that every copy has the same bytes (I6). */
export const entryDetail = ({ clientId, eventId, from, to, omitted, message }: BusEntry): string => {
  const delivery = { id: eventId, from: String(from), to: String(to), omitted: omitted.join(',') };
  return `{"to":${JSON.stringify(clientId)},"message":${message},"delivery":${JSON.stringify(delivery)}}`;
};

/** Entries in groups that fit one request each. */
export const groupsThatFit = <Addressed extends { entry: BusEntry }>(
  addressed: readonly Addressed[],
): Addressed[][] => {
  const groups: Addressed[][] = [];
  let bytes = 0;
  for (const one of addressed) {
    // Source and detail-type are well under 100 bytes.
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
