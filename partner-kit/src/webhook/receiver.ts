import type { Sleep } from '../client/settings.ts';
import { sleep as pause } from '../client/settings.ts';
import { hasTransaction } from '../event-types.ts';
import type { Change } from './change.ts';
import { type ReadMessage, readMessage, versionsIn } from './message.ts';
import { createReadBack, type ReadTransaction } from './read-back.ts';
import { acceptedAfter, bookOf, isAccepted, type SignatureBook } from './signature.ts';
import { memoryStore, type ReceiverStore } from './store.ts';
import { take } from './take.ts';
import type { BodyFault, Incoming, Receipt, Verdict } from './verdict.ts';

/** What a receiver is made with. */
export type ReceiverOptions<Tx = undefined> = {
  /** The values that the operator gave you, or where they are kept. */
  readonly signatures: string | readonly string[] | SignatureBook;
  /**
   * Accept the value that a verified message announces in `X-Webhook-Signature-Next`, so that none is refused during a
   * rotation. No value is given up for it: whoever knows one could announce another. Take the former one away yourself.
   */
  readonly learnsNext?: boolean;
  /** Hears of each value that is learnt, with the type of the message that announced it: compare it with what the operator says. */
  readonly onLearnt?: (type: string) => void;
  /** `svc.production.online-payments` or `svc.staging.online-payments`: messages of the other environment are refused. */
  readonly source: string;
  /**
   * Keeps a change. It runs before the answer and in one step with the mark that the message was seen: it must be quick, and
   * when it fails, the service sends the message again.
   */
  readonly apply: (change: Change, tx: Tx) => Promise<void> | void;
  /** Slow work, after the answer. It is not repeated: what must not be lost, `apply` puts into a queue. */
  readonly afterwards?: (change: Change) => Promise<void> | void;
  /**
   * Closes gaps by reading the API (`readWith(client)`): after the answer where the store outlives the process, else before
   * it. Without it each element has a version of its own.
   */
  readonly readBack?: ReadTransaction;
  /** Where it is remembered what was taken; in memory by default. */
  readonly store?: ReceiverStore<Tx>;
  /** Hears of what fails inside; the sender only sees the status. */
  readonly onFault?: (fault: unknown) => void;
  /** Largest body; 1 MiB. Messages have at most 64 kB. */
  readonly bodyLimit?: number;
  /** How long a body may take to arrive, and then `apply` to keep it; 2 s each, since the sender waits five in all. */
  readonly limitMs?: number;
  readonly clock?: () => number;
  readonly sleep?: Sleep;
};

/** What the styles of servers are made of (`fetchHandler`, `nodeHandler`). */
export type Receiver = {
  receive: (incoming: Incoming, waitUntil?: (work: Promise<unknown>) => void) => Promise<Verdict>;
  /** Reads what an earlier run could not: at a start, and now and then. */
  resume: () => Promise<void>;
  /** Resolves when no work is left that began after an answer: before a process ends. */
  settled: () => Promise<void>;
  readonly bodyLimit: number;
  /** Ends a waiting that takes longer than `limitMs`, with undefined. */
  inTime: <Value>(work: Promise<Value>) => Promise<Value | undefined>;
  readonly onFault: (fault: unknown) => void;
};

/** A receiver of webhooks that keeps the rules of the service: verify, check, de-duplicate, order, answer, then work. */
export const createReceiver = <Tx = undefined>(options: ReceiverOptions<Tx>): Receiver => {
  const deps = dependenciesOf(options);
  const background = createBackground(deps.onFault);
  const readBack = deps.read && createReadBack({ ...deps, read: deps.read });
  const afterwards = async (changes: readonly Change[]) => {
    for (const change of changes) await options.afterwards?.(change);
  };
  const close = async (uuid: string) => (await readBack?.(uuid)) ?? [];
  /** The mark that the gap has left outlives the process, so the message is not sent again: this is. */
  const closeLater = (uuid: string, pauseMs = 1_000): void => {
    if (pauseMs > longestPauseMs) return;
    const again = async () => afterwards(await close(uuid));
    deps.sleep(pauseMs).then(() =>
      background.add(
        again().catch((fault) => {
          closeLater(uuid, pauseMs * 4);
          throw fault;
        }),
      ),
    );
  };
  return {
    receive: async (incoming, waitUntil) => {
      const judged = await judge(incoming, deps).catch((fault): Verdict => failed(fault, deps));
      if ('status' in judged) return judged;
      const { uuid, type } = judged;
      const delivered = { ...judged, ...versionsIn(incoming.header) };
      if (uuid === undefined || !hasTransaction(type))
        return { status: 204, receipt: { ...delivered, outcome: 'passed-by' } };
      const delivery = { ...delivered, uuid, type };
      const taking = take(delivery, { ...deps, readsBack: readBack !== undefined });
      const reading = taking.then(({ isUnread }) => (isUnread ? close(uuid) : []));
      // Where nobody waits for it, its fault must not end the process: that of `taking` is answered and told below.
      reading.catch(() => undefined);
      if (deps.store.forgets !== true)
        taking.then(() => reading.catch(() => closeLater(uuid))).catch(() => undefined);
      const work = taking.then(async ({ change }) => {
        if (change) await afterwards([change]);
        await afterwards(await reading);
      });
      // Who forgets at the end of the process has the service tell the message again until the gap is closed.
      const kept = deps.store.forgets === true ? reading.then(() => taking) : taking;
      const verdict = await verdictOf(
        kept.then(({ outcome, link }) => ({ ...delivery, outcome, link })),
        deps,
      );
      const running = background.add(work, verdict.reason === 'failed');
      waitUntil?.(running);
      return verdict;
    },
    resume: async () => {
      for (const uuid of await deps.store.unread()) await background.add(close(uuid).then(afterwards));
    },
    settled: background.settled,
    ...{ bodyLimit: deps.bodyLimit, inTime: deps.inTime, onFault: deps.onFault },
  };
};

