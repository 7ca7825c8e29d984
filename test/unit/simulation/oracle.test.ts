import { describe, expect, test } from '@jest/globals';
import type { Evidence, PartnerRecord, Sent, State } from '../../simulation/oracle/evidence.ts';
import { judge } from '../../simulation/oracle/oracle.ts';
import { aWholePayment } from '../../support/builders/whole-elements.ts';

const minute = 60_000;
const epochMs = Date.parse('2026-11-21T12:00:00Z');
const uuid = '0f1e2d3c-4b5a-4678-8a9b-0c1d2e3f4a5b-7x';
const ndMeta = { group: 'g', franchise: 'f', branch: 'north', location: 'north', groupSoftware: '' };
const payment = { id: 1, value: '9.00', status: 1, token: 'canary-token-1' };

const partner: PartnerRecord = {
  enabled: true,
  oauthScopes: ['nop2/read'],
  grants: [{ group: 'g', location: 'north' }],
  showsPaymentTokens: false,
  webhookUrl: 'https://hooks.example/1',
};

const first: State = { uuid, status: 0, isDeleted: 0, ndMeta, valuation: { mileage: 1 } };
const second: State = { ...first, valuation: { mileage: 2 }, customer: { firstName: 'Ada' } };
const shown = aWholePayment(payment);
const third: State = { ...second, status: 1, payments: [payment] };

const ids = {
  1: '11111111-1111-5111-8111-111111111111',
  2: '22222222-2222-5222-8222-222222222222',
  3: '33333333-3333-5333-8333-333333333333',
} as const;

const aMessage = (
  key: keyof typeof ids,
  { detail, ...facts }: Pick<Sent, 'atMs' | 'from' | 'to'> & { detail: object },
  type = 'TransactionUpdated',
): Sent => ({
  ...{ ...facts, clientId: 'P', id: ids[key], type, omitted: '', isAgain: false },
  body: JSON.stringify({
    ...{ version: '0', id: ids[key], 'detail-type': type, source: 'svc.local.online-payments' },
    ...{ account: '0', region: 'eu-west-2', resources: [] },
    time: `${new Date(epochMs + facts.atMs).toISOString().slice(0, 19)}Z`,
    detail: { uuid, ndMeta, ...detail },
  }),
});

const created = aMessage(1, {
  ...{ atMs: 2 * minute + 5_000, from: 0, to: 1 },
  detail: { status: 0, valuation: { mileage: 1 } },
});
const changed = aMessage(2, {
  ...{ atMs: 12 * minute + 5_000, from: 1, to: 3 },
  detail: {
    ...{ status: 1, valuation: { mileage: 2 }, customer: { firstName: 'Ada' } },
    payments: [{ ...shown, token: null }],
  },
});
const detailOfCompletion = { status: 1, payments: [{ ...shown, token: null }] };
const completed = aMessage(
  3,
  { atMs: 10 * minute + 100, from: 2, to: 3, detail: detailOfCompletion },
  'TransactionCompleted',
);

/** A transaction of three versions, and a partner that was sent all of it as it should be. */
const anHonestWorld = (): Evidence => {
  const sent = [created, completed, changed];
  return {
    epochMs,
    lives: [
      {
        uuid,
        beganAs: 'entered',
        changes: [
          { atMs: 0, writtenMs: 0, state: first },
          { atMs: 9 * minute, writtenMs: 9 * minute, state: second },
          { atMs: 10 * minute, writtenMs: 10 * minute, state: third },
        ],
      },
    ],
    partners: [{ atMs: 0, clientId: 'P', partner, isServed: true }],
    publications: sent.map(({ atMs, id }) => ({ atMs, id, uuid, clientIds: ['P'] })),
    sent,
    received: sent,
    refused: [],
    unwell: new Set(),
    lostRecords: new Set(),
    deliveryLog: [],
    terms: {
      ...{ source: 'svc.local.online-payments', graceMs: 2_000, writeMs: 2_000, skewMs: 0 },
      within: { updatedMs: 140_000, completedMs: 2_000, lostRecordMs: 13 * minute },
    },
  };
};

