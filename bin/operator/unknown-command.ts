import type { AddHelpTextContext, Command } from 'commander';

/**
 * Refuses help for an unknown command: commander would print its group's help and exit with 0. For
 * `addHelpText('beforeAll', …)` of the program.
 */
export const refuseUnknownCommand = ({ command }: AddHelpTextContext): string => {
  const word = askedWords(command).find((asked) => !asked.startsWith('-'));
  if (command.commands.length === 0 || word === undefined || isCommandOf(command, word)) return '';
  // `unknownCommand` names the first argument, and the nearest command.
  command.args = [word];
  return (command as Command & { unknownCommand: () => never }).unknownCommand();
};

/** The arguments without `help`, which may also precede the group. */
const askedWords = ({ args, parent }: Command): readonly string[] => {
  if (args[0] === 'help') return args.slice(1);
  return args.length === 0 && parent?.args[0] === 'help' ? parent.args.slice(2) : args;
};

const isCommandOf = ({ commands }: Command, word: string): boolean =>
  commands.some((known) => known.name() === word || known.aliases().includes(word));
