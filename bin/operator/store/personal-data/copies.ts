import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { bodyVariants, textOfBody } from '../../../../functions/shared/store/debounce/event-bodies.ts';
import { conditionHeld } from '../../../../functions/shared/store/dynamodb/failure.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import { madeAtMs } from '../../../../functions/shared/store/requests/requests.ts';
import type { KeptCopy, OnScan } from './personal-data-store.ts';
import { scanInSegments } from './scan.ts';

type CopyAccess = TableAccess<'debounceTable' | 'requestsTable'>;

/** The bodies of events in the delivery log. */
export async function* eventCopies(access: CopyAccess, onScan: OnScan): AsyncGenerator<KeptCopy> {
  for await (const items of scanInSegments(access, access.debounceTable, onScan))
    for (const item of items)
      for (const { path, stored } of bodiesIn(item)) yield eventCopy(idOf(item, path), textOfBody(stored));
}

/** The bodies in one row: its own message, or the variants of an event. */
const bodiesIn = ({ bodies, message }: Record<string, unknown>): { path: string[]; stored: Uint8Array }[] => {
  const within = (bodies ?? {}) as { [variant: string]: Uint8Array | undefined };
  return [
    ...(message === undefined ? [] : [{ path: ['message'], stored: message as Uint8Array }]),
    ...bodyVariants.flatMap((variant) => {
      const stored = within[variant];
      return stored === undefined ? [] : [{ path: ['bodies', variant], stored }];
    }),
  ];
};

/** The copy in an event message, whose `detail` is the transaction. */
export const eventCopy = (id: string, message: string): KeptCopy => {
  const { detail, time } = objectOf(parsed(message));
  const content = objectOf(detail);
  return { place: 'event', id, uuid: uuidIn(content), content, madeAtMs: Date.parse(String(time)) };
};

/** The answers kept for repeated requests of partners. Records of sessions have no answer (S-86). */
export async function* answerCopies(access: CopyAccess, onScan: OnScan): AsyncGenerator<KeptCopy> {
  for await (const items of scanInSegments(access, access.requestsTable, onScan))
    for (const { pk, sk, uuid, answer, body, expiresAtMs } of items)
      if (typeof answer === 'string')
        yield {
          ...{ place: 'answer', id: idOf({ pk, sk }, []), uuid: String(uuid) },
          ...{ content: contentOf(answer, body), madeAtMs: madeAtMs({ expiresAtMs: Number(expiresAtMs) }) },
        };
}

/** A long body is stored beside its answer. */
const contentOf = (answer: string, body: unknown): JsonObject => {
  const inner = objectOf(parsed(answer)).body;
  return objectOf(parsed(String(body ?? inner ?? '')));
};

/** Removes the body. The sender of the event then records that it is not kept any more. */
export const eraseEventCopy = async (access: CopyAccess, { id }: KeptCopy) => {
  const { documents, debounceTable, retryDelays } = access;
  const [, , ...path] = JSON.parse(id) as string[];
  const names = Object.fromEntries(path.map((name, index) => [`#p${index}`, name]));
  const request = new UpdateCommand({
    TableName: debounceTable,
    Key: keyOf(id),
    UpdateExpression: `REMOVE ${Object.keys(names).join('.')}`,
    ConditionExpression: 'attribute_exists(#pk)',
    ExpressionAttributeNames: { ...names, '#pk': 'pk' },
  });
  await conditionHeld(withRetries(() => documents.send(request), retryDelays));
};

/** Replaces the answer by 404 and keeps the record, so that a repeated request does not write again. */
export const eraseAnswerCopy = async (access: CopyAccess, { id }: KeptCopy) => {
  const { documents, requestsTable, retryDelays } = access;
  const request = new UpdateCommand({
    TableName: requestsTable,
    Key: keyOf(id),
    UpdateExpression: 'SET #answer = :nothing REMOVE #body',
    ConditionExpression: 'attribute_exists(#pk)',
    ExpressionAttributeNames: { '#answer': 'answer', '#body': 'body', '#pk': 'pk' },
    ExpressionAttributeValues: { ':nothing': '{"status":404,"headers":{},"body":""}' },
  });
  await conditionHeld(withRetries(() => documents.send(request), retryDelays));
};

/** The row's key, and the path of the body within the row. */
const idOf = ({ pk, sk }: Record<string, unknown>, path: readonly string[]) =>
  JSON.stringify([pk, sk, ...path]);
const keyOf = (id: string) => {
  const [pk, sk] = JSON.parse(id) as [string, string];
  return { pk, sk };
};

const uuidIn = ({ uuid }: JsonObject) => (typeof uuid === 'string' ? uuid : undefined);

const parsed = (text: string): JsonValue => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
