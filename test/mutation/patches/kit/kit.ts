import { namedPatch, type Patch } from '../../patch.ts';

const client = 'partner-kit/src/client';
const webhook = 'partner-kit/src/webhook';
const unit = 'test/unit/partner-kit';
const retries = [`${unit}/client/retry.test.ts`];
const tokens = [`${unit}/client/access-token.test.ts`];
const signatures = [`${unit}/webhook/signature.test.ts`];
const catchingUp = [`${unit}/client/catching-up.test.ts`];
const patch = namedPatch('kit', [`${unit}/webhook/receiver.test.ts`]);

/** The partner kit: what keeps a token inside, a write single, and a receiver's state right. */
export const patches: readonly Patch[] = [
  patch(
    ['foreign-link', 'KIT-2 a link to another origin is not followed'],
    [
      `${client}/api.ts`,
      'if (url.origin !== new URL(baseUrl).origin) throw new ForeignLinkError(url.origin);',
      '',
    ],
    [`${unit}/client/list.test.ts`],
  ),
  patch(
    ['token-shared', 'KIT-3 many callers share one request for a token'],
    [`${client}/access-token.ts`, 'asking ??= requestToken(deps)', 'asking = requestToken(deps)'],
    tokens,
  ),
  patch(
    ['token-margin', 'KIT-3 a token is renewed before its end'],
    [`${client}/access-token.ts`, ' - marginMs(lifeMs)', ''],
    tokens,
  ),
  patch(
    ['token-dropped', 'KIT-3 a token that is refused is replaced'],
    [`${client}/api.ts`, 'deps.tokens.drop(token);', ''],
    tokens,
  ),
  patch(
    ['key-for-repeats', 'KIT-5 without a key a write is never sent twice'],
    [`${client}/api.ts`, "method === 'GET' || ", "method !== 'PUT' || "],
    retries,
  ),
  patch(
    ['retry-after', 'KIT-4 Retry-After is waited for'],
    [`${client}/patience.ts`, 'pauseMs({ failures, askedMs, random', 'pauseMs({ failures, random'],
    retries,
  ),
  patch(
    ['longest-wait', 'KIT-4 a longer wait than the limit is left to the caller'],
    [`${client}/patience.ts`, ' || (askedMs ?? 0) > deps.longestWaitMs', ''],
    retries,
  ),
  patch(
    ['signal', 'KIT-6 the caller’s signal ends a request'],
    [`${client}/exchange.ts`, "ask.signal?.addEventListener('abort', stop, { once: true });", ''],
    retries,
  ),
  patch(
    ['kind-by-status', 'KIT-7 the kind of a problem goes by its status'],
    [`${client}/errors.ts`, '[facts.status as', '[Number(facts.type.slice(-3)) as'],
    [`${unit}/client/errors.test.ts`],
  ),
  patch(
    ['redacted', 'KIT-8 no error shows a token or a secret'],
    [`${client}/redactor.ts`, "secret !== ''", "secret === ''"],
    [`${unit}/client/errors.test.ts`],
  ),
  patch(
    ['replay-goes-on', 'KIT-18 sending again goes on until nothing is left'],
    [`${client}/events.ts`, 'next = answer.next ?? null;', 'next = null;'],
    retries,
  ),
  patch(
    ['pages-of-events', 'KIT-26 all pages of events are read'],
    [`${client}/events.ts`, '(href) => page(href, [], options)', '() => list(query, options)'],
    catchingUp,
  ),
  patch(
    ['since', 'KIT-26 what is sent again begins with the outage'],
    [
      `${client}/events.ts`,
      '{ ...filter, since: timeText(since) }',
      '{ ...filter, since: new Date().toISOString() }',
    ],
    catchingUp,
  ),
  patch(
    ['page-skipped', 'KIT-1 no page is skipped'],
    [
      `${client}/pages.ts`,
      '    page = await follow(href);',
      '    page = await follow(href);\n    if (page._links.next) page = await follow(page._links.next.href);',
    ],
    ['test/integration/partner-kit/pages.test.ts'],
  ),
  patch(
    ['seen', 'KIT-12 a message that was seen is not applied again'],
    [`${webhook}/take.ts`, 'if (await records.isSeen(delivery.id))', 'if (false)'],
  ),
  patch(['gap', 'KIT-13 what does not join is read'], [`${webhook}/order.ts`, 'range.from <= known', 'true']),
  patch(
    ['older', 'KIT-13 what is older is passed over'],
    [`${webhook}/order.ts`, 'if (range.to <= reached) return { isApplied: false, chain };', ''],
  ),
  patch(
    ['unread-waits', 'KIT-13 until a gap is read nothing is applied'],
    [`${webhook}/order.ts`, 'unreadTo === undefined && (known', '(known'],
  ),
  patch(
    ['omitted', 'KIT-13 an event that lacks an element is read'],
    [`${webhook}/order.ts`, '...(!isWhole && { unreadTo: range.to })', ''],
  ),
  patch(
    ['memory-waits', 'KIT-13 a store that forgets has the answer wait for the reading'],
    [`${webhook}/receiver.ts`, 'deps.store.forgets === true ? reading : taking', 'taking'],
  ),
  patch(
    ['parts', 'KIT-14 of a late event only what is newer is taken'],
    [`${webhook}/order.ts`, 'to > versionOf(name)', 'true'],
  ),
  patch(
    ['source', 'KIT-11 a message of another environment is refused'],
    [
      `${webhook}/receiver.ts`,
      "if (message.source !== deps.source) return { status: 400, reason: 'wrong-source' };",
      '',
    ],
  ),
  patch(
    ['never-rejects', 'KIT-11 a handler never rejects'],
    [`${webhook}/receiver.ts`, '.catch((fault): Verdict => failed(fault, deps))', ''],
  ),
  patch(
    ['whole-signature', 'KIT-11 every byte of a signature counts'],
    [`${webhook}/signature.ts`, 'difference | (byte', 'difference & (byte'],
  ),
  patch(
    ['empty-signature', 'KIT-11 nothing is verified by an empty value'],
    [`${webhook}/signature.ts`, "typeof value === 'string' && value !== ''", 'true'],
  ),
  patch(
    ['store-fails', 'KIT-12 a store that fails does not end the process'],
    [`${webhook}/receiver.ts`, 'reading.catch(() => undefined);', ''],
  ),
  patch(
    ['signature-ends', 'KIT-15 a value with an end counts until then'],
    [`${webhook}/signature.ts`, 'return isSame && nowMs < untilMs;', 'return isSame;'],
    signatures,
  ),
  patch(
    ['given-stay', 'KIT-15 what is learnt takes no given value away'],
    [
      `${webhook}/signature.ts`,
      'return [...given, ...learnt.slice(-Math.max(1, most - given.length))];',
      'return [...given, ...learnt].slice(-most);',
    ],
    signatures,
  ),
  patch(
    ['parsed-body', 'KIT-16 a body that was parsed is as good'],
    [`${webhook}/node-style.ts`, "typeof body === 'object' && body !== null", 'false'],
    [`${unit}/webhook/node-style.test.ts`],
  ),
];
