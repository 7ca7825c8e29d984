import { type EventType, eventTypes } from '../shared/domain/event/event.ts';

/** The types that a partner finds among its events. */
export const listedTypes: readonly EventType[] = eventTypes;

export const isListedType = (text: string): text is EventType =>
  (listedTypes as readonly string[]).includes(text);
