import { expect, test } from '@jest/globals';
import { runOperator } from '../../../bin/operator/program.ts';
import { aTerminal } from '../../support/operator/operator.ts';
import { documents, read } from './documents.ts';

/** What the tool says of a command. */
const helpOf = async (words: readonly string[]): Promise<string> => {
  const { terminal, said } = aTerminal();
  const connect = () => {
    throw new Error('Help needs no stage.');
  };
  await runOperator([...words, '--help'], { terminal, user: 'tester', stackFile: 'none', connect });
  return said.printed;
};

const help = await helpOf([]);
const [, listed = ''] = /Commands:\n([\s\S]*)\n\nExamples/.exec(help) ?? [];
const groups = [...listed.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);

/** Commands of the tool in a document: in code spans that begin with one, and behind `npm run operator --`. */
const commandsIn = (document: string): string[] => {
  const text = read(document).replaceAll(/\\\n\s*/g, '');
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const lines = [...text.matchAll(/npm run (?:-\S+ )?operator -- ([^\n`|]+)/g)].map(([, line = '']) => line);
  const named = spans.filter((span) => groups.includes(span.split(' ')[0]) && span.includes(' '));
  return [...new Set([...named, ...lines])];
};

/** `events list` of `events list --state DEAD`; the words after them are arguments. */
const nameOf = (command: string): string[] => {
  const words = command
    .replaceAll(/--outputs \S+ ?/g, '')
    .trim()
    .split(/\s+/);
  return words
    .slice(0, words[0] === 'explain' ? 1 : 2)
    .filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'));
};

const given = documents.filter((one) => one.startsWith('docs/') && !one.startsWith('docs/decisions/'));

test('a command that a document gives an operator is a command of the tool, with its options', async () => {
  const commands = [...new Set(given.flatMap(commandsIn))];
  const faults = commands.map(async (command) => {
    const said = await helpOf(nameOf(command));
    const options = [...command.matchAll(/ (--[a-z-]+)/g)].map(([, option = '']) => option);
    const parts = [`Usage: operator ${nameOf(command).join(' ')}`, ...options];
    return parts.filter((part) => !said.includes(part)).map((part) => `${command}: ${part}`);
  });

  expect(commands.length).toBeGreaterThan(30);
  expect((await Promise.all(faults)).flat()).toEqual([]);
});
