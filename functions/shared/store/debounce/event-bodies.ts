import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EventBodies } from '../../domain/event/event.ts';
import { type BodyVariant, bodyKey, type DebounceKey } from './keys.ts';

/** The bodies of an event, in its row or in rows of their own. */
export type PlacedBodies = {
  within: Partial<Record<BodyVariant, Uint8Array>>;
  apart: (DebounceKey & { message: Uint8Array })[];
};

export const bodyVariants: readonly BodyVariant[] = ['plain', 'tokens'];

/** Reading a row of 4 kB costs one unit with or without bodies; larger bodies get rows of their own. */
const mostBytesWithin = 3_000;

/** Where and how bodies are stored. They come back byte for byte (I6). */
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
