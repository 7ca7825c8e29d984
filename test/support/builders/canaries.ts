import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../functions/shared/domain/transaction/transaction.ts';

/**
 * Canaries: texts of which each is written to one place, so that a search shows what is left where. `planted` is an
 * object with one in every text member of a schema, so a new member is searched for automatically.
 */
export const canariesOf = (origin: string) => {
  let count = 0;
  const next = (): string => {
    count += 1;
    return canaryOf(`${origin} ${count}`);
  };
  const planted = (schema: z.core.$ZodType): JsonObject => {
    const value = plant(schema, next);
    if (!isJsonObject(value)) throw new Error('The schema is of no object.');
    return value;
  };
  return { next, planted };
};

/** Of 40 hexadecimal digits, because the hashes of the interface are such texts, too. */
const canaryOf = (place: string) => createHash('sha1').update(place).digest('hex');

type Next = () => string;

/** Undefined where the schema takes no text. */
const plant = (schema: z.core.$ZodType, next: Next): JsonValue | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return plantMembers(def, next);
    case 'array':
      return [plant(def.element, next)].filter(isPlanted);
    case 'union':
      return def.options.map((option) => plant(option, next)).find(isPlanted);
    case 'optional':
    case 'nullable':
    case 'default':
      return plant(def.innerType, next);
    case 'pipe':
      return plant(def.in, next);
    case 'string':
      return texts.map((text) => accepted(schema, text, next)).find(isPlanted);
    case 'custom':
    case 'unknown':
      return accepted(schema, anyValue, next);
    default:
      return undefined;
  }
};

const isPlanted = (value: JsonValue | undefined) => value !== undefined;

/** Open ones get a member that no schema names. */
const plantMembers = ({ shape, catchall }: z.core.$ZodObjectDef, next: Next): JsonObject => {
  const members = Object.entries(shape).map(([name, schema]) => [name, plant(schema, next)]);
  const isOpen = catchall?._zod.def.type === 'unknown';
  return Object.fromEntries([
    ...members.filter(([, value]) => value !== undefined),
    ...(isOpen ? [['unnamed', anyValue(next)]] : []),
  ]);
};

const anyValue = (next: Next): JsonObject => ({ text: next(), list: [{ deeper: next() }] });

/** A text itself, or within an address of the web. */
const texts: ((next: Next) => string)[] = [
  (next) => next(),
  (next) => `https://shop.example/in?by=${next()}`,
];

const triedCanary: Next = () => canaryOf('tried');

/** A canary is taken only where the schema takes the value that has it. */
const accepted = <Value extends JsonValue>(
  schema: z.core.$ZodType,
  made: (next: Next) => Value,
  next: Next,
): Value | undefined => (z.safeParse(schema, made(triedCanary)).success ? made(next) : undefined);
