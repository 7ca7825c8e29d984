import type { Link, Receipt } from '../../partner-kit/src/index.ts';

/** One message as one readable line: names and versions, never what a customer typed. */
export const receivedLine = (at: Date, partner: string, receipt: Receipt): string => {
  const { type, uuid = '', changed, range } = receipt;
  const start = [clockText(at), partner, type.padEnd('TransactionCompleted'.length)];
  if (receipt.outcome === 'passed-by') return start.join('  ').trimEnd();
  return [
    ...start,
    `${uuid.slice(0, 8)}…`,
    changed.join(', ') || 'own properties or a move',
    ...(range ? [`versions ${range.from} → ${range.to}`] : []),
    ...notesOf(receipt),
  ].join('  ');
};

export const clockText = (at: Date): string => at.toTimeString().slice(0, 8);

const notesOf = ({ outcome, link, omitted, isDeletion }: Receipt): string[] => {
  if (outcome === 'duplicate') return ['duplicate: known by its id'];
  if (outcome === 'older') return ['late, a newer one was taken: passed over'];
  if (isDeletion) return ['gone: nothing to read'];
  const thin = omitted.length > 0 ? [`thin, without ${omitted.join(', ')}: read the API`] : [];
  return [...(link ? sentences[link] : []), ...thin];
};

const sentences: Record<Link, string[]> = {
  fits: [],
  'starts-in-the-middle': ['new to this partner: read the API'],
  gap: ['something is missing before it: read the API'],
  older: ['late, what no newer one told was taken'],
};
