import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { covers } from '../../../../functions/shared/domain/ownership/grant.ts';
import {
  elementNames,
  type JsonObject,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { hasCheckCharacters } from '../../../../functions/shared/domain/transaction/transaction-uuid.ts';
import type { DemoStorefront, PlannedPartner } from '../../../../localstack/demo/load.ts';
import { root } from '../../../support/repository.ts';

const readDemo = (name: string) => readFileSync(join(root, 'localstack/demo', name), 'utf8');
const lines = readDemo('transactions.ndjson').trimEnd().split('\n');
const { partners, storefronts }: { partners: PlannedPartner[]; storefronts: DemoStorefront[] } = JSON.parse(
  readDemo('plan.json'),
);
const all = lines.map((line) => JSON.parse(line));
const elements = (name: string): JsonObject[] => all.flatMap((line) => line[name] ?? []);

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
