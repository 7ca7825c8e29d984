/** An option of a command, by its long name without the dashes. */
type KnownOption = { name: string; takesValue: boolean };

/** Settings that npm has as well, which a machine may set for good. A command that misses one changes nothing. */
const ownOfNpm = new Set(['help', 'json', 'location', 'yes']);

/** A sentence that refuses an option before `--`: npm takes it as a setting, and the command would start without it. */
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
