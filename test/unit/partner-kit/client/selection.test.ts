import { describe, expect, test } from '@jest/globals';
import {
  type DeliveryCollection,
  type Elements,
  elementNames,
  type OwnProperties,
  type Payment,
} from '../../../../partner-kit/src/index.ts';
import { aClient, anEmptyPage, json } from '../../../support/partner-kit/fake-service.ts';

/*
 * What is proved here, the compiler proves (`npm run typecheck`, and `npm run check -- kit` under TypeScript 5 as well): every
 * line below is an error as soon as a type becomes another.
 */

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Type and value of each member, however the type was put together. */
type Flat<Value> = Value extends readonly (infer Item)[]
  ? readonly Flat<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Flat<Value[Key]> }
    : Value;
const same = <One, Other>(_: Same<Flat<One>, Flat<Other>>) => undefined;

const { client } = aClient({ api: () => json({ ...anEmptyPage, data: [{}] }) });
/** What a list says that it gives; that it gives it, the end-to-end test shows. */
const rowOf = async <Row>(page: Promise<{ data: readonly Row[] }>): Promise<Row> => {
  const [row] = (await page).data;
  if (row === undefined) throw new Error('The page is empty.');
  return row;
};

describe('KIT-1 the types follow expand and fields', () => {
  test('KIT-1 FLD-2 without fields there are all own properties, and no element', async () => {
    const row = await rowOf(client.transactions.list());

    same<typeof row, OwnProperties>(true);
    // @ts-expect-error It was not asked for.
    row.payments;
    expect(row).toEqual({});
  });

  test('KIT-1 FLD-3 payments.value gives a type with only that', async () => {
    const row = await rowOf(client.transactions.list({ fields: ['payments.value'] }));

    same<typeof row, { readonly payments: readonly { readonly value: string }[] }>(true);
    // @ts-expect-error Only relation paths: no own property.
    row.uuid;
    expect(row).toEqual({});
  });

  test('KIT-1 FLD-3 a bare element in fields counts only beside expand', async () => {
    const alone = await rowOf(client.transactions.list({ fields: ['uuid', 'payments'] }));
    const both = await rowOf(
      client.transactions.list({ fields: ['uuid', 'payments'], expand: ['payments'] }),
    );

    same<typeof alone, { readonly uuid: string }>(true);
    same<typeof both, { readonly uuid: string; readonly payments: readonly Payment[] }>(true);
    expect([alone, both]).toEqual([{}, {}]);
  });

  test('KIT-1 FLD-2 * is everything at its level, and overrides names beside it', async () => {
    const own = await rowOf(
      client.transactions.list({ fields: ['*', 'uuid', 'payments.*', 'payments.value'] }),
    );

    same<typeof own, OwnProperties & Pick<Elements, 'payments'>>(true);
    expect(own).toEqual({});
  });

  test('KIT-1 FLD-4 narrowing works in objects, and null stays', async () => {
    const row = await rowOf(
      client.transactions.list({
        fields: ['priceAdjustment.payment', 'deliveryCollection.method', 'vehicle.identifiers.vin'],
      }),
    );

    same<
      typeof row,
      {
        readonly priceAdjustment: { readonly payment: boolean };
        readonly deliveryCollection: { readonly method: DeliveryCollection['method'] } | null;
        readonly vehicle: { readonly identifiers?: { readonly vin?: string | null } | null } | null;
      }
    >(true);
    expect(row).toEqual({});
  });

  test('KIT-1 FLD-4 an open element has the requested members, known or not', async () => {
    const row = await rowOf(
      client.transactions.list({ fields: ['vehicle.make', 'vehicle.sunroof', 'payments.details.brand'] }),
    );

    same<typeof row.vehicle, { readonly make?: string | null; readonly sunroof?: unknown } | null>(true);
    same<(typeof row.payments)[number]['details'], string | null | { readonly brand?: unknown }>(true);
    expect(row).toEqual({});
  });

  test('KIT-1 EXP-1 expand adds elements, and a path below one expands it', async () => {
    const row = await rowOf(client.transactions.list({ expand: ['payments', 'vehicle.make'] }));

    same<typeof row, OwnProperties & Pick<Elements, 'payments' | 'vehicle'>>(true);
    // @ts-expect-error * in expand is an unknown name.
    const unknownName = () => client.transactions.list({ expand: ['*'] });
    expect([row, typeof unknownName]).toEqual([{}, 'function']);
  });

  test('KIT-1 FLD-1 a text with commas is a list of trimmed names, in which unknown ones are ignored', async () => {
    const row = await rowOf(
      client.transactions.list({ fields: ' uuid , nope,, payments.value ', expand: 'nope' }),
    );

    same<typeof row, { readonly uuid: string; readonly payments: readonly { readonly value: string }[] }>(
      true,
    );
    expect(row).toEqual({});
  });

  test('KIT-1 an element is an object or null, and extras may be a list of objects', async () => {
    const row = await rowOf(client.transactions.list({ expand: elementNames }));
    const { vehicle, customer, extras, payments } = row;
    const objects: readonly (object | null)[] = [vehicle, customer, extras, payments];
    type Extra = Extract<Elements['extras'], readonly unknown[]>[number];

    same<Extra extends object ? true : false, true>(true);
    expect(objects).toHaveLength(4);
  });

  test('KIT-1 a misspelt list of names does not compile', () => {
    // @ts-expect-error There is no such property.
    const property = () => client.transactions.list({ fields: ['nope'] });
    // @ts-expect-error There is no such member.
    const member = () => client.transactions.list({ fields: ['payments.vlaue'] });
    // @ts-expect-error There is no such element.
    const element = () => client.transactions.list({ expand: ['payment'] });
    // @ts-expect-error Status is 0 or 1.
    const filter = () => client.transactions.list({ filter: { status: 2 } });

    expect([property, member, element, filter]).toHaveLength(4);
  });

  test('KIT-1 of names that are built at run time, any may be present', async () => {
    const names: ('uuid' | 'payments.value')[] = ['uuid'];
    const row = await rowOf(client.transactions.list({ fields: names }));

    const texts: string[] = ['uuid'];
    const anyRow = await rowOf(client.transactions.list({ fields: texts, expand: texts }));

    same<(typeof row)['uuid'], string | undefined>(true);
    same<typeof anyRow, typeof row>(true);
    expect([row, anyRow]).toEqual([{}, {}]);
  });

  test('KIT-1 pages, items, single transactions and updates have the same types', async () => {
    type Item<Of> = Of extends AsyncIterable<infer One> ? One : never;
    const { transactions } = client;
    const fields = { fields: ['uuid'] } as const;
    const calls = {
      items: () => transactions.list(fields),
      page: () => transactions.list(fields),
      pages: () => transactions.list(fields).pages(),
      one: () => transactions.retrieve('u', fields),
      update: () => transactions.update('u', { incentive: true }, fields),
    };
    type Calls = { [Name in keyof typeof calls]: ReturnType<(typeof calls)[Name]> };

    same<Item<Calls['items']>, { readonly uuid: string }>(true);
    same<Awaited<Calls['page']>['data'][number], { readonly uuid: string }>(true);
    same<Item<Calls['pages']>['data'][number], { readonly uuid: string }>(true);
    same<Awaited<Calls['one']>['data'], { readonly uuid: string }>(true);
    same<Awaited<Calls['update']>['data'], { readonly uuid: string }>(true);
    expect(Object.keys(transactions)).toEqual(['list', 'retrieve', 'update']);
  });
});
