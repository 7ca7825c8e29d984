import { expect, test } from '@jest/globals';
import { cors, type OriginEvent } from '../../../../../functions/shared/middleware/cors.ts';
import { httpEvent } from '../../../../support/builders/http-event.ts';

/** Which origins are looked up in the store for a request with these. */
const lookedUp = async (origins: string[]) => {
  const asked: string[] = [];
  const ofOrigin = async (origin: string) => {
    asked.push(origin);
    return [];
  };
  const event = httpEvent('/api/transaction', { headers: { Origin: origins } }) as OriginEvent;
  await cors({ storefronts: { ofOrigin }, methods: ['GET'] }).before?.({ event } as never);
  return { asked, storefronts: event.storefronts };
};

const ofLength = (length: number) => `https://${'a'.repeat(length - 'https://'.length)}`;

test.each([
  ['one', ['https://shop.example'], ['https://shop.example']],
  ['one of 300 characters', [ofLength(300)], [ofLength(300)]],
  ['one of 301 characters', [ofLength(301)], []],
  ['one that no key of the store could hold', [ofLength(3_000)], []],
  ['two', ['https://shop.example', 'https://other.example'], []],
  ['the same twice', ['https://shop.example', 'https://shop.example'], []],
  ['none', [], []],
])('V1-7 ERR-4 %s: the origin is looked up unchanged, or not at all', async (_, origins, asked) => {
  expect(await lookedUp(origins)).toEqual({ asked, storefronts: [] });
});
