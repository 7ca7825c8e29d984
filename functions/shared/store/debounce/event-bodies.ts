import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EventBodies } from '../../domain/event/event.ts';
import { type BodyVariant, bodyKey, type DebounceKey } from './keys.ts';

/** The bodies of an event, in its own row or in rows of their own. */
export type PlacedBodies = {
  within: Partial<Record<BodyVariant, Uint8Array>>;
  apart: (DebounceKey & { message: Uint8Array })[];
};

export const bodyVariants: readonly BodyVariant[] = ['plain', 'tokens'];

/** An event's row of 4 kB is read for one unit, whether or not its bodies are asked for: larger ones get rows of their own. */
const mostBytesWithin = 3_000;

/** Where the bodies of an event are stored, and how. What comes out again is the same to the byte (I6). */
export const placeBodies = (eventId: string, bodies: EventBodies | undefined): PlacedBodies => {
  const packed = bodyVariants.flatMap((variant) => {
    const text = bodies?.[variant];
    return text === undefined ? [] : [{ variant, message: deflateRawSync(text) }];
  });
  const bytes = packed.reduce((sum, { message }) => sum + message.length, 0);
  if (bytes <= mostBytesWithin)
    return {
      within: Object.fromEntries(packed.map(({ variant, message }) => [variant, message])),
      apart: [],
    };
  return {
    within: {},
    apart: packed.map(({ variant, message }) => ({ ...bodyKey(eventId, variant), message })),
  };
};

export const textOfBody = (stored: Uint8Array): string => inflateRawSync(stored).toString();
