import type { Answer } from '../../samples/post.ts';
import { advise, broken, type Check, inWords, isTaken, kept } from '../check.ts';
import { allTaken, consequenceOf } from '../judge.ts';
import type { Target } from '../target.ts';

const hugeBytes = 5 * 1024 * 1024;
const atOnce = 10;
const slowSenders = 20;
/** Half of the time that the service waits for an answer. */
const comfortableMs = 2_500;

const huge = (target: Target): Promise<Answer> => {
  const { headers } = target.letter();
  return target.post(
    { headers, body: `{"detail":"${'x'.repeat(hugeBytes)}"}` },
    { signature: target.strangeSignature() },
  );
};

/** Strangers who begin requests and never end them. `began` resolves when all have begun or failed. */
const neverEnding = (target: Target) => {
  // One signal each, because Node warns of a signal with many listeners.
  const enough = new AbortController();
  const { headers } = target.letter();
  let answer: Promise<Answer> | undefined;
  const began = new Promise<void>((onBegun) => {
    answer = target.shoot({
      ...{
        signal: enough.signal,
        onBegun,
        url: target.receiver.url,
        body: '{"version":',
        isUnfinished: true,
      },
      headers: { ...headers, 'X-Webhook-Signature': target.strangeSignature() },
    });
  });
  return { enough, answer, began: Promise.race([began, answer]) };
};

/** Load by strangers and on busy days. */
export const loadChecks: readonly Check[] = [
  {
    name: 'huge',
    rule: 'It survives a message of 5 MB by a stranger, and refuses it.',
    run: async (target) => {
      const answer = await huge(target);
      const after = await target.post(target.letter());
      const seen = `${inWords(answer)}, then ${inWords(after)}`;
      if (!isTaken(after))
        return broken(
          seen,
          `Ours was not taken afterwards: refuse large bodies before you hold them. ${consequenceOf(after)}`,
        );
      if (isTaken(answer) || answer.status >= 500)
        return broken(
          seen,
          'Refuse by the signature before you read the body, and bound what you read: ours have at most 59,000 bytes.',
        );
      return kept(seen);
    },
  },
  {
    name: 'slow',
    rule: 'It takes ours while twenty strangers send theirs without an end.',
    run: async (target) => {
      const strangers = Array.from({ length: slowSenders }, () => neverEnding(target));
      // The request that is sent last may arrive first.
      await Promise.all(strangers.map(({ began }) => began));
      const answer = await target.post(target.letter());
      for (const { enough } of strangers) enough.abort();
      await Promise.all(strangers.map((stranger) => stranger.answer));
      return allTaken(
        [answer],
        'Requests that do not end must hold up no other: bound how long you wait for a body, and read many at once.',
      );
    },
  },
  {
    name: 'burst',
    rule: 'It takes ten messages at once, each within five seconds.',
    run: async (target) => {
      const answers = await Promise.all(Array.from({ length: atOnce }, () => target.post(target.letter())));
      const finding = allTaken(
        answers,
        'Store, answer, and work afterwards: then many at once are no matter.',
      );
      const slowest = Math.max(...answers.map(({ tookMs }) => tookMs));
      if (finding.verdict !== 'kept' || slowest <= comfortableMs) return finding;
      return advise(
        `${finding.seen}, the slowest after ${Math.round(slowest)} ms`,
        'The service waits 5 s in all, connection and TLS included: answer sooner.',
      );
    },
  },
  {
    name: 'get',
    rule: 'It takes nothing by GET.',
    run: async (target) => {
      const { headers } = target.letter();
      const answer = await target.shoot({
        ...{ url: target.receiver.url, method: 'GET' },
        headers: { ...headers, 'X-Webhook-Signature': target.receiver.signature },
      });
      const seen = inWords(answer);
      if (answer.status === 0 || answer.status >= 500)
        return broken(seen, 'The service only ever posts: answer any other method 405.');
      return isTaken(answer)
        ? advise(
            seen,
            'Answer other methods than POST with 405, so that no crawler or preview looks like an event.',
          )
        : kept(seen);
    },
  },
];
