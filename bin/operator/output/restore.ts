import type { AdoptionReport, ForPerson } from '../restore/adoption.ts';
import { shellWord } from '../restore/command-line.ts';
import type { StageChoice } from '../stage.ts';
import { countsText } from './customer.ts';
import { factsOf } from './table.ts';

/** The most uuids in the text; `--json` has all. */
const mostShown = 20;

/** The report of an adoption, done or planned. */
export const adoptionText = (
  report: AdoptionReport,
  { dryRun, byHand }: { dryRun: boolean; byHand: readonly string[] },
): string => {
  const facts = factsOf([
    ['tables', report.tables.join(', ')],
    ['data erased again', countsText(report.erasedAgain)],
    ['transactions', String(report.transactions)],
    ['only version raised', String(report.lifted)],
    ['notified again', String(report.notified)],
    ['lost, notified as deleted', namesOf(report.gone)],
    ['completions undone', namesOf(report.completionsUndone)],
    ['completions sent again', String(report.completionsAgain)],
    ['partners sent to again', String(report.sentAgain)],
    ['idempotency keys removed', String(report.recordsForgotten)],
    ['commands repeated', String(report.commandsRepeated)],
    ['tokens revoked of', `${report.tokensEnded} partners`],
    ['index entries repaired', String(report.listingMended)],
  ]);
  return `${facts}${byHandText(byHand)}${dryRun ? 'Nothing was changed.\n' : ''}`;
};

const namesOf = (uuids: readonly string[]): string =>
  [`${uuids.length}`, ...uuids.slice(0, mostShown), ...(uuids.length > mostShown ? ['…'] : [])].join('\n');

const byHandText = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `Do by hand:\n${lines.map((line) => `${line}\n`).join('')}`;

/** The steps left to a person, as lines of a shell script. `stage` has the options that choose the stage. */
export const byHandLines = (byHand: readonly ForPerson[], { outputs, stack }: StageChoice): string[] => {
  const stage = Object.entries({ outputs, stack }).flatMap(([name, file]) =>
    file ? [`--${name}`, file] : [],
  );
  return byHand.flatMap(({ about, command }) => [
    `# ${about}`,
    ...(command ? [['npm', 'run', 'operator', '--', ...stage, ...command].map(shellWord).join(' ')] : []),
  ]);
};
