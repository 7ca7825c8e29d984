import { expect, test } from '@jest/globals';
import { snippetOf } from '../../../../docs/site/src/snippet.ts';

const shown = (text: string, words: readonly string[]) =>
  snippetOf(text, words)
    .map(({ part, isHit }) => (isHit ? `[${part}]` : part))
    .join('');

test('DOC-12 a snippet begins a little before the first found word, and marks all of them', () => {
  const text = `${'before '.repeat(20)}replay an event, and Replay again ${'after '.repeat(40)}`;

  expect(shown(text, ['replay'])).toMatch(
    /^… (before ){8}\[replay\] an event, and \[Replay\] again after .+ …$/,
  );
});

test('DOC-12 a short text is shown whole, and from its beginning if a word is elsewhere', () => {
  expect(shown('Sends one event again.', ['event'])).toBe('Sends one [event] again.');
  expect(shown('Sends one event again.', ['replay'])).toBe('Sends one event again.');
  expect(shown('', [])).toBe('');
});

test('DOC-12 a word is literal, whatever characters it has', () => {
  expect(shown('filter[status]=1', ['filter[status]'])).toBe('[filter[status]]=1');
});
