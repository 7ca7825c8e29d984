import type { Sleep } from '../client/settings.ts';
import { sampleCustomer, sampleDetail } from '../samples/detail.ts';
import { type SampleRange, sampleBody, sampleHeaders, signatureHeader } from '../samples/message.ts';
import type { Answer, Post } from '../samples/post.ts';

/** The receiver, and the partner's own values. */
export type Receiver = { url: string; signature: string; source: string };

/** What an attack needs. */
export type AttackDeps = {
  post: Post;
  now: () => Date;
  newId: () => string;
  /** Letters and digits. */
  randomText: (length: number) => string;
  /** Ends early, with a rejection, when the signal is aborted. */
  pause: Sleep;
  /** What the receiver has of a transaction, as text, if it shows that. */
  readState?: ((uuid: string) => Promise<string>) | undefined;
};

/** The message to send. Defaults to what the service sends. */
export type LetterSpec = {
  uuid?: string;
  id?: string;
  type?: string;
  source?: string;
  range?: SampleRange | undefined;
  /** Replaces the customer of an ordinary update. */
  elements?: Record<string, unknown>;
  /** Replaces all of `detail`. */
  detail?: Record<string, unknown>;
  omitted?: string;
  status?: 0 | 1;
  /** The customer's surname, to find the message in the receiver's state. */
  marker?: string;
};

/** A message without its signature. */
export type Letter = {
  id: string;
  uuid: string;
  marker: string;
  body: string;
  headers: Record<string, string>;
};

/** How a message is sent. */
type Sending = {
  /** Default: the partner's value. Undefined: no header. */
  signature?: string | undefined;
  isChunked?: boolean;
};

/** A receiver under attack. */
export type Target = {
  receiver: Receiver;
  letter: (spec?: LetterSpec) => Letter;
  post: (letter: Pick<Letter, 'headers' | 'body'>, sending?: Sending) => Promise<Answer>;
  /** A request of any other kind. */
  shoot: Post;
  /** A value that belongs to nobody. */
  strangeSignature: () => string;
  /** How often the receiver's state contains a marker. Undefined if nothing shows the state. */
  seenInState: ((letter: Letter) => Promise<number>) | undefined;
  deps: AttackDeps;
};

export const openTarget = (receiver: Receiver, deps: AttackDeps): Target => {
  const { readState } = deps;
  return {
    receiver,
    letter: (spec = {}) => letterOf(spec, receiver, deps),
    post: ({ headers, body }, sending = {}) => {
      const { signature, isChunked = false } = { signature: receiver.signature, ...sending };
      const signed = signature === undefined ? {} : { [signatureHeader]: signature };
      return deps.post({ url: receiver.url, body, headers: { ...headers, ...signed }, isChunked });
    },
    shoot: deps.post,
    strangeSignature: () => deps.randomText(receiver.signature.length || 32),
    seenInState: readState && (async ({ uuid, marker }) => occurrences(await readState(uuid), marker)),
    deps,
  };
};

const occurrences = (text: string, part: string) => text.split(part).length - 1;

const letterOf = (spec: LetterSpec, { source }: Receiver, deps: AttackDeps): Letter => {
  const { type = 'TransactionUpdated', status = 0, omitted = '' } = spec;
  const { uuid = newUuid(deps), id = deps.newId(), marker = `Attack${deps.randomText(12)}` } = spec;
  const elements = spec.elements ?? { customer: sampleCustomer(marker) };
  const detail = spec.detail ?? { ...sampleDetail(uuid, status), ...elements };
  const facts = { id, type, source: spec.source ?? source, publishedAt: deps.now(), detail };
  const isTest = type === 'WebhookTest';
  const range = 'range' in spec || isTest ? spec.range : { from: 0, to: 1 };
  return { id, uuid, marker, body: sampleBody(facts), headers: sampleHeaders(id, { range, omitted }) };
};

/** A transaction that the API does not have, so that nothing real is sent. */
const newUuid = ({ newId, randomText }: AttackDeps) => `${newId()}-${randomText(4).toLowerCase()}`;
