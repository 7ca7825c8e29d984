import { exampleAddresses } from '../../functions/serve-docs/document.ts';
import { type Guide, guideOf } from './guides.ts';

/** One entry of docs/api-changelog.json; the newest stand first. */
export type Change = { date: string; kind: string; operation: string; sentence: string };

/** The changes of the interface as a guide, by day. `placeOf` returns the page of an operation. */
export const changesGuide = (
  changes: readonly Change[],
  placeOf: (operation: string) => string | undefined,
): Guide => {
  const days = Object.entries(Object.groupBy(changes, ({ date }) => date));
  const none = days.length === 0 ? ['Nothing has changed since the first release.', ''] : [];
  const lineOf = ({ kind, operation, sentence }: Change) => {
    const name = `\`${operation}\``;
    const place = placeOf(operation);
    return `- **${kind}** ${place === undefined ? name : `[${name}](${exampleAddresses.baseUrl}/docs/${place})`}: ${sentence}`;
  };
  return guideOf(
    'changes',
    [
      ...['# Changes', '', 'What is new or different in the interface, day by day.', ''],
      ...[
        `The same for programs: [api-changelog.json](${exampleAddresses.baseUrl}/docs/api-changelog.json).`,
        '',
      ],
      ...none,
      ...days.flatMap(([date, ofDay = []]) => [`## ${date}`, '', ...ofDay.map(lineOf), '']),
    ].join('\n'),
  );
};
