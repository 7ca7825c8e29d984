import { expect, test } from '@jest/globals';
import {
  type DeliveryCollection,
  type Elements,
  elementNames,
  type OwnProperties,
  type Payment,
} from '../../../../partner-kit/src/index.ts';
import { aClient } from '../../../support/partner-kit/fake-service.ts';

// The compiler proves this: a line is an error as soon as a type becomes another.

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Type and value of each member, however the type was put together. */
type Flat<Value> = Value extends readonly (infer Item)[]
  ? readonly Flat<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Flat<Value[Key]> }
    : Value;
const expectSame = <One, Other>(is: Same<Flat<One>, Flat<Other>>) => expect(is).toBe(true);

const { transactions } = aClient().client;
const { list } = transactions;
/** Nothing is sent: a list asks when somebody waits for it. */
const rowOf = <Row>(_: AsyncIterable<Row>) => ({}) as Row;

test('KIT-1 FLD-2 without fields there are all own properties, and no element; * is everything at its level', () => {
  const row = rowOf(list());
  const all = rowOf(list({ fields: ['*', 'uuid', 'payments.*', 'payments.value'] }));

  expectSame<typeof row, OwnProperties>(true);
  // @ts-expect-error It was not asked for.
  row.payments;
  expectSame<typeof all, OwnProperties & Pick<Elements, 'payments'>>(true);
});

test('KIT-1 FLD-3 payments.value gives a type with just that; a bare element counts beside expand alone', () => {
  const narrow = rowOf(list({ fields: ['payments.value'] }));
  const alone = rowOf(list({ fields: ['uuid', 'payments'] }));
  const both = rowOf(list({ fields: ['uuid', 'payments'], expand: ['payments'] }));

  expectSame<typeof narrow, { readonly payments: readonly { readonly value: string }[] }>(true);
  // @ts-expect-error Only relation paths: no own property.
  narrow.uuid;
  expectSame<typeof alone, { readonly uuid: string }>(true);
  expectSame<typeof both, { readonly uuid: string; readonly payments: readonly Payment[] }>(true);
});

test('KIT-1 FLD-4 narrowing works inside of objects, null stays, and an open element gives what it is asked for', () => {
  const row = rowOf(
    list({ fields: ['priceAdjustment.payment', 'deliveryCollection.method', 'vehicle.identifiers.vin'] }),
  );
  const open = rowOf(list({ fields: ['vehicle.make', 'vehicle.sunroof', 'payments.details.brand'] }));

  expectSame<
    typeof row,
    {
      readonly priceAdjustment: { readonly payment: boolean };
      readonly deliveryCollection: { readonly method: DeliveryCollection['method'] } | null;
      readonly vehicle: { readonly identifiers?: { readonly vin?: string | null } | null } | null;
    }
  >(true);
  expectSame<typeof open.vehicle, { readonly make?: string | null; readonly sunroof?: unknown } | null>(true);
  expectSame<(typeof open.payments)[number]['details'], string | null | { readonly brand?: unknown }>(true);
});

test('KIT-1 EXP-1 expand adds elements, each an object or null, and a path below one expands the same', () => {
  const row = rowOf(list({ expand: ['payments', 'vehicle.make'] }));
  const { vehicle, customer, extras, payments } = rowOf(list({ expand: elementNames }));
  const objects: readonly (object | null)[] = [vehicle, customer, extras, payments];
  type Extra = Extract<Elements['extras'], readonly unknown[]>[number];

  expectSame<typeof row, OwnProperties & Pick<Elements, 'payments' | 'vehicle'>>(true);
  expectSame<Extra extends object ? true : false, true>(true);
  expect(objects).toHaveLength(4);
});

test('KIT-1 FLD-1 a text with commas is a list of trimmed names, in which unknown ones are ignored', () => {
  const row = rowOf(list({ fields: ' uuid , nope,, payments.value ', expand: 'nope' }));

  expectSame<typeof row, { readonly uuid: string; readonly payments: readonly { readonly value: string }[] }>(
    true,
  );
});

test('KIT-1 a misspelt list of names does not compile', () => {
  const misspelt = [
    // @ts-expect-error There is no such property.
    () => list({ fields: ['nope'] }),
    // @ts-expect-error There is no such member.
    () => list({ fields: ['payments.vlaue'] }),
    // @ts-expect-error There is no such element.
    () => list({ expand: ['payment'] }),
    // @ts-expect-error * in expand is an unknown name.
    () => list({ expand: ['*'] }),
    // @ts-expect-error Status is 0 or 1.
    () => list({ filter: { status: 2 } }),
  ];

  expect(misspelt).toHaveLength(5);
});

test('KIT-1 of names that are built at run time, any may be present', () => {
  const names: ('uuid' | 'payments.value')[] = ['uuid'];
  const texts: string[] = ['uuid'];
  const row = rowOf(list({ fields: names }));
  const anyRow = rowOf(list({ fields: texts, expand: texts }));

  expectSame<(typeof row)['uuid'], string | undefined>(true);
  expectSame<typeof anyRow, typeof row>(true);
});

test('KIT-1 pages, items, single transactions and updates have the same types', () => {
  const fields = { fields: ['uuid'] } as const;
  const page = () => list(fields);
  const pages = () => list(fields).pages();
  const one = () => transactions.retrieve('u', fields);
  const update = () => transactions.update('u', { incentive: true }, fields);
  const item = rowOf(page());
  const pageOfPages = rowOf(pages());
  type Uuid = { readonly uuid: string };

  expectSame<typeof item, Uuid>(true);
  expectSame<Awaited<ReturnType<typeof page>>['data'][number], Uuid>(true);
  expectSame<(typeof pageOfPages)['data'][number], Uuid>(true);
  expectSame<Awaited<ReturnType<typeof one>>['data'], Uuid>(true);
  expectSame<Awaited<ReturnType<typeof update>>['data'], Uuid>(true);
});
