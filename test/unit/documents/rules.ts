/** A line of docs/rules.md: `- **PAGE-3** A page …`, or a row `| O-08 | The name … |`. */
export type Rule = { id: string; sentence: string };

export const rulesOf = (document: string): Rule[] =>
  [...document.matchAll(/^(?:- \*\*|\| )([A-Z][A-Z0-9]*(?:-\d+)?)(?:\*\*| \|) (.+?)(?: \|)?$/gm)].map(
    ([, id = '', sentence = '']) => ({ id, sentence }),
  );

/** Names of this shape that are no rules. */
const otherNames = /^(ES256|P|RS256|SALES|SHA|SM|SSH|STOCK|UTF)-/;

/** The rules that a text cites: ids, and ranges of ids such as `O-08 to O-24`. */
export const citationsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w-])([A-Z][A-Z0-9]{0,4}-\d+|I\d{1,2})(?!\w)(?: to ([A-Z]\w*-\d+|I\d+))?/g)]
    .flatMap(([, first = '', last]) => rangeOf(first, last))
    .filter((id) => !otherNames.test(id));

function rangeOf(first: string, last = first): string[] {
  const [, prefix = '', from = ''] = /^(.*?)(\d+)$/.exec(first) ?? [];
  const [, to = ''] = /(\d+)$/.exec(last) ?? [];
  const length = Math.max(1, Number(to) - Number(from) + 1);
  return Array.from(
    { length },
    (_, index) => prefix + String(Number(from) + index).padStart(from.length, '0'),
  );
}
