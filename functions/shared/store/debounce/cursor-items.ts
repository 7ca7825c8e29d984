import type { CompletionMarker, DueRowKey, DueRowOf, Inflight } from '../../domain/event/cursor.ts';
import { type DebounceKey, dueRowKey, dueShardText } from './keys.ts';

/** In the table the counters have shorter names: `rev` is the revision, `touch` the change count. */
type InflightItem = Omit<Inflight, 'changeCount'> & { touch: number };

/** What is in flight, as the table has it. */
export const inflightItem = ({ changeCount, ...inflight }: Inflight): InflightItem => ({
  ...inflight,
  touch: changeCount,
});

const inflightOf = ({ touch, ...inflight }: InflightItem): Inflight => ({ ...inflight, changeCount: touch });

/** A marker as it goes into the table. */
export const markerItem = ({
  uuid,
  kind,
  revision,
  changeCount,
  ...marker
}: Omit<CompletionMarker, 'inflight'>): DebounceKey & Record<string, unknown> => ({
  ...dueRowKey({ uuid, kind }),
  ...marker,
  rev: revision,
  touch: changeCount,
  dueShard: dueShardText(uuid),
});

const numbers = ['dueAtMs', 'notifiedVersion', 'lastSentAtMs', 'heldSinceMs', 'version'] as const;

/** Only the stores write such rows, so their shape is trusted. */
export const dueRowOf = <Key extends DueRowKey>(
  { uuid, kind }: Key,
  { rev, touch, inflight, changed, ...attributes }: Record<string, unknown>,
) =>
  ({
    uuid,
    kind,
    revision: Number(rev),
    changeCount: Number(touch),
    ...Object.fromEntries(
      numbers.flatMap((name) => (attributes[name] === undefined ? [] : [[name, Number(attributes[name])]])),
    ),
    ...(inflight !== undefined && { inflight: inflightOf(inflight as InflightItem) }),
    ...(changed !== undefined && { changed: [...(changed as Set<string>)] }),
  }) as DueRowOf<Key>;
