import { inflateRawSync } from 'node:zlib';

/**
 * For `JSON.stringify` of items that are searched for a canary: stored bytes, as they are and inflated if possible, because
 * deflated text would hide it.
 */
export const legibly = (_key: string, value: unknown) => {
  if (!(value instanceof Uint8Array)) return value;
  const stored = Buffer.from(value).toString();
  try {
    return [stored, inflateRawSync(value).toString()];
  } catch {
    return [stored];
  }
};
