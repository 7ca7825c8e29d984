import { expect, test } from '@jest/globals';
import { uuidOf } from '../../support/transactions.ts';
import { aV2Write } from '../../support/v2-write.ts';

const address = `/api/v2/transaction/${uuidOf(1)}`;

test('V2-2 a PATCH of one element is kept and answered', async () => {
  const { ask, store } = await aV2Write({ transactions: [{ uuid: uuidOf(1) }] });

  const answer = await ask(`${address}?expand=vehicle&fields=uuid,vehicle`, {
    body: { vehicle: { make: 'Ford', identifiers: { ndstockid: 'ND1' } } },
  });

  expect(answer).toMatchObject({
    status: 200,
    body: { uuid: uuidOf(1), vehicle: { make: 'Ford', identifiers: { ndstockid: 'ND1' } } },
  });
  expect(answer.headers.ETag).toMatch(/^"2\./);
  expect(await store.byUuid(uuidOf(1))).toMatchObject({ version: 2 });
});
