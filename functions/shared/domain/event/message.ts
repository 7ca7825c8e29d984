import { presentTransaction, type Visibility } from '../query/projection.ts';
import type { ElementName, JsonObject, OwnPropertyName, Transaction } from '../transaction/transaction.ts';
import { type EventBodies, type EventElementName, type EventType, testEventType } from './event.ts';

/** The values of a stage that are in every message. */
export type MessageOrigin = {
  /** `svc.<environment>.online-payments` (EV-8). */
  source: string;
  region: string;
};

/** The values of an event in a message, the same for every recipient. */
export type MessageFacts = {
  eventId: string;
  type: EventType;
  publishedAt: Date;
  elements: readonly EventElementName[];
};

/**
 * The webhook bodies of an event (interface 6.2), and the elements that were left out. `detail` is the API's answer,
 * narrowed to what changed: one projection makes both (TH-08).
 */
export const renderMessages = (
  facts: MessageFacts,
  transaction: Transaction,
  origin: MessageOrigin,
): { bodies: EventBodies; omitted: EventElementName[] } => {
  const render = (elements: readonly EventElementName[], visibleTo: Visibility) =>
    JSON.stringify(messageOf({ ...facts, elements }, transaction, { origin, visibleTo }));
  const withTokens = { showsPaymentTokens: true };
  const elements = fitting(facts.elements, {
    bytesWith: (some) => Buffer.byteLength(render(some, withTokens)),
    bytesOf: (name) => Buffer.byteLength(JSON.stringify(transaction[name] ?? null)),
  });
  const plain = render(elements, { showsPaymentTokens: false });
  const tokens = render(elements, withTokens);
  const omitted = facts.elements.filter((name) => !elements.includes(name));
  return { bodies: tokens === plain ? { plain } : { plain, tokens }, omitted };
};

/** 60 kB, with the bus's address and headers around the message (EV-9). */
const largestMessageBytes = 59_000;

/** Leaves out the largest elements, each as a whole, until the rest fits (EV-9). */
const fitting = (
  elements: readonly EventElementName[],
  sizes: {
    bytesWith: (elements: readonly EventElementName[]) => number;
    bytesOf: (name: EventElementName) => number;
  },
): readonly EventElementName[] => {
  if (elements.length === 0 || sizes.bytesWith(elements) <= largestMessageBytes) return elements;
  const [largest] = elements.toSorted((a, b) => sizes.bytesOf(b) - sizes.bytesOf(a));
  return fitting(
    elements.filter((name) => name !== largest),
    sizes,
  );
};

/** The nine properties, in the order of interface 6.2. */
const messageOf = (
  { eventId, type, publishedAt, elements }: MessageFacts,
  transaction: Transaction,
  { origin, visibleTo }: { origin: MessageOrigin; visibleTo: Visibility },
): JsonObject => ({
  version: '0',
  id: eventId,
  'detail-type': type,
  source: origin.source,
  account: '000000000000',
  time: timeText(publishedAt),
  region: origin.region,
  resources: [],
  detail: detailOf({ type, elements }, transaction, visibleTo),
});

/** `YYYY-MM-DDTHH:MM:SSZ` (interface 6.2). */
const timeText = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

/**
 * `ndMeta`, `uuid` and `status` always. A removed element is null, and removed payments are [] (EV-9). Of a deletion,
 * `isDeleted` is shown (EV-11).
 */
const detailOf = (
  { type, elements }: Pick<MessageFacts, 'type' | 'elements'>,
  transaction: Transaction,
  visibleTo: Visibility,
): JsonObject =>
  presentTransaction(
    transaction,
    {
      own: new Map(ownNames(type, transaction).map((name) => [name, 'everything'])),
      elements: new Map<ElementName, 'everything'>(
        (['ndMeta', ...elements] as const).map((name) => [name, 'everything']),
      ),
    },
    visibleTo,
  );

const ownNames = (type: EventType, { isDeleted }: Transaction): OwnPropertyName[] =>
  type === 'TransactionUpdated' && isDeleted === 1 ? ['uuid', 'status', 'isDeleted'] : ['uuid', 'status'];

/**
 * The body that tests an endpoint. It has the nine properties of every message, a type of its own and an empty
 * `detail`: a receiver only checks the signature and answers.
 */
export const renderTestMessage = (
  { id, publishedAt }: { id: string; publishedAt: Date },
  { source, region }: MessageOrigin,
): string =>
  JSON.stringify({
    version: '0',
    id,
    'detail-type': testEventType,
    source,
    account: '000000000000',
    time: timeText(publishedAt),
    region,
    resources: [],
    detail: {},
  });
