import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { demoPrograms, fleets, northgates, uuidsIn } from '../support/stage/demo-stage.ts';
import { uuidsOf } from '../support/stage/partner-client.ts';

const allElements =
  'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';

let { northgate, fleet } = {} as Awaited<ReturnType<typeof demoPrograms>>;

beforeAll(async () => {
  ({ northgate, fleet } = await demoPrograms());
}, 300_000);

describe("a partner's lists over the demo data", () => {
  test.each([
    [1, 120],
    [10, 12],
    [37, 4],
    [50, 3],
  ])('LINK-1 LINK-5 next leads through every transaction once, %i a page', async (perPage, pageCount) => {
    const pages = await northgate.allPages(`per-page=${perPage}&fields=uuid`);

    expect(pages).toHaveLength(pageCount);
    expect(pages.flatMap(uuidsOf)).toEqual(uuidsIn(northgates));
    expect(new Set(pages.map(({ _meta }) => _meta.totalCount))).toEqual(new Set([120]));
    expect(pages.map(({ _meta }) => _meta.currentPage)).toEqual(pages.map((_, index) => index + 1));
  });

  test('S-01 GRANT-1 two partners see what each was granted, and nothing of it twice', async () => {
    const [ofNorthgate, ofFleet] = await Promise.all([
      northgate.allPages('per-page=50'),
      fleet.allPages('per-page=50'),
    ]);

    expect(ofNorthgate.flatMap(uuidsOf)).toEqual(uuidsIn(northgates));
    expect(ofFleet.flatMap(uuidsOf)).toEqual(uuidsIn(fleets));
    expect([northgates.length, fleets.length]).toEqual([120, 125]);
  });

  test('EXP-1 SHOW-1 everything expanded is what was imported, payment tokens aside', async () => {
    const pages = await northgate.allPages(`per-page=50&expand=${allElements}`);

    const shown = new Map(pages.flatMap(({ data }) => data).map((record) => [record.uuid, record]));
    for (const { uuid, ...imported } of northgates) {
      const { createdAt: _, ...rest } = imported as JsonObject;
      const payments = ((rest.payments ?? []) as JsonObject[]).map((payment) => ({
        ...payment,
        token: null,
      }));
      const absent = Object.fromEntries(allElements.split(',').map((name) => [name, null]));
      expect(shown.get(uuid)).toEqual({ uuid, ...absent, ...rest, payments });
    }
  });
});
