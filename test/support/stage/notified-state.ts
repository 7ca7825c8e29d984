import type { JsonObject, JsonValue } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { NotifiedMessage } from './event-place.ts';

/** What a partner knows of one transaction from messages alone, as docs/guide/webhooks.md tells it to. */
export type Known = {
  status: JsonValue;
  isDeleted: boolean;
  elements: Map<string, { version: number; value: JsonValue }>;
};

/** Every element has the version of the newest event with it, `status` and the deletion that of the newest event. */
export const knownFrom = (notified: readonly NotifiedMessage[]): Map<string, Known> => {
  const all = new Map<string, Known & { version: number }>();
  for (const { message, headers } of notified) {
    if (message['detail-type'] !== 'TransactionUpdated') continue;
    const { uuid, status, isDeleted, ndMeta: _, ...elements } = message.detail as JsonObject;
    const version = Number(headers['X-Transaction-Version']);
    const known = all.get(String(uuid)) ?? {
      version: 0,
      status: null,
      isDeleted: false,
      elements: new Map(),
    };
    if (version > known.version)
      Object.assign(known, { version, status: status ?? null, isDeleted: isDeleted === 1 });
    for (const [name, value] of Object.entries(elements))
      if (version > (known.elements.get(name)?.version ?? 0))
        known.elements.set(name, { version, value: value ?? null });
    all.set(String(uuid), known);
  }
  return all;
};

/**
 * Messages with the id of another one and other content but for their time, or with its version and other values. Two events
 * may end at one version: one that was kept until its endpoint served, and one that was sent then (EV-12).
 */
export const notifiedTwiceOtherwise = (notified: readonly NotifiedMessage[]): string[] => {
  const byId = Map.groupBy(notified, ({ message }) => message.id);
  const byVersion = Map.groupBy(
    notified,
    ({ message, headers }) =>
      `${message['detail-type']} ${message.detail.uuid} ${headers['X-Transaction-Version']}`,
  );
  const content = ({ message }: NotifiedMessage) => JSON.stringify({ ...message, time: '' });
  const ids = [...byId].filter(([, copies]) => new Set(copies.map(content)).size > 1);
  return [...ids, ...[...byVersion].filter(([, events]) => doDiffer(events))].map(([what]) => what);
};

/** Whether a member of `detail` has different values. */
const doDiffer = (events: readonly NotifiedMessage[]): boolean => {
  const members = events.flatMap(({ message }) => Object.entries(message.detail));
  const values = Map.groupBy(members, ([name]) => name);
  return [...values.values()].some((all) => new Set(all.map(([, value]) => JSON.stringify(value))).size > 1);
};
