import { UserError } from './user-error.ts';

/** An option of a command, by its long name without the dashes. */
type KnownOption = { name: string; takesValue: boolean };

/** npm has these too, and a machine may set them for good; a command that lacks one asks, refuses or shows, and changes nothing. */
const ownOfNpm = new Set(['help', 'json', 'location', 'yes']);

/** What stands before `--` npm takes as settings of its own, and starts without: the command would do something else. */
export const refuseKeptByNpm = (
  options: readonly KnownOption[],
  command: string,
  environment: Record<string, string | undefined>,
): void => {
  for (const { name, takesValue } of options) {
    const setting = `npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`;
    if (ownOfNpm.has(name) || environment[setting] === undefined) continue;
    throw new UserError(
      `npm keeps --${name} for itself: write ${command} --${name}${takesValue ? ' …' : ''}`,
    );
  }
};
