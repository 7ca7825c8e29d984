import { parseArgs } from 'node:util';
import { UserError } from '../../bin/operator/user-error.ts';
import { configOf } from '../../lib/config.ts';
import { keptByNpm } from '../../lib/kept-by-npm.ts';
import { noWholeNumber, type Range, wholeNumber } from '../../lib/whole-number.ts';

const { dormancySeconds: usualDormancy, tickSeconds } = configOf('local').eventTimes;

export type StartOptions = {
  port: number;
  dataFolder: string;
  fresh: boolean;
  demo: boolean;
  help: boolean;
  dormancySeconds: number;
  tickSeconds: number;
};
export const usage = `npm start [-- options]

Starts the whole service on this machine, for development.

  --fresh      forget the data of earlier starts
  --data DIR   keep the data in this folder (default: .local)
  --no-demo    load no demo data, and start no webhook receiver
  --dormancy-seconds N  notify partners of a change after N seconds of rest, not ${usualDormancy}
  --watch      start again after each change of the code, with the same data
  --help       show this

  PORT=9000 npm start              another port than 8787
  DYNAMODB_ENDPOINT=URL npm start  an engine that already runs, instead of dynoxide`;

/** Reads options and PORT. Throws a UserError that names the wrong part. */
export const readOptions = (
  args: string[],
  environment: Record<string, string | undefined>,
): StartOptions => {
  const options = Object.entries(known).map(([name, { type }]) => ({ name, takesValue: type === 'string' }));
  const kept = keptByNpm(options, 'npm start --', environment);
  if (kept !== undefined) throw new UserError(kept);
  const values = parse(args);
  if (values.data === '') throw new UserError('--data is empty and must name a folder.');
  const dormancy = values['dormancy-seconds'] ?? `${usualDormancy}`;
  const dormancySeconds = numberOf('--dormancy-seconds', dormancy, { least: 1, most: usualDormancy });
  return {
    // The webhook receiver uses the next port.
    port: numberOf('PORT', environment.PORT ?? '8787', { least: 1, most: 65_534 }),
    dataFolder: values.data ?? '.local',
    fresh: values.fresh ?? false,
    demo: !values['no-demo'],
    help: values.help ?? false,
    dormancySeconds,
    // With a short dormancy, ticks of ten seconds would be most of the wait.
    tickSeconds: dormancySeconds < 60 ? 1 : tickSeconds,
  };
};

const parse = (args: string[]) => {
  // `parseArgs` would take a negative number for an option.
  const joined = args.join('\n').replaceAll(/^(--[\w-]+)\n(-\d)/gm, '$1=$2');
  try {
    return parseArgs({ args: joined === '' ? [] : joined.split('\n'), options: known }).values;
  } catch (error) {
    const said = (error as Error).message.split(/\.\s/)[0];
    throw new UserError(`${said}; npm start -- --help lists the options.`);
  }
};

const known = {
  fresh: { type: 'boolean' },
  data: { type: 'string' },
  'no-demo': { type: 'boolean' },
  'dormancy-seconds': { type: 'string' },
  // Only for its refusal and its help: start.mjs takes it away.
  watch: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const numberOf = (name: string, text: string, range: Range): number => {
  const value = wholeNumber(text, range);
  if (value === undefined) throw new UserError(noWholeNumber(name, text, range));
  return value;
};
