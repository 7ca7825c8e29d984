import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseImportLine } from '../../../../bin/operator/import/import-line.ts';
import { covers } from '../../../../functions/shared/domain/ownership/grant.ts';
import {
  elementNames,
  type JsonObject,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { hasCheckCharacters } from '../../../../functions/shared/domain/transaction/transaction-uuid.ts';
import { partners, storefronts } from '../../../support/demo-data/estate.ts';
import { demoFiles } from '../../../support/demo-data/generate.ts';
import { root } from '../../../support/repository.ts';

const committed = (name: string) => readFileSync(join(root, 'localstack', 'demo', name), 'utf8');
const lines = committed('transactions.ndjson').trimEnd().split('\n');
const all = lines.map((line) => JSON.parse(line));
const elements = (name: string): JsonObject[] => all.flatMap((line) => line[name] ?? []);
const pence = (text: unknown) => Math.round(Number(text) * 100);

test('making the demo data again gives the committed bytes', () => {
  for (const [name, text] of Object.entries(demoFiles())) expect(text === committed(name)).toBe(true);
});

test('every line is one that the import takes', () => {
  const refused = lines.flatMap((line, index) => {
    const parsed = parseImportLine(line, new Date(0));
    return parsed.ok ? [] : [`${index + 1}: ${parsed.reason}`];
  });

  expect(refused).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(300);
});

test('uuids and payment ids are unique, times rise, and our check characters are right (ID-1, ID-2)', () => {
  const uuids = all.map(({ uuid }) => uuid);
  const ids = elements('payments').map(({ id }) => id);
  const times = all.map(({ createdAt }) => createdAt);

  expect(new Set(uuids).size).toBe(uuids.length);
  expect(uuids.every(hasCheckCharacters)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(times).toEqual(times.toSorted());
});

test('three groups, all ten elements, both states, payments of types 0, 1 and 8', () => {
  expect(new Set(elements('ndMeta').map(({ group }) => group)).size).toBe(3);
  for (const name of elementNames) expect(elements(name).length).toBeGreaterThan(20);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([0, 1]));
  expect(new Set(elements('payments').map(({ type }) => type))).toEqual(new Set([0, 1, 8]));
});

test('finance adds up: deposit, part exchange, instalments, final payment and fee make the total', () => {
  const proposals = elements('financeProposal');

  for (const plan of proposals) {
    const parts =
      pence(plan.deposit) +
      pence(plan.partExchange) +
      pence(plan.monthlyPayment) * Number(plan.term) +
      pence(plan.finalPayment ?? 0) +
      pence(plan.optionToPurchaseFee);
    expect(pence(plan.totalPayable)).toBe(parts);
    expect(pence(plan.amountOfCredit)).toBe(
      pence(plan.cashPrice) - pence(plan.deposit) - pence(plan.partExchange),
    );
    expect(pence(plan.totalChargeForCredit)).toBeGreaterThan(0);
    expect(pence(plan.monthlyPayment)).toBeGreaterThan(0);
  }
  expect(proposals.length).toBeGreaterThan(50);
});

test('customers are invented: reserved mail domains, telephone numbers for drama', () => {
  for (const { email, mobile, landline } of elements('customer')) {
    expect(email).toMatch(/@(example\.com|example\.org|shopper\.test)$/);
    expect(mobile).toMatch(/^07700 900\d{3}$/);
    if (landline !== null) expect(landline).toMatch(/^01632 960\d{3}$/);
  }
});

test('the two partners see different parts, and neither sees all', () => {
  const seen = partners.map(({ grants }) =>
    all.filter(({ ndMeta }) => covers(grants, ndMeta)).map(({ uuid }) => uuid),
  );

  expect(seen.map(({ length }) => length > 20 && length < all.length / 2)).toEqual([true, true]);
  expect(seen[0]?.filter((uuid) => seen[1]?.includes(uuid))).toEqual([]);
  expect(storefronts.filter((storefront) => storefront.default)).toHaveLength(1);
});