/** After 1, 4, 16, 64 and 256 s nothing is tried any more: the next message of the transaction does, and `resume`. */
const longestPauseMs = 300_000;

const dependenciesOf = <Tx>(options: ReceiverOptions<Tx>) => {
  const { signatures, limitMs = 2_000, sleep = pause } = options;
  return {
    ...{ apply: options.apply, read: options.readBack, source: options.source },
    learnsNext: options.learnsNext ?? false,
    onLearnt:
      options.onLearnt ??
      (() => console.warn('A next webhook signature was announced, and is accepted now.')),
    signatures: bookOf(signatures),
    // A store of another kind is always given: only `undefined` is the memory's transaction.
    store: options.store ?? (memoryStore() as ReceiverStore<unknown> as ReceiverStore<Tx>),
    onFault: options.onFault ?? ((fault: unknown) => console.error(fault)),
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    clock: options.clock ?? Date.now,
    sleep,
    inTime: <Value>(work: Promise<Value>) => {
      const isOver = new AbortController();
      const end = sleep(limitMs, isOver.signal).then(
        () => undefined,
        () => undefined,
      );
      return Promise.race([work, end]).finally(() => isOver.abort());
    },
  };
};
type Dependencies = Omit<ReturnType<typeof dependenciesOf<unknown>>, 'store' | 'apply' | 'read'>;

/** Signature, size, form, source, in this order: nothing of a message counts before all four are right. */
const judge = async (incoming: Incoming, deps: Dependencies): Promise<ReadMessage | Verdict> => {
  if (incoming.method !== 'POST') return { status: 405, reason: 'wrong-method' };
  const signature = incoming.header('x-webhook-signature') ?? '';
  const accepted = await deps.signatures.accepted();
  if (!(await isAccepted(signature, accepted, deps.clock())))
    return { status: 401, reason: 'wrong-signature' };
  const body = await incoming.body();
  if (typeof body === 'string') return { status: statusOf[body], reason: body };
  const message = readMessage(body.value);
  if (typeof message === 'string') return { status: 400, reason: message };
  if (message.source !== deps.source) return { status: 400, reason: 'wrong-source' };
  if (deps.learnsNext) await learn({ incoming, type: message.type }, deps);
  return message;
};

/** 500 is tried again: a receiver that was put behind a body parser loses nothing until that is mended. */
const statusOf = {
  'too-large': 413,
  'too-slow': 408,
  'broken-off': 500,
  'body-consumed': 500,
} as const satisfies Record<BodyFault, number>;

const learn = async (
  { incoming, type }: { incoming: Incoming; type: string },
  { signatures, onLearnt }: Dependencies,
) => {
  const announced = incoming.header('x-webhook-signature-next') ?? '';
  const accepted = await signatures.accepted();
  const after = acceptedAfter(announced, accepted);
  if (after === accepted) return;
  await signatures.keep(after);
  onLearnt(type);
};

/** What is not kept in time may still be: then the message that is sent again is known. */
const verdictOf = async (taking: Promise<Receipt>, { inTime, onFault }: Dependencies): Promise<Verdict> => {
  try {
    const receipt = await inTime(taking);
    return receipt ? { status: 204, receipt } : { status: 503, reason: 'busy' };
  } catch (fault) {
    return failed(fault, { onFault });
  }
};

/** 500 is tried again. */
const failed = (fault: unknown, { onFault }: Pick<Dependencies, 'onFault'>): Verdict => {
  onFault(fault);
  return { status: 500, reason: 'failed' };
};

/** Work that nobody waits for; its faults are told, unless they were. */
const createBackground = (onFault: (fault: unknown) => void) => {
  const running = new Set<Promise<void>>();
  return {
    add: (work: Promise<unknown>, isTold = false): Promise<void> => {
      const one: Promise<void> = work
        .then(
          () => undefined,
          (fault) => (isTold ? undefined : onFault(fault)),
        )
        .finally(() => running.delete(one));
      running.add(one);
      return one;
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
