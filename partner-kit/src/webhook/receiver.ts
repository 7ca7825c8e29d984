import type { Sleep } from '../client/settings.ts';
import { sleep as pause } from '../client/settings.ts';
import { hasTransaction } from '../event-types.ts';
import type { Change } from './change.ts';
import { type ReadMessage, readMessage, versionsIn } from './message.ts';
import { createReadBack, type ReadTransaction } from './read-back.ts';
import { acceptedSignatures, isAccepted } from './signature.ts';
import { memoryStore, type ReceiverStore } from './store.ts';
import { take } from './take.ts';
import type { BodyFault, Incoming, Receipt, Verdict } from './verdict.ts';

/** Options of a receiver. */
export type ReceiverOptions<Tx = undefined> = {
  /** The signature, or several: during a rotation the present and the next one. */
  readonly signatures: string | readonly string[];
  /** `svc.production.online-payments` or `svc.staging.online-payments`: messages of the other environment are refused. */
  readonly source: string;
  /**
   * Stores a change. It runs before the answer, in one step with the mark that the message was seen, so it must be
   * fast. If it fails, the service sends the message again.
   */
  readonly apply: (change: Change, tx: Tx) => Promise<void> | void;
  /** Slow work after the answer. It is not repeated, so `apply` must queue what must not be lost. */
  readonly afterwards?: (change: Change) => Promise<void> | void;
  /**
   * Closes gaps by reading the API (`readWith(client)`): after the answer if the store outlives the process, otherwise
   * before it. Without it, each element has a version of its own.
   */
  readonly readBack?: ReadTransaction;
  /** Where the receiver remembers messages. In memory by default. */
  readonly store?: ReceiverStore<Tx>;
  /** Called for internal faults. The sender only gets the status. */
  readonly onFault?: (fault: unknown) => void;
  /** Largest body; 1 MiB. Messages have at most 64 kB. */
  readonly bodyLimit?: number;
  /** Time limits for a body to arrive, and for `apply`. 2 s each, because the sender waits five seconds in all. */
  readonly limitMs?: number;
  readonly sleep?: Sleep;
};

/** What the adapters for servers use (`fetchHandler`, `nodeHandler`). */
export type Receiver = {
  receive: (incoming: Incoming, waitUntil?: (work: Promise<unknown>) => void) => Promise<Verdict>;
  /** Reads what an earlier process could not. Call it at the start, and now and then. */
  resume: () => Promise<void>;
  /** Resolves when all work that began after answers has ended. Await it before the process ends. */
  settled: () => Promise<void>;
  readonly bodyLimit: number;
  /** Ends a wait after `limitMs`, with undefined. */
  inTime: <Value>(work: Promise<Value>) => Promise<Value | undefined>;
  readonly onFault: (fault: unknown) => void;
};

/**
 * A receiver of webhooks that keeps the rules of the service: verify, check, de-duplicate, order, answer, then work.
 */
export const createReceiver = <Tx = undefined>(options: ReceiverOptions<Tx>): Receiver => {
  const deps = dependenciesOf(options);
  const background = createBackground(deps.onFault);
  const readBack = deps.read && createReadBack({ ...deps, read: deps.read });
  const afterwards = async (changes: readonly Change[]) => {
    for (const change of changes) await options.afterwards?.(change);
  };
  const close = async (uuid: string) => (await readBack?.(uuid)) ?? [];
  /** The mark of the gap outlives the process, so the message is not sent again, and the gap is closed here. */
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
      // In the background, its fault must not end the process. That of `taking` is answered and reported below.
      reading.catch(() => undefined);
      if (deps.store.forgets !== true)
        taking.then(() => reading.catch(() => closeLater(uuid))).catch(() => undefined);
      const work = taking.then(async ({ change }) => {
        if (change) await afterwards([change]);
        await afterwards(await reading);
      });
      // If the store ends with the process, the service must send the message again until the gap is closed.
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

/**
 * After 1, 4, 16, 64 and 256 s it stops trying. The next message of the transaction tries again, and so does `resume`.
 */
const longestPauseMs = 300_000;

const dependenciesOf = <Tx>(options: ReceiverOptions<Tx>) => {
  const { signatures, limitMs = 2_000, sleep = pause } = options;
  return {
    ...{ apply: options.apply, read: options.readBack, source: options.source },
    signatures: acceptedSignatures(signatures),
    // A store of another kind always passes a transaction. Only the one in memory passes `undefined`.
    store: options.store ?? (memoryStore() as ReceiverStore<unknown> as ReceiverStore<Tx>),
    onFault: options.onFault ?? ((fault: unknown) => console.error(fault)),
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
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

/** Signature, size, form, source, in this order. Nothing of a message is used before all four are right. */
const judge = async (incoming: Incoming, deps: Dependencies): Promise<ReadMessage | Verdict> => {
  if (incoming.method !== 'POST') return { status: 405, reason: 'wrong-method' };
  const signature = incoming.header('x-webhook-signature') ?? '';
  if (!(await isAccepted(signature, deps.signatures))) return { status: 401, reason: 'wrong-signature' };
  const body = await incoming.body();
  if (typeof body === 'string') return { status: statusOf[body], reason: body };
  const message = readMessage(body.value);
  if (typeof message === 'string') return { status: 400, reason: message };
  if (message.source !== deps.source) return { status: 400, reason: 'wrong-source' };
  return message;
};

/** 500 is retried: a receiver behind a body parser loses nothing until that is mended. */
const statusOf = {
  'too-large': 413,
  'too-slow': 408,
  'broken-off': 500,
  'body-consumed': 500,
} as const satisfies Record<BodyFault, number>;

/** A change that was too slow may still be stored. Then the repeated message is recognised. */
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

/** Background work. Reports its faults unless they were reported before. */
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
