import type { CompletionMarker, DueRowKey, DueRowOf, Inflight } from '../../domain/event/debounce-row.ts';
import { type DebounceKey, dueRowKey, dueShardText } from './keys.ts';

/** A marker as an item. */
export const markerItem = ({
  uuid,
  kind,
  ...marker
}: Omit<CompletionMarker, 'inflight'>): DebounceKey & Record<string, unknown> => ({
  ...dueRowKey({ uuid, kind }),
  ...marker,
  dueShard: dueShardText(uuid),
});

const numbers = ['dueAtMs', 'notifiedVersion', 'lastSentAtMs', 'version'] as const;

/** Reads a row. Only the stores write rows, so their shape is trusted. */
export const dueRowOf = <Key extends DueRowKey>(
  { uuid, kind }: Key,
  { revision, changeCount, inflight, changed, ...attributes }: Record<string, unknown>,
) =>
  ({
    uuid,
    kind,
    revision: Number(revision),
    changeCount: Number(changeCount),
    ...Object.fromEntries(
      numbers.flatMap((name) => (attributes[name] === undefined ? [] : [[name, Number(attributes[name])]])),
    ),
    ...(inflight !== undefined && { inflight: inflight as Inflight }),
    ...(changed !== undefined && { changed: [...(changed as Set<string>)] }),
  }) as DueRowOf<Key>;
