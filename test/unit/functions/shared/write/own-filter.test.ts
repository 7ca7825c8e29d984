import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseImportLine } from '../../../../../bin/operator/import/import-line.ts';
import { indexedColumns } from '../../../../../functions/shared/domain/listing/columns.ts';
import type { JsonValue } from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { aV2Read } from '../../../../support/apis/v2-read.ts';
import { aService, uuid } from '../../../../support/apis/writes.ts';
import { anyText } from '../../../../support/builders/any-text.ts';
import { naughtyStrings } from '../../../../support/builders/naughty-strings.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';
import { anOwner } from '../../../../support/builders/transactions.ts';
import { createMemoryTransactions } from '../../../../support/memory/transactions.ts';

const texts = fc.oneof(
  fc.constantFrom(...naughtyStrings, 'x'.repeat(512), 'x'.repeat(513), 'ü'.repeat(256), 'ü'.repeat(257)),
  anyText({ maxLength: 12 }),
  fc
    .tuple(fc.constantFrom('', ' ', '\u00a0', '+', '%20', '&', '='), anyText({ maxLength: 3 }))
    .map(([edge, text]) => `${edge}${text}${edge}`),
  fc
    .tuple(anyText({ maxLength: 6 }), fc.constantFrom('NFC', 'NFD', 'NFKC'))
    .map(([text, form]) => text.normalize(form)),
);
const values: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 8, arbitrary: texts },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>(null, 0, 123456, 1.5, true, ['A'], {}) },
);

/** The element through this door into a store in memory. Undefined if it is refused. */
const taken = async (door: 'import' | 'V1 patch' | 'V1 put' | 'V2 patch' | 'V2 put', vehicle: JsonValue) => {
  if (door !== 'import') {
    const service = await aService();
    const { status } = await service.run(door, JSON.stringify({ vehicle }));
    return status === 200 ? service.transactions : undefined;
  }
  const line = JSON.stringify({ uuid, status: 0, ndMeta: anOwner(), vehicle });
  const parsed = parseImportLine(line, new Date('2026-03-01T12:00:00Z'));
  if (!parsed.ok) return undefined;
  const transactions = createMemoryTransactions();
  await transactions.createMany([{ ...parsed.value.created, session: 's1' }]);
  return transactions;
};

const doors = fc.constantFrom('import', 'V1 patch', 'V1 put', 'V2 patch', 'V2 put');

test('FLT-1 RUN-6 an identifier that an import or a write takes and answers show is found by its own filter', async () => {
  const counts = { found: 0, unknown: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      doors,
      fc.constantFrom(...Object.values(indexedColumns)),
      values,
      async (door, column, value) => {
        const { path, parameter } = column;
        const [, ...names] = path;
        const vehicle = names.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);

        const transactions = await taken(door, vehicle);

        if (!transactions) {
          counts.refused += 1;
          return;
        }
        const { get } = await aV2Read({ reader: transactions });
        const { body } = await get(`/api/v2/transaction/${uuid}?expand=vehicle`);
        const shown = body.vehicle?.identifiers?.[names.at(-1) ?? ''] ?? '';
        if (shown === '') {
          counts.unknown += 1;
          return;
        }
        counts.found += 1;
        expect(shown).toBe(value);
        const query = `?${parameter}=${encodeURIComponent(String(shown))}`;
        expect((await get(`/api/v2/transaction${query}`)).body).toMatchObject({ data: [{ uuid }] });
      },
    ),
    propertyRun('identifiers and their filters', 600, 30_000),
  );
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(10);
}, 600_000);
