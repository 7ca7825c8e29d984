import { eventTypes, testEventType } from '../shared/domain/event/event.ts';

/** The types that a partner finds among its events. */
export const listedTypes = [...eventTypes, testEventType] as const;
export type ListedType = (typeof listedTypes)[number];

export const isListedType = (text: string): text is ListedType =>
  (listedTypes as readonly string[]).includes(text);
