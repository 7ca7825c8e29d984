import { namedPatch, type Patch } from '../../patch.ts';

const creation = 'functions/v1-transaction/creation.ts';
const create = 'functions/v1-transaction/create.ts';
const count = 'functions/shared/store/transactions/session-count.ts';

const patch = namedPatch('creation', ['test/unit/functions/v1-transaction/creation.test.ts']);
const counts = ['test/integration/store/session-count.ports.test.ts'];

const silence = 'functions/shared/domain/transaction/silence.ts';
const silences = ['test/unit/functions/shared/domain/transaction/silence.test.ts'];
const writes = ['test/unit/functions/v1-transaction/writes.test.ts'];

/** For whom V1 makes a transaction, and how many. */
export const patches: readonly Patch[] = [
  patch(
    ['by-script', 'TH-02 no link, frame or image makes one'],
    [creation, "['cors', 'same-origin']", "['cors', 'same-origin', 'no-cors', 'navigate']"],
  ),
  patch(
    ['for-nothing-else', 'TH-02 an image makes none with CORS either'],
    [creation, "['empty']", "['empty', 'image']"],
  ),
  patch(
    ['from-elsewhere', 'S-41 a page of another site makes none, also not for the default of the stage'],
    [creation, "['same-origin', 'same-site', 'none']", "['same-origin', 'same-site', 'none', 'cross-site']"],
  ),
  patch(
    ['of-the-shop', 'S-41 a registered storefront at another site makes one'],
    [
      creation,
      'isOfOpenStorefront(event) ||',
      '(isOfOpenStorefront(event) && event.httpMethod === "HEAD") ||',
    ],
  ),
  patch(
    ['old-prefetch', 'V1-4 what older browsers fetch ahead makes none'],
    [creation, "['Sec-Purpose', 'Purpose', 'X-Moz']", "['Sec-Purpose']"],
  ),
  patch(['by-post', 'S-41 POST is judged as GET is'], [create, '  if (refusal) return refusal;\n', '']),
  patch(
    ['by-post-ahead', 'V1-4 a POST ahead of its user makes none'],
    [create, '  if (!isMeant(event)) return neverAhead();\n', ''],
  ),
  patch(
    ['twenty', 'S-41 a session makes at most 20'],
    ['functions/shared/domain/session.ts', 'transactionsPerSession = 20', 'transactionsPerSession = 21'],
  ),
  patch(
    ['counted', 'S-41 the count holds however many are made at once'],
    [count, '#made < :limit', '#made <= :limit'],
    counts,
  ),
  patch(
    ['count-begins', 'S-41 the first of a session counts as one'],
    [count, 'if_not_exists(#made, :one) + :one', 'if_not_exists(#made, :limit) + :one'],
    counts,
  ),
  patch(
    ['says-something', 'EV-10 a vehicle, a person or a payment ends the silence, and nothing else'],
    [silence, "'financeProposal', 'payments']", "'financeProposal', 'payments', 'extras' as 'vehicle']"],
    silences,
  ),
  patch(
    ['empty-says-nothing', 'EV-10 an empty element says nothing'],
    [silence, '!isEmpty(transaction[name])', 'transaction[name] !== undefined'],
    silences,
  ),
  patch(
    ['stays-silent', 'EV-10 a checkout stays silent while its session says nothing'],
    ['functions/v1-transaction/update.ts', '      isOfSession: true,\n', ''],
    writes,
  ),
  patch(
    ['partner-ends-silence', 'EV-10 a change of a partner is told, whatever it is'],
    [silence, 'if (isOfSession && !says', 'if (!says'],
    silences,
  ),
  patch(
    ['told-whole', 'EV-10 what a creation entered in silence is told with what ends it'],
    [silence, 'return hasElementFromCreation ? 0 : 1;', 'return hasElementFromCreation ? 1 : 1;'],
    silences,
  ),
  patch(
    ['restored-silent', 'EV-10 what was silent before its deletion is silent when it is restored'],
    [
      'bin/operator/import/restore.ts',
      'silentUpToVersion: silenceAfter(deleted, restored, { isOfSession: true })',
      'silentUpToVersion: silenceAfter(deleted, restored, { isOfSession: false })',
    ],
    ['test/unit/functions/shared/publish/deletion.test.ts'],
  ),
];
