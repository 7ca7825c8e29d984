import { describe, expect, test } from '@jest/globals';
import { burstJourney, gatewayJourney } from '../../journeys/gateway.ts';
import { readingJourneys, writingJourneys } from '../../journeys/journeys.ts';
import { compressionJourney, transportJourney } from '../../journeys/transport.ts';
import type { Journey } from '../../journeys/world.ts';
import { places, read } from './documents.ts';
import { citationsIn } from './rules.ts';

const runbook = read('docs/runbook.md');
const testText = places
  .filter((file) => /^test\/.*\.ts$/.test(file))
  .map(read)
  .join('\n');

/** Blocks of commands, also those within a step. */
const blocks: string[][] = [...runbook.replaceAll(/^ {3}/gm, '').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, block = '']) =>
    block
      .replaceAll(/(\\|\|)\n\s+/g, ' ')
      .split('\n')
      .flatMap((line) => line.split(' && '))
      .filter((line) => line !== ''),
);

/** Commands of git, npm and the shell that a block has between ours, and those that only an account can run. */
const isPlain = (command: string) =>
  /^(git checkout|npm ci|\w+=\S+$|aws |eval .*\baws |gunzip |jq )/.test(command);

/** The words by which a test is seen to run a command: `cdk deploy` is `deploy`. */
const wordsOf = (command: string): string[] => {
  const [, script = '', rest = ''] = /^(?:\w+=\S+ )?npm run (\w+)(?: -- (.*))?$/.exec(command) ?? [];
  if (script !== 'cdk' && script !== 'operator') return [script];
  return rest.split(' ').slice(0, script === 'cdk' ? 1 : 2);
};

/** `['partner', 'create']`, `'partner create'` and the like. */
const runs = (text: string, words: readonly string[]) =>
  words[0] !== '' && new RegExp(`\\b${words.join('[\'",\\s]+')}\\b`).test(text);

/** What only an account shows: the lines of what `npm run smoke` shows, and the table of other commands. */
const [, section = ''] = /## What only an account shows\n([\s\S]*?)(?:\n## |$)/.exec(runbook) ?? [];
const smokeLines = section
  .replaceAll(/\n {2}/g, ' ')
  .split('\n')
  .filter((line) => line.startsWith('- '))
  .map(citationsIn);
const rows = section
  .split('\n')
  .filter((line) => /^\| [A-Z]\w*-?\d/.test(line))
  .map((line) => {
    const [, ids = '', , command = ''] = line.split('|').map((cell) => cell.trim());
    return { ids: citationsIn(ids), command };
  });

test('D-42 every command of docs/runbook.md is run by a test, or needs an account', () => {
  const groups =
    'partner|storefront|transactions|customer|session|events|webhooks|listing|keys|restore|audit';
  const inSentences = [...runbook.matchAll(new RegExp(`\`((?:${groups}) [a-z-]+)`, 'g'))].map(
    ([, command = '']) => command.split(' '),
  );
  const inBlocks = blocks
    .flat()
    .filter((command) => !isPlain(command))
    .map(wordsOf);

  expect([inSentences.length > 6, inBlocks.length > 8]).toEqual([true, true]);
  expect([...inBlocks, ...inSentences].filter((words) => !runs(testText, words))).toEqual([]);
});

describe('D-42 what only an account shows', () => {
  const smoked = [
    ...smokeLines,
    ...rows.filter(({ command }) => command.startsWith('`npm run smoke')).map(({ ids }) => ids),
  ];

  const idsOf = (journeys: readonly Journey[]) =>
    journeys.flatMap(({ steps }) => steps.flatMap(({ title }) => citationsIn(title)));
  const ofAws = [transportJourney({ gatewayUrls: [] }), gatewayJourney, compressionJourney, burstJourney(1)];

  test('D-42 every step of the smoke test that only AWS can fail is listed by its ids', () => {
    const listed = new Set(smoked.flat());
    const ids = idsOf(ofAws);

    expect(smokeLines.length + rows.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !listed.has(id))).toEqual([]);
  });

  test('D-42 the smoke test covers each line that names it', () => {
    const own = ['test/smoke/run.ts', 'test/smoke/webhook.ts'].map(read).flatMap(citationsIn);
    const shown = new Set([...idsOf([...ofAws, ...readingJourneys, ...writingJourneys()]), ...own]);

    expect(smoked.filter((ids) => !ids.some((id) => shown.has(id)))).toEqual([]);
  });
});
