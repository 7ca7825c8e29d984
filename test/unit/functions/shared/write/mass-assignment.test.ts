import { expect, test } from '@jest/globals';
import { aService, uuid, type WriteName, writeNames } from '../../../../support/apis/writes.ts';

/** The members of V1-6, V2-2 and V2-3, written out apart from the code that validates them. */
const writable =
  'location franchise vehicle extras deliveryCollection selectedPaymentMethod financeProposal valuation customer financeDefaults preselectedPaymentMethod referrerUrl guestEmail document_id externalRedirect incentive priceAdjustment';
const ofPayments =
  'transaction type value reference product_identifier status message token settings details gateway_id provider_references';
const mayWrite = (name: WriteName) => {
  if (name === 'V2 payment') return ofPayments.split(' ');
  return [...writable.split(' '), ...(name === 'V1 create' ? [] : ['isDeleted'])];
};

/** Every name that is stored, shown or requested anywhere, and names that attackers try. */
const members = [
  ...new Set(
    [
      'uuid status editable isDeleted priceAdjustment externalRedirect incentive document_id preselectedPaymentMethod referrerUrl guestEmail',
      'vehicle ndMeta extras deliveryCollection selectedPaymentMethod financeProposal valuation customer payments financeDefaults',
      'group franchise branch location groupSoftware',
      'id transaction_id hash token reference provider_references type product_identifier value status message is_selected settings details transaction_completed_at created_at created_by updated_at updated_by gateway_id',
      'version elementVersions createdAtMs updatedAtMs notifyFromVersion session sequenceNumber own',
      'pk sk expiresAt n d u pos dueAtMs notifiedVersion',
      'clientId clientSecret oauthScopes grants enabled showsPaymentTokens webhookUrl',
      '__proto__ constructor prototype toString toJSON hasOwnProperty $ref transaction expand fields Uuid UUID',
    ].flatMap((names) => names.split(' ')),
  ),
];

const attempts = writeNames.flatMap((write) =>
  members.filter((member) => !mayWrite(write).includes(member)).map((member) => [write, member] as const),
);

test(`S-13 ${attempts.length} attempts to assign members that callers may not write are refused by name, and write nothing`, async () => {
  const wrong: unknown[] = [];
  for (const [write, member] of attempts) {
    const service = await aService({ payments: [{ id: 9, value: '1.00' }] });
    const before = await service.all();
    const rest =
      write === 'V2 payment' ? { transaction: uuid, type: 1, value: '1.00', status: 1 } : { incentive: true };
    const body = `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(member)}:1}`;

    const answer = await service.run(write, body);

    const isNamed = answer.body.errors?.length === 1 && answer.body.errors[0].field === member;
    const isUnchanged = JSON.stringify(await service.all()) === JSON.stringify(before);
    if (answer.status !== 422 || !isNamed || !isUnchanged) wrong.push([write, member, answer.body]);
  }
  process.stdout.write(`mass assignment: ${attempts.length} attempts\n`);
  expect(wrong).toEqual([]);
});

test('S-13 members that callers may write are written', async () => {
  const values: Record<string, unknown> = {
    location: 'location-b',
    franchise: 'franchise-a',
    deliveryCollection: { method: 'x' },
    preselectedPaymentMethod: 'cash',
    referrerUrl: 'https://shop.example/',
    guestEmail: 'a@b.example',
    document_id: 'D1',
    externalRedirect: 1,
    incentive: true,
    priceAdjustment: { payment: true },
  };
  for (const write of writeNames.filter((name) => name !== 'V2 payment')) {
    for (const member of writable.split(' ')) {
      const { run } = await aService();

      const { status } = await run(write, JSON.stringify({ [member]: values[member] ?? { note: 'x' } }));

      expect([write, member, status]).toEqual([write, member, write === 'V1 create' ? 201 : 200]);
    }
  }
});
