import { createHash } from 'node:crypto';

const hex = '[0-9a-fA-F]';
const uuidPart = `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`;
const shape = new RegExp(`^(${uuidPart})-([0-9A-Za-z]{1,16})$`);

/** Crockford's base 32 in lower case: no i, l, o, u. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new transaction's uuid (ID-1): a random UUID of RFC 9562 version 4 from 16 random bytes, and its check characters. */
export const makeTransactionUuid = (random: Uint8Array): string => {
  const uuid = toUuid(random);
  return `${uuid}-${checkCharacters(uuid)}`;
};

/** Whether a text can be a transaction's uuid: ours, or an imported one with another suffix (ID-1). */
export const isTransactionUuid = (text: string): boolean => shape.test(text);

/** Whether the suffix is the one that this service makes. False for imported and mistyped uuids. */
export const hasCheckCharacters = (text: string): boolean => {
  const [, uuid, suffix] = shape.exec(text) ?? [];
  return uuid !== undefined && checkCharacters(uuid) === suffix;
};

const toUuid = (random: Uint8Array) => {
  const bytes = Buffer.from(random.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The first 4 × 5 bits of the SHA-256 of the UUID's text. One typing mistake in a million stays unnoticed. */
const checkCharacters = (uuid: string) => {
  const bits = createHash('sha256').update(uuid.toLowerCase()).digest().readUIntBE(0, 3) >> 4;
  return [15, 10, 5, 0].map((shift) => digits.charAt((bits >> shift) & 31)).join('');
};
