import type { Patch } from '../../patch.ts';

const batchGet = 'functions/shared/store/dynamodb/batch-get.ts';
const pages = 'functions/shared/store/dynamodb/pages.ts';
const failure = 'functions/shared/store/dynamodb/failure.ts';
const retry = 'functions/shared/store/dynamodb/retry.ts';
const chunks = 'functions/shared/runtime/chunks.ts';
const ofBatchGet = ['test/unit/functions/shared/store/dynamodb/batch-get.test.ts'];
const ofPages = ['test/unit/functions/shared/store/dynamodb/pages.test.ts'];
const ofFailure = ['test/unit/functions/shared/store/dynamodb/failure.test.ts'];
const ofChunks = ['test/unit/functions/shared/runtime/chunks.test.ts'];

/** How the store speaks with DynamoDB, whatever it asks. */
export const patches: readonly Patch[] = [
  {
    id: 'store-unprocessed-keys',
    rule: 'STO-1 keys left unprocessed are asked for again',
    file: batchGet,
    find: 'missing = missing.flatMap((read) => leftOf(read, answer.UnprocessedKeys?.[read.table]?.Keys));',
    put: 'missing = answer.UnprocessedKeys === null ? missing : [];',
    tests: ofBatchGet,
  },
  {
    id: 'store-unprocessed-wait',
    rule: 'STO-1 an engine at its limit is given time',
    file: batchGet,
    find: 'if (round > 1) await',
    put: 'if (round > maximumRounds) await',
    tests: ofBatchGet,
  },
  {
    id: 'store-unprocessed-end',
    rule: 'ERR-4 keys are asked for ten times at most',
    file: batchGet,
    find: 'if (round > maximumRounds) throw',
    put: 'if (round > maximumRounds * 5) throw',
    tests: ofBatchGet,
  },
  {
    id: 'store-unprocessed-503',
    rule: 'ERR-4 keys that stay unprocessed are 503',
    file: batchGet,
    find: "{ name: 'ThrottlingException' }",
    put: '{}',
    tests: ofBatchGet,
  },
  {
    id: 'store-batch-of-100',
    rule: 'STO-1 a batch read has at most 100 keys',
    file: batchGet,
    find: 'const keysPerRequest = 100;',
    put: 'const keysPerRequest = 200;',
    tests: ofBatchGet,
  },
  {
    id: 'store-gathered',
    rule: 'STO-4 reads of one turn share a request',
    file: batchGet,
    find: 'if (waiting.length === 1) setImmediate(send);',
    put: 'void send();',
    tests: ofBatchGet,
  },
  {
    id: 'store-gathered-tables',
    rule: 'STO-1 a request names a table once',
    file: batchGet,
    find: 'return isOtherTable && keys.length > 0',
    put: 'return (isOtherTable || true) && keys.length > 0',
    tests: ofBatchGet,
  },
  {
    id: 'store-gathered-nothing',
    rule: 'STO-1 a request names no table of which nothing is asked',
    file: batchGet,
    find: 'return isOtherTable && keys.length > 0 && count',
    put: 'return isOtherTable && count',
    tests: ofBatchGet,
  },
  {
    id: 'store-gathered-left',
    rule: 'STO-1 what is left of a request for two tables is asked for with the attributes of each',
    file: batchGet,
    find: 'keys.length === 0 ? [] : [{ ...read, keys }];',
    put: 'keys.length === 0 ? [] : [{ table: read.table, keys }];',
    tests: ofBatchGet,
  },
  {
    id: 'store-pages-second',
    rule: 'STO-1 a Query is read to its end',
    file: pages,
    find: 'start = LastEvaluatedKey;',
    put: 'start = LastEvaluatedKey && undefined;',
    tests: ofPages,
  },
  {
    id: 'store-pages-start',
    rule: 'STO-1 a page begins where the one before ended',
    file: pages,
    find: 'start ? { ExclusiveStartKey: start } : {}',
    put: '{}',
    tests: ofPages,
  },
  {
    id: 'store-pages-retry',
    rule: 'STO-2 a page that is declined for now is asked for again',
    file: pages,
    find: 'return withRetries(() => documents.send(request), retryDelays);',
    put: 'return retryDelays ? documents.send(request) : withRetries(() => documents.send(request));',
    tests: ofPages,
  },
  {
    id: 'store-failed-condition',
    rule: 'STO-2 only a failed condition is an answer, other failures are thrown',
    file: failure,
    find: "if (failureOf(error) !== 'condition-failed') throw error;",
    put: "if (failureOf(error) === 'perhaps-done') throw error;",
    tests: ofFailure,
  },
  {
    id: 'store-failed-statement',
    rule: 'STO-2 which statement of a write failed its condition',
    file: failure,
    find: 'return CancellationReasons.findIndex(({ Code }) => Code === conditionFailed);',
    put: 'return CancellationReasons.length - 1 && 0;',
    tests: ofFailure,
  },
  {
    id: 'store-condition-over-conflict',
    rule: 'STO-2 a failed condition counts before a conflict beside it',
    file: failure,
    find: "if (codes.includes(conditionFailed)) return 'condition-failed';",
    put: "if (codes.every((code) => code === conditionFailed || code === 'None')) return 'condition-failed';",
    tests: ofFailure,
  },
  {
    id: 'store-no-answer',
    rule: 'STO-2 a request without an answer was perhaps done',
    file: failure,
    find: "return status === undefined || status >= 500 ? 'perhaps-done' : 'fatal';",
    put: "return status === undefined ? 'not-done' : status >= 500 ? 'perhaps-done' : 'fatal';",
    tests: ofFailure,
  },
  {
    id: 'store-jitter',
    rule: 'STO-2 waits between tries double and are random',
    file: retry,
    find: 'random() * Math.min(400, 25 * 2 ** (tries - 1))',
    put: '0.5 * Math.min(400, 25 * tries)',
    tests: ofBatchGet,
  },
  {
    id: 'store-last-part',
    rule: 'STO-1 the last part of what arrives is not full, and counts',
    file: chunks,
    find: 'if (chunk.length > 0) yield chunk;',
    put: 'if (chunk.length >= size) yield chunk;',
    tests: ofChunks,
  },
  {
    id: 'store-full-part',
    rule: 'STO-1 a part is given out as soon as it is full',
    file: chunks,
    find: 'if (chunk.length < size) continue;',
    put: 'if (chunk.length <= size) continue;',
    tests: ofChunks,
  },
];
