import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner, Shop } from './world.ts';

/** 23 transactions of the group that the partner is granted (each fourth is complete), then 4 of another. */
export const grantedCount = 23;
const otherCount = 4;

/** The uuid of a transaction by its number, from 1. */
const uuidOf = (number: number) => `0b1e5a70-5c1d-4f6e-9a3b-${String(number).padStart(12, '0')}-dply`;

export const grantedUuids: string[] = Array.from({ length: grantedCount }, (_, index) => uuidOf(index + 1));
export const otherUuid = uuidOf(grantedCount + 1);
export const importedCount = grantedCount + otherCount;

/** The file for `transactions import` (RUN-4): one transaction a line, in creation order. */
export const writeImportFile = (folder: string): string => {
  const file = join(folder, 'journeys.ndjson');
  const lines = Array.from({ length: importedCount }, (_, index) => JSON.stringify(transaction(index + 1)));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};

const transaction = (number: number) => {
  const isComplete = number % 4 === 0;
  return {
    uuid: uuidOf(number),
    status: isComplete ? 1 : 0,
    guestEmail: `guest${number}@example.com`,
    ndMeta: number <= grantedCount ? owner('harbour', `quay-${number % 2}`) : owner('meadow', 'barn'),
    vehicle: {
      title: `Vehicle ${number}`,
      identifiers: { ndstockid: `STOCK-${number}`, salesmasterid: `SALES-${number % 6}` },
    },
    customer: { firstName: 'Ann', lastName: 'Müller' },
    payments: isComplete ? [{ id: number, type: 1, value: '99.00', status: 1 }] : [],
  };
};

const owner = (group: string, location: string): Owner => ({
  group,
  franchise: `${group}-cars`,
  branch: `Branch ${location}`,
  location,
  groupSoftware: `${group}-software`,
});

/** The group's shop. */
export const harbourShop: Shop = {
  origin: 'https://shop.harbour.example',
  owner: owner('harbour', 'quay-1'),
};
