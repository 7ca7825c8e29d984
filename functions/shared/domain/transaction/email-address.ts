/**
 * The characters of an address before its `@` (RFC 5322, `atext` and the dot), in any script. URLs consist of them,
 * too.
 */
const localPart = "[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_`{|}~-]";
const domain = '[\\p{L}\\p{M}\\p{N}._-]';
const longestLocalPart = 64;

/** Bounded on both sides of each `@`, so that no text takes long. */
const candidate = new RegExp(`(?<=(${localPart}{1,${longestLocalPart + 1}}))@(${domain}{1,253})`, 'gu');
const onlyAddress = new RegExp(`^(${localPart}{1,${longestLocalPart}})@(${domain}{1,253})$`, 'u');

/** What URLs, quotes and lists put before an address, although an address may contain it. */
const urlDelimiter = /[!#$%&'*/=?^`{|}~]/g;

/** An address in the form in which addresses are compared. Undefined for any other text. */
export const readEmail = (text: string): string | undefined => {
  const [, local = '', host = ''] = onlyAddress.exec(folded(text).trim()) ?? [];
  return joined(local, host)[0];
};

/**
 * The addresses that stand by themselves in a text: alone, in a list, after a name, after `mailto:`, with a trailing
 * dot, in any case, width or encoding. `o'ann@b.de` is one address and does not contain `ann@b.de`.
 */
export const addressesIn = (text: string): string[] =>
  candidatesIn(spellingsOf(text)).flatMap(({ local, host }) =>
    local.length > longestLocalPart ? [] : joined(local, host),
  );

/**
 * The same, and each address that only a character of a URL separates from the text before it, as in `?to=ann@b.de`.
 */
export const addressesWithin = (text: string): string[] => {
  const withBlanks = text.replace(/\?.*/s, (query) => query.replaceAll('+', ' '));
  return candidatesIn([text, withBlanks].flatMap(spellingsOf)).flatMap(({ local, host }) =>
    endingsOf(local).flatMap((ending) => joined(ending, host)),
  );
};

const candidatesIn = (spellings: readonly string[]): { local: string; host: string }[] =>
  spellings.flatMap((spelling) =>
    [...spelling.matchAll(candidate)].map(([, local = '', host = '']) => ({ local, host })),
  );

/** The part itself, and the text after each delimiter in it, also without leading punctuation. */
const endingsOf = (local: string): string[] =>
  [0, ...[...local.matchAll(urlDelimiter)].map(({ index }) => index + 1)]
    .map((start) => local.slice(start))
    .flatMap((ending) => [ending, ending.replace(/^[._+-]+/, '')]);

/** Without an opening quote, and without dots and dashes of the sentence. Empty if nothing is left. */
const joined = (local: string, host: string): string[] => {
  const name = local.replace(/^['.]+/, '');
  const place = asciiOf(host.replace(/^[._-]+|[._-]+$/g, ''));
  return name === '' || place === '' ? [] : [`${name}@${place}`];
};

/** A name in another script has two spellings. Mail uses this one (RFC 5891). */
const asciiOf = (host: string): string => {
  const url = `http://${host}`;
  return /[^a-z0-9._-]/.test(host) && URL.canParse(url) ? new URL(url).hostname : host;
};

/** A fast check: most texts have no address in any spelling, and a table has millions of texts. */
const mayHaveAddress = (text: string): boolean => /[@%\\\u0080-\uffff]/.test(text);

/** A URL within the query of another is encoded twice. */
const spellingsOf = (text: string): string[] => {
  if (!mayHaveAddress(text)) return [];
  const once = decoded(folded(text));
  return [...new Set([folded(text), folded(once), folded(decoded(once))])];
};

/** In one width and case, without invisible characters. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();

/** Without escapes of URLs and of JSON. */
const decoded = (text: string): string =>
  text
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[bfnrt]/g, ' ');
