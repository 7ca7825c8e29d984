import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { burstJourney, gatewayJourney } from '../../journeys/gateway.ts';
import { readingJourneys, writingJourneys } from '../../journeys/journeys.ts';
import { compressionJourney, transportJourney } from '../../journeys/transport.ts';
import type { Journey } from '../../journeys/world.ts';
import { root } from '../../support/repository.ts';
import { places, read } from './documents.ts';
import { citationsIn } from './rules.ts';

const runbook = read('docs/runbook.md');
const testFiles = places.filter((file) => /^test\/.*\.ts$/.test(file));
const testText = testFiles.map(read).join('\n');

type Block = { commands: string[]; after: string };

/** Blocks of commands, and the paragraph below each. */
const blocks: Block[] = [...runbook.matchAll(/```sh\n([\s\S]*?)```\n\n([\s\S]*?)\n\n/g)].map(
  ([, block = '', after = '']) => ({
    commands: block
      .replaceAll(/(\\|\|)\n\s+/g, ' ')
      .split('\n')
      .filter((line) => line !== ''),
    after: after.replaceAll('\n', ' '),
  }),
);

/** Commands of git, npm and the shell that a block has between ours. */
const isPlain = (command: string) => /^(git checkout|npm ci|\w+=\S+$)/.test(command);

/** The words by which a test is seen to run a command: `cdk deploy` is `deploy`. */
const wordsOf = (command: string): string[] => {
  const [, script = '', rest = ''] = /^(?:\w+=\S+ )?npm run (\w+)(?: -- (.*))?$/.exec(command) ?? [];
  if (script !== 'cdk' && script !== 'operator') return [script];
  return rest.split(' ').slice(0, script === 'cdk' ? 1 : 2);
};

/** `['partner', 'create']`, `'partner create'` and the like. */
const runs = (text: string, words: readonly string[]) =>
  words[0] !== '' && new RegExp(`\\b${words.join('[\'",\\s]+')}\\b`).test(text);

const filesIn = (text: string) => [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);

/** The rows of the list of what only an account shows. */
const rows = (/## What only an account shows\n([\s\S]*?)\n## /.exec(runbook)?.[1] ?? '')
  .split('\n')
  .filter((line) => /^\| [A-Z]\w*-?\d/.test(line))
  .map((line) => {
    const [, ids = '', , command = ''] = line.split('|').map((cell) => cell.trim());
    return { ids: citationsIn(ids), command };
  });

describe('D-42 docs/runbook.md: every command is run by a test, or needs an account', () => {
  test.each(blocks.map(({ commands, after }) => [commands[0] ?? '', commands, after] as const))(
    'D-42 the block that begins with "%s"',
    (_, commands, after) => {
      const ours = commands.filter((command) => !isPlain(command));
      const shown = filesIn(/^Shown by .*/.exec(after)?.[0] ?? '');
      const unseen = ours.filter((command) => !shown.some((file) => runs(read(file), wordsOf(command))));

      expect(shown.filter((file) => !existsSync(join(root, file)))).toEqual([]);
      expect(/^Needs an account: /.test(after) ? [] : unseen).toEqual([]);
      expect(
        /^Needs an account: /.test(after) ? ours.filter((one) => !/^(aws|eval .*\baws) /.test(one)) : [],
      ).toEqual([]);
    },
  );

  test('D-42 commands of the operator’s tool in tables and sentences are run by tests', () => {
    const groups =
      'partner|storefront|transactions|customer|session|events|webhooks|listing|keys|restore|audit';
    const named = [...runbook.matchAll(new RegExp(`\`((?:${groups}) [a-z-]+)`, 'g'))].map(
      ([, command = '']) => command.split(' '),
    );

    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((words) => !runs(testText, words))).toEqual([]);
  });
});

describe('D-42 what only an account shows', () => {
  const smoked = rows.filter(({ command }) => command.startsWith('`npm run smoke'));

  const idsOf = (journeys: readonly Journey[]) =>
    journeys.flatMap(({ steps }) => steps.flatMap(({ title }) => citationsIn(title)));
  const ofAws = [transportJourney({ gatewayUrls: [] }), gatewayJourney, compressionJourney, burstJourney(1)];

  test('D-42 every step of the smoke test that AWS alone can fail is in the list by its ids', () => {
    const listed = new Set(smoked.flatMap(({ ids }) => ids));
    const ids = idsOf(ofAws);

    expect(rows.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !listed.has(id))).toEqual([]);
  });

  test('D-42 the smoke test shows something of each line that names it', () => {
    const own = ['test/smoke/run.ts', 'test/smoke/webhook.ts'].map(read).flatMap(citationsIn);
    const shown = new Set([...idsOf([...ofAws, ...readingJourneys, ...writingJourneys()]), ...own]);

    expect(smoked.filter(({ ids }) => !ids.some((id) => shown.has(id)))).toEqual([]);
  });
});
