import type { AddHelpTextContext, Command } from 'commander';

/**
 * Refuses the help of an unknown command: commander would print that of its group, and exit with 0. For
 * `addHelpText('beforeAll', …)` of the program.
 */
export const refuseUnknownCommand = ({ command }: AddHelpTextContext): string => {
  const word = askedWords(command).find((one) => !one.startsWith('-'));
  if (command.commands.length === 0 || word === undefined || isCommandOf(command, word)) return '';
  // The error names the first of its words, and the nearest command.
  command.args = [word];
  return (command as Command & { unknownCommand: () => never }).unknownCommand();
};

/** Without `help`, which may also stand before the group. */
const askedWords = ({ args, parent }: Command): readonly string[] => {
  if (args[0] === 'help') return args.slice(1);
  return args.length === 0 && parent?.args[0] === 'help' ? parent.args.slice(2) : args;
};

const isCommandOf = ({ commands }: Command, word: string): boolean =>
  commands.some((one) => one.name() === word || one.aliases().includes(word));
