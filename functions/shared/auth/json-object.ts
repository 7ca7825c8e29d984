import { repeatedName } from '../domain/repeated-name.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';

/** A JSON object in UTF-8 whose every name stands once in its object, or undefined. */
export const parseJsonObject = (bytes: Uint8Array): JsonObject | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isObject(value) && repeatedName(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
