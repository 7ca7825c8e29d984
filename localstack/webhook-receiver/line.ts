import type { ChainLink } from './chain.ts';
import { isOfTransaction, type WebhookHeaders, type WebhookMessage } from './message.ts';

/** What there is to say about one message; names and versions, never what a customer typed. */
export type ReceivedFacts = {
  at: Date;
  partner: string;
  message: WebhookMessage;
  headers: WebhookHeaders;
  isDuplicate: boolean;
  link?: ChainLink;
};

/** One message as one readable line. */
export const receivedLine = ({ at, partner, message, headers, isDuplicate, link }: ReceivedFacts): string => {
  const start = [clockText(at), partner, message.type.padEnd('TransactionCompleted'.length)];
  if (!isOfTransaction(message.type)) return start.join('  ').trimEnd();
  const { range, omitted } = headers;
  return [
    ...start,
    `${(message.uuid ?? '').slice(0, 8)}…`,
    elementsIn(message),
    ...(range ? [`versions ${range.from} → ${range.to}`] : []),
    ...notesOf({ omitted, isDuplicate, ...(link && { link }) }),
  ].join('  ');
};

export const clockText = (at: Date): string => at.toTimeString().slice(0, 8);

const elementsIn = ({ elements, isDeleted }: WebhookMessage): string => {
  if (isDeleted) return 'deleted';
  const names = [...elements].map(([name, value]) => (isRemoved(value) ? `${name} removed` : name));
  return names.join(', ') || 'own properties';
};

const isRemoved = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

const notesOf = ({
  omitted,
  isDuplicate,
  link,
}: Pick<ReceivedFacts, 'isDuplicate' | 'link'> & Pick<WebhookHeaders, 'omitted'>): string[] => {
  if (isDuplicate) return ['duplicate: known by its id'];
  const thin = omitted.length > 0 ? [`thin, without ${omitted.join(', ')}: read the API`] : [];
  return [...(link ? sentenceOf[link] : []), ...thin];
};

const sentenceOf: Record<ChainLink, string[]> = {
  fits: [],
  'starts-in-the-middle': ['starts in the middle: read the API'],
  gap: ['something is missing before it: read the API'],
  older: ['late, a newer one was taken: passed over'],
};
