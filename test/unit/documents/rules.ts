/** A test file, and what to look for in it: part of a title, or else the rule's id. */
type Proof = { file: string; title?: string | undefined };

/** One line of docs/rules.md. */
export type Rule = {
  id: string;
  sentence: string;
  kept: string[];
  notKept: string;
  tests: Proof[];
  noTest: string;
};

type Places = Partial<Record<'Kept' | 'Test' | 'Not kept' | 'No test', string>>;

/** The lines of docs/rules.md. A paragraph `Kept: … Test: …` counts for the lines below it that say nothing else. */
export function rulesOf(document: string): Rule[] {
  const rules: Rule[] = [];
  let usual: Places = {};
  for (const block of blocksOf(document)) {
    const [, id, text = ''] = /^- \*\*(.+?)\*\* (.+)$/.exec(block) ?? [];
    if (block.startsWith('#')) usual = {};
    else if (block.startsWith('Kept: ')) usual = placesOf(block);
    else if (id) rules.push(ruleOf(id, text, usual));
  }
  return rules;
}

/** Headings, paragraphs and list items, each on one line. */
const blocksOf = (document: string) =>
  document
    .split(/\n\n+|\n(?=- |#)/)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim())
    .filter((block) => block !== '');

const label = '(Kept|Test|Not kept|No test): ';

const placesOf = (text: string): Places =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`(?:^|\\. )${label}(.+?)(?=\\. ${label}|\\.$)`, 'g'))].map(
      ([, name, places]) => [name, places],
    ),
  );

function ruleOf(id: string, text: string, usual: Places): Rule {
  const [sentence = ''] = text.split(new RegExp(` ${label}`));
  const own = placesOf(text);
  const { 'Not kept': notKept = '', 'No test': noTest = '' } = own;
  const kept = notKept ? '' : (own.Kept ?? usual.Kept ?? '');
  const tests = noTest ? '' : (own.Test ?? usual.Test ?? '');
  return {
    id,
    sentence,
    kept: proofsOf(kept).map(({ file }) => file),
    notKept,
    tests: proofsOf(tests),
    noTest,
  };
}

const proofsOf = (places: string): Proof[] =>
  [...places.matchAll(/`([^`]+)`(?: "([^"]+)")?/g)].map(([, file = '', title]) => ({ file, title }));

/** Names of this shape that are no rules. */
const otherNames = /^(ES256|P|RS256|SALES|SHA|SM|SSH|STOCK|UTF)-/;

/** The rules that a text cites: ids, ranges of ids such as `O-08 to O-24`, and sections of the interface. */
export function citationsIn(text: string): string[] {
  const ids = [
    ...text.matchAll(/(?<![\w-])([A-Z][A-Z0-9]{0,4}-\d+|I\d{1,2})(?!\w)(?: to ([A-Z]\w*-\d+|I\d+))?/g),
  ];
  const sections = [
    ...text.matchAll(/\binterface (?:sections? )?(\d[.\d]*\d|\d)(?: (?:to|and) (\d\.\d|\d))?/gi),
  ];
  return [
    ...ids.flatMap(([, first = '', last]) => rangeOf(first, last)).filter((id) => !otherNames.test(id)),
    ...sections
      .flatMap(([, first = '', last]) => rangeOf(first, last))
      .map((section) => `interface ${section}`),
  ];
}

function rangeOf(first: string, last = first): string[] {
  const [, prefix = '', from = ''] = /^(.*?)(\d+)$/.exec(first) ?? [];
  const [, to = ''] = /(\d+)$/.exec(last) ?? [];
  const length = Math.max(1, Number(to) - Number(from) + 1);
  return Array.from(
    { length },
    (_, index) => prefix + String(Number(from) + index).padStart(from.length, '0'),
  );
}
