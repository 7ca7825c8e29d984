import type { Receipt } from '../../partner-kit/src/index.ts';

/** A received message as a line with names and versions, without customers' data. */
export const receivedLine = (at: Date, partner: string, receipt: Receipt): string => {
  const { type, uuid = '', range } = receipt;
  const start = [clockText(at), partner, type.padEnd('TransactionCompleted'.length)];
  if (receipt.outcome === 'passed-by') return start.join('  ').trimEnd();
  return [
    ...start,
    `${uuid.slice(0, 8)}…`,
    ...changedIn(receipt),
    ...(range ? [`versions ${range.from} → ${range.to}`] : []),
    ...notesOf(receipt),
  ].join('  ');
};

export const clockText = (at: Date): string => at.toTimeString().slice(0, 8);

/** The changed elements. Elements that were too large follow in a note. */
const changedIn = ({ changed, omitted }: Receipt): string[] => {
  if (changed.length > 0) return [changed.join(', ')];
  return omitted.length > 0 ? [] : ['own properties or a move'];
};

const notesOf = ({ outcome, link, omitted, isDeletion }: Receipt): string[] => {
  if (outcome === 'duplicate') return ['duplicate: known by its id'];
  if (outcome === 'older') return ['late, a newer one was taken: passed over'];
  if (isDeletion) return ['gone: nothing to read'];
  const incomplete = [
    ...(link === 'starts-in-the-middle' ? ['new to this partner'] : []),
    ...(link === 'gap' ? ['something is missing before it'] : []),
    ...(omitted.length > 0 ? [`thin, without ${omitted.join(', ')}`] : []),
  ];
  return [
    ...(link === 'older' ? ['late, what no newer one told was taken'] : []),
    ...(incomplete.length > 0 ? [`${incomplete.join(', ')}: read the API`] : []),
  ];
};
