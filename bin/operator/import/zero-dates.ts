import {
  type ClosedElementName,
  closedElements,
} from '../../../functions/shared/domain/transaction/shape.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../functions/shared/domain/transaction/transaction.ts';

/** MySQL writes it where there is no date, in columns of dates and of times. */
const zeroDate = /^0000-00-00(?: 00:00:00(?:\.0+)?)?$/;

/** The line with null for each zero date of its closed elements, and the number of these dates (RUN-6). */
export const clearZeroDates = (line: JsonObject): { line: JsonObject; cleared: number } => {
  let cleared = 0;
  const clear = (members: { readonly [member: string]: string }, element: JsonValue): JsonValue => {
    if (Array.isArray(element)) return element.map((one) => clear(members, one));
    if (!isJsonObject(element)) return element;
    return mapMembers(element, (name, value) => {
      const isDate = Object.hasOwn(members, name) && (members[name] === 'day' || members[name] === 'time');
      if (!isDate || typeof value !== 'string' || !zeroDate.test(value)) return value;
      cleared += 1;
      return null;
    });
  };
  const clearedLine = mapMembers(line, (name, value) =>
    isClosed(name) ? clear(closedElements[name], value) : value,
  );
  return { line: clearedLine, cleared };
};

const isClosed = (name: string): name is ClosedElementName => Object.hasOwn(closedElements, name);

const mapMembers = (object: JsonObject, toValue: (name: string, value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, toValue(name, value)]));
