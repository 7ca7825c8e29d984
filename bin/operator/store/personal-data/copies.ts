import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { conditionHeld } from '../../../../functions/shared/store/dynamodb/failure.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import { madeAtMs } from '../../../../functions/shared/store/requests/requests.ts';
import type { KeptCopy, OnScan } from './personal-data-store.ts';
import { scanInSegments } from './scan.ts';

type CopyAccess = TableAccess<'requestsTable'>;

/** The answers kept for repeated requests of partners. Records of sessions have no answer (S-86). */
export async function* answerCopies(access: CopyAccess, onScan: OnScan): AsyncGenerator<KeptCopy> {
  for await (const items of scanInSegments(access, access.requestsTable, onScan))
    for (const { pk, sk, uuid, answer, body, expiresAtMs } of items)
      if (typeof answer === 'string')
        yield {
          ...{ key: { pk: String(pk), sk: String(sk) }, uuid: String(uuid) },
          ...{ content: contentOf(answer, body), madeAtMs: madeAtMs({ expiresAtMs: Number(expiresAtMs) }) },
        };
}

/** A long body is stored beside its answer. */
const contentOf = (answer: string, body: unknown): JsonObject => {
  const inner = objectOf(parsed(answer)).body;
  return objectOf(parsed(String(body ?? inner ?? '')));
};

/** Replaces the answer by 404 and keeps the record, so that a repeated request does not write again. */
export const eraseAnswerCopy = async (access: CopyAccess, { key: Key }: KeptCopy) => {
  const { documents, requestsTable, retryDelays } = access;
  const request = new UpdateCommand({
    TableName: requestsTable,
    Key,
    UpdateExpression: 'SET #answer = :nothing REMOVE #body',
    ConditionExpression: 'attribute_exists(#pk)',
    ExpressionAttributeNames: { '#answer': 'answer', '#body': 'body', '#pk': 'pk' },
    ExpressionAttributeValues: { ':nothing': '{"status":404,"headers":{},"body":""}' },
  });
  await conditionHeld(withRetries(() => documents.send(request), retryDelays));
};

const parsed = (text: string): JsonValue => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