const sentInstead = (sent: readonly Sent[]): Partial<Evidence> => ({ sent, received: sent });

/** A message whose detail, or anything else of its body, is another. */
const withBody = (sent: Sent, change: (body: { detail: object }) => object): Sent => ({
  ...sent,
  body: JSON.stringify(change(JSON.parse(sent.body))),
});
const withDetail = (sent: Sent, detail: object) =>
  withBody(sent, (body) => ({ ...body, detail: { ...body.detail, ...detail } }));

const foundIn = (changes: Partial<Evidence>) => [
  ...new Set(judge({ ...anHonestWorld(), ...changes }).map(({ invariant }) => invariant.split(' ')[0])),
];

describe('the oracle of the simulation', () => {
  test('finds nothing if everything is as the interface says', () => {
    expect(judge(anHonestWorld())).toEqual([]);
  });

  const ofPartner: [string, Partial<PartnerRecord>][] = [
    ['a grant names another location', { grants: [{ group: 'g', location: 'south' }] }],
    ['the partner has no grant', { grants: [] }],
    ['the partner is paused', { webhookPaused: 'operator' }],
    ['the partner is disabled', { enabled: false }],
    ['the partner may not read', { oauthScopes: ['nop2/write'] }],
  ];
  test.each(ofPartner)('I9 finds a message if %s', (_, changes) => {
    expect(
      foundIn({
        partners: [{ atMs: 0, clientId: 'P', partner: { ...partner, ...changes }, isServed: true }],
      }),
    ).toEqual(['I9']);
  });

  const deadLetter = {
    ...{ id: ids[1], clientId: 'P', uuid, type: 'TransactionUpdated', from: 0, to: 1 },
    ...{ state: 'DEAD', reason: 'HTTP_410' },
  };
  const imported = anHonestWorld().lives.map((life) => ({ ...life, beganAs: 'imported' as const }));
  const changedAs = (detail: object) => sentInstead([created, completed, withDetail(changed, detail)]);
  const changedWith = (more: object) =>
    sentInstead([created, completed, withBody(changed, (body) => ({ ...body, ...more }))]);
  test.each<[string, string[], Partial<Evidence>]>([
    ['a version is withheld', ['I17', 'I1'], sentInstead([completed, changed])],
    ['a completion is withheld', ['I18', 'I8'], sentInstead([created, changed])],
    ['a message is sent and never arrives', ['I1'], { received: [completed, changed] }],
    [
      'a version is withheld and the delivery log says so, but nothing failed',
      ['I17', 'I1'],
      { ...sentInstead([completed, changed]), deliveryLog: [deadLetter] },
    ],
    ['the values are those of an earlier version', ['I5'], changedAs({ valuation: { mileage: 1 } })],
    ['an element that changed is not sent', ['I5'], changedAs({ valuation: undefined })],
    ['an element that did not change is sent', ['I5'], changedAs({ extras: null })],
    [
      'a payment token is shown',
      ['I9', 'I5'],
      sentInstead([created, withDetail(completed, { payments: [shown] }), changed]),
    ],
    [
      'the source is that of another environment',
      ['I10'],
      changedWith({ source: 'svc.staging.online-payments' }),
    ],
    ['the time is that of the change', ['I2'], changedWith({ time: '2026-11-21T12:10:00Z' })],
    ['a version of an import is sent', ['I11'], { lives: imported }],
    [
      'an element is left out that would have fitted',
      ['I13'],
      sentInstead([
        created,
        completed,
        { ...withDetail(changed, { valuation: undefined }), omitted: 'valuation' },
      ]),
    ],
  ])('I1, I2, I5, I8 to I11, I13, I17 and I18 are judged: it finds it where %s', (_, found, changes) => {
    expect(foundIn(changes)).toEqual(found);
  });
});
