import { v5 } from 'uuid';
import type { EventType, VersionRange } from './event.ts';

/** Our own namespace (RFC 9562, section 5.5), so that nobody else's name gives one of our ids. */
const namespace = '7a0dc1f5-5a3b-5c2e-9a51-1c5e0b0d5a3f';

/** The same for the same change of the same transaction, over every crash, retry, redrive and replay (EV-6). */
export const eventIdOf = (stage: string, type: EventType, uuid: string, { from, to }: VersionRange): string =>
  v5(JSON.stringify([stage, type, uuid, from, to]), namespace);
