/** A searchable section: its address, the title of its page, its heading (none for the page itself), and its text. */
type Section = { id: string; page: string; heading: string; text: string };

/** Every section of the pages, in the order of the menu. */
export const searchIndex = (pages: readonly { address: string; html: string }[]): Section[] => {
  const seen = new Set<string>();
  return pages.flatMap(({ address, html }) =>
    sectionsOf(address, html)
      .map(({ text, ...section }) => ({ ...section, text: unseenIn(text, seen) }))
      .filter(({ heading, text }) => heading === '' || text !== ''),
  );
};

/** Many operations share members. The first operation with a member is found. */
const unseenIn = (parts: readonly string[], seen: Set<string>): string => {
  const unseen = parts.filter((part) => !seen.has(part));
  for (const part of parts) seen.add(part);
  return unseen.join(' ');
};

const sectionsOf = (address: string, html: string) => {
  const page = textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '');
  const [, content = ''] = /<div class="sl-markdown-content">([\s\S]*)<\/div><footer/.exec(html) ?? [];
  const [first = '', ...others] = content.split(/(?=<h[23] id=")/);
  return [
    { id: address, page, heading: '', text: partsOf(first) },
    ...others.map((part) => {
      const [, id = '', heading = '', text = ''] =
        /^<h[23] id="([^"]*)"[^>]*>([\s\S]*?)<\/h[23]>([\s\S]*)$/.exec(part) ?? [];
      return { id: `${address}#${id}`, page, heading: textOf(heading), text: partsOf(text) };
    }),
  ];
};

const partsOf = (html: string): string[] => html.split(/(?=<div class="sl-openapi-key )/).map(textOf);

/** Parts of a page that are no text, and the examples of the reference, which would be most of the index. */
const hidden = [
  /<(button|script|select|svg)\b[\s\S]*?<\/\1>/g,
  /<a class="sl-anchor-link"[\s\S]*?<\/a>/g,
  /<span class="sr-only[^>]*>[^<]*<\/span>/g,
  /(?<=<div class="sl-openapi-(?:example|snippet) [^>]*>(?:(?!<\/figure>)[\s\S])*?)<figure[\s\S]*?<\/figure>/g,
];
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  '#x3C': '<',
};

const textOf = (html: string): string =>
  hidden
    .reduce((left, part) => left.replaceAll(part, ' '), html)
    .replaceAll(/<\/?(?:span|a|code|strong|em|s|sup)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&([#\w]+);/g, (whole, name) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();
