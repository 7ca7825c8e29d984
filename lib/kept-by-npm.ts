/** An option of a command, by its long name without the dashes. */
type KnownOption = { name: string; takesValue: boolean };

/** npm has these too, and a machine may set them for good; a command that lacks one asks, refuses or shows, and changes nothing. */
const ownOfNpm = new Set(['help', 'json', 'location', 'yes']);

/** What stands before `--` npm takes as settings of its own, and starts without: the command would do something else. */
export const keptByNpm = (
  options: readonly KnownOption[],
  command: string,
  environment: Record<string, string | undefined>,
): string | undefined => {
  const kept = options.find(({ name }) => !ownOfNpm.has(name) && environment[settingOf(name)] !== undefined);
  if (!kept) return undefined;
  const option = `--${kept.name}${kept.takesValue ? ' …' : ''}`;
  return `npm keeps --${kept.name} for itself: write ${command} ${option}`;
};

const settingOf = (name: string) => `npm_config_${name.replace(/^no-/, '').replaceAll('-', '_')}`;
