import type { AdoptionReport } from '../restore/adoption.ts';
import { countsText } from './customer.ts';
import { factsOf } from './table.ts';

/** So many uuids are enough for a person; --json has them all. */
const mostShown = 20;

/** What an adoption did, or would do. */
export const adoptionText = (report: AdoptionReport, { dryRun }: { dryRun: boolean }): string => {
  const facts = factsOf([
    ['tables', report.tables.join(', ')],
    ['erased again', countsText(report.erasedAgain)],
    ['transactions', String(report.transactions)],
    ['new version only', String(report.lifted)],
    ['sent anew', String(report.notified)],
    ['gone, sent as deleted', namesOf(report.gone)],
    ['completions undone', namesOf(report.completionsUndone)],
    ['completions not sent any more', String(report.completionsWithheld)],
    ['completions sent again', String(report.completionsAgain)],
    ['events sent again', String(report.sentAgain)],
    ['requests forgotten', String(report.recordsForgotten)],
    ['commands repeated', String(report.commandsRepeated)],
    ['tokens ended of', `${report.tokensEnded} partners`],
    ['index entries mended', String(report.listingMended)],
  ]);
  return `${facts}${byHandText(report.byHand)}${dryRun ? 'Nothing was changed.\n' : ''}`;
};

const namesOf = (uuids: readonly string[]): string =>
  [`${uuids.length}`, ...uuids.slice(0, mostShown), ...(uuids.length > mostShown ? ['…'] : [])].join('\n');

const byHandText = (commands: readonly string[]): string =>
  commands.length === 0 ? '' : `To be done by hand:\n${commands.map((one) => `  ${one}\n`).join('')}`;
