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
  return omitted.length > 0 ? [] : ['properties of the transaction, or its owner'];
};

const notesOf = ({ outcome, link, omitted, isDeletion }: Receipt): string[] => {
  if (outcome === 'duplicate') return ['duplicate: its id is known'];
  if (outcome === 'older') return ['late: a newer event was accepted, so it is ignored'];
  if (isDeletion) return ['deleted: nothing to read'];
  const incomplete = [
    ...(link === 'starts-in-the-middle' ? ['new for this partner'] : []),
    ...(link === 'gap' ? ['an earlier event is missing'] : []),
    ...(omitted.length > 0 ? [`too large, without ${omitted.join(', ')}`] : []),
  ];
  return [
    ...(link === 'older' ? ['late: only elements without a newer value were accepted'] : []),
    ...(incomplete.length > 0 ? [`${incomplete.join(', ')}: read the API`] : []),
  ];
};
