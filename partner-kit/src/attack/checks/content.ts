import { sampleCustomer, sampleDetail, samplePayment } from '../../samples/detail.ts';
import type { Answer } from '../../samples/post.ts';
import { advise, broken, type Check, type Finding, inWords, isTaken, isTriedAgain, kept } from '../check.ts';
import { allTaken, consequenceOf, inOrder, worstOf } from '../judge.ts';
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
    name: 'chunked',
    rule: 'It takes a message that comes in chunks, without its length.',
    run: async (target) =>
      allTaken(
        [await target.post(target.letter(), { isChunked: true })],
        'Read the body to its end as HTTP has it (Transfer-Encoding: chunked, RFC 9112, 7.1): proxies send chunks.',
      ),
  },
  {
    name: 'odd-bodies',
    rule: 'It answers 400 to a signed body that is empty, no JSON or no message, and takes ours afterwards.',
    run: async (target) => {
      const findings: Finding[] = [];
      for (const body of oddBodies)
        findings.push(refusedForGood(await target.post({ ...target.letter(), body })));
      const after = allTaken([await target.post(target.letter())], 'Ours was not taken afterwards.');
      return worstOf([after, ...findings]);
    },
  },
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

const oddBodies = ['', '{"detail-type":', '[]', 'null', '"text"', '{}'];

const refusedForGood = (answer: Answer): Finding => {
  const seen = inWords(answer);
  if (answer.status === 0)
    return broken(seen, 'Answer 400 to what you cannot read: a request without an answer is tried again.');
  if (isTaken(answer))
    return advise(seen, 'It is no message: answer 400, so that the sender sees that nothing was taken.');
  return isTriedAgain(answer)
    ? advise(seen, `The same body would fail again: answer 400. ${consequenceOf(answer)}`)
    : kept(seen);
};

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
