/** How much of a text is shown before the first of the words that were found, and in all. */
const before = 60;
const length = 180;

/** A piece of a text around the first word that was found, in parts: the words that were found, and what stands between them. */
export const snippetOf = (text: string, words: readonly string[]): { part: string; isHit: boolean }[] => {
  const hits = new RegExp(`(${words.map((word) => escaped(word)).join('|')})`, 'gi');
  const first = words.length === 0 ? -1 : text.search(hits);
  const from = first > before ? text.indexOf(' ', first - before) + 1 : 0;
  const piece = text.slice(from, from + length);
  const shown = `${from > 0 ? '… ' : ''}${piece}${from + length < text.length ? ' …' : ''}`;
  if (first < 0) return [{ part: shown, isHit: false }];
  return shown.split(hits).flatMap((part, at) => (part === '' ? [] : [{ part, isHit: at % 2 === 1 }]));
};

const escaped = (word: string) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
