import { sampleCustomer, sampleDetail, samplePayment } from '../../samples/detail.ts';
import type { Check } from '../check.ts';
import { allTaken, inOrder } from '../judge.ts';
import type { LetterSpec, Target } from '../target.ts';

const takes = (
  name: string,
  rule: string,
  specs: (target: Target) => readonly LetterSpec[],
  advice: string,
): Check => ({
  ...{ name, rule },
  run: async (target) => allTaken(await inOrder(target, specs(target).map(target.letter)), advice),
});

const openAdvice =
  'Read what you use, and let pass what you do not know: members, elements and types are added without notice.';

/** EV-9: larger messages leave elements out. */
const largestBytes = 59_000;

/** Every kind of content that the service can send. */
export const contentChecks: readonly Check[] = [
  takes(
    'test-message',
    'It takes a WebhookTest, whose detail is empty.',
    () => [{ type: 'WebhookTest', detail: {} }],
    'A WebhookTest has no uuid and no element: verify it, answer 2xx, do nothing.',
  ),
  takes(
    'unknown-type',
    'It lets a detail-type pass that it does not know.',
    () => [{ type: 'TransactionArchived' }, { type: 'PartnerNotice', detail: {}, range: undefined }],
    openAdvice,
  ),
  takes(
    'unknown-members',
    'It takes members and elements that it does not know.',
    () => [
      {
        elements: {
          customer: { ...sampleCustomer('New'), pronouns: 'they', consent: { at: null } },
          warranty: [{ months: 12 }],
        },
      },
    ],
    openAdvice,
  ),
  takes(
    'null-elements',
    'It takes elements that are null, payments that are [], and members that are null.',
    () => [
      { elements: { vehicle: null, payments: [] } },
      { elements: { customer: { ...sampleCustomer('Null'), mobile: null, email: null } } },
      { elements: { payments: [{ ...samplePayment('none', 1), details: null, is_selected: null }] } },
    ],
    'An element that is null was removed, and [] means that all payments were; a member that is null is not known.',
  ),
  takes(
    'no-element',
    'It takes an update without any element.',
    () => [{ elements: {} }],
    'It tells of own properties such as guestEmail, which only the API shows, or of a move: ndMeta has the new owner.',
  ),
  takes(
    'deletion',
    'It takes a deletion, of a transaction that it knows and of one that it does not.',
    deletions,
    'A detail with isDeleted 1 and no element means: drop what you have of the transaction, and keep its version.',
  ),
  takes(
    'omitted',
    'It takes a message whose largest elements were left out (X-Transaction-Omitted).',
    () => [{ elements: {}, omitted: 'extras,valuation' }],
    'Apply what is there, then read the API for the elements that the header names.',
  ),
  takes(
    'largest',
    'It takes the largest message that the service sends, 59,000 bytes.',
    (target) => [largestSpec(target)],
    'Raise the limit of your body parser and of your proxy above 60 kB.',
  ),
  {
    name: 'header-names',
    rule: 'It reads header names in any letter case.',
    run: async (target) => {
      const { headers, body } = target.letter();
      const lower = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const answer = await target.shoot({
        ...{ url: target.receiver.url, body },
        headers: { ...lower, 'x-webhook-signature': target.receiver.signature },
      });
      return allTaken(
        [answer],
        'Names of headers have no letter case (RFC 9110, 5.1), and proxies change it.',
      );
    },
  },
];

function deletions(target: Target): LetterSpec[] {
  const { uuid } = target.letter();
  const gone = (of: string) => ({ ...sampleDetail(of), isDeleted: 1 });
  const unknown = target.letter().uuid;
  return [
    { uuid },
    { uuid, range: { from: 1, to: 2 }, detail: gone(uuid) },
    { uuid: unknown, range: { from: 1, to: 2 }, detail: gone(unknown) },
  ];
}

function largestSpec(target: Target): LetterSpec {
  const notes = (length: number) => ({ extras: [{ notes: 'x'.repeat(length) }] });
  const empty = Buffer.byteLength(target.letter({ elements: notes(0) }).body);
  return { elements: notes(largestBytes - empty) };
}
