import { parseArgs } from 'node:util';
import { UserError } from '../bin/operator/user-error.ts';
import { configOf } from '../lib/config.ts';
import { keptByNpm } from '../lib/kept-by-npm.ts';
import { noWholeNumber, type Range, wholeNumber } from '../lib/whole-number.ts';
import type { AskedTimes } from './cloudformation/assembly.ts';

const { dormancySeconds: usualDormancy, tickSeconds: usualTick } = configOf('local').eventTimes;

export type StageOptions = {
  port: number;
  dataFolder: string;
  fresh: boolean;
  demo: boolean;
  help: boolean;
  eventTimes: AskedTimes;
};
export const usage = `npm start [-- options]

Starts the whole service on this machine, for development.

  --fresh      forget the data of earlier starts
  --data DIR   keep the data in this folder (default: .local)
  --no-demo    load no demo data, and start no webhook receiver
  --dormancy-seconds N  notify partners of a change after N seconds of rest, not ${usualDormancy}
  --tick-seconds N      poll for due rows every N seconds, not ${usualTick}
  --help       show this

  PORT=9000 npm start              another port than 8787
  DYNAMODB_ENDPOINT=URL npm start  an engine that already runs, instead of dynoxide`;

/** Reads options and PORT. Throws a UserError that names the wrong part. */
export const readOptions = (
  args: string[],
  environment: Record<string, string | undefined>,
): StageOptions => {
  const options = Object.entries(known).map(([name, { type }]) => ({ name, takesValue: type === 'string' }));
  const kept = keptByNpm(options, 'npm start --', environment);
  if (kept !== undefined) throw new UserError(kept);
  const values = parse(args);
  return {
    // The webhook receiver uses the next port.
    port: numberOf('PORT', environment.PORT ?? '8787', { least: 1, most: 65_534 }),
    dataFolder: values.data ?? '.local',
    fresh: values.fresh ?? false,
    demo: !values['no-demo'],
    help: values.help ?? false,
    eventTimes: eventTimesOf(values['dormancy-seconds'], values['tick-seconds']),
  };
};

/** With a shorter dormancy, ticks of ten seconds would be most of the wait. */
const shortDormancySeconds = 60;

const eventTimesOf = (dormancy: string | undefined, tick: string | undefined): AskedTimes => {
  const dormancySeconds = secondsOf('--dormancy-seconds', dormancy, usualDormancy);
  const isShort = dormancySeconds !== undefined && dormancySeconds < shortDormancySeconds;
  const tickSeconds = secondsOf('--tick-seconds', tick, usualTick) ?? (isShort ? 1 : undefined);
  return { ...(dormancySeconds && { dormancySeconds }), ...(tickSeconds && { tickSeconds }) };
};

const secondsOf = (option: string, text: string | undefined, most: number): number | undefined => {
  if (text === undefined) return undefined;
  return numberOf(option, text, { least: 1, most });
};

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options: known }).values;
  } catch (error) {
    const said = (error as Error).message.split('. ')[0];
    throw new UserError(`${said}; npm start -- --help lists the options.`);
  }
};

const known = {
  fresh: { type: 'boolean' },
  data: { type: 'string' },
  'no-demo': { type: 'boolean' },
  'dormancy-seconds': { type: 'string' },
  'tick-seconds': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const numberOf = (name: string, text: string, range: Range): number => {
  const value = wholeNumber(text, range);
  if (value === undefined) throw new UserError(noWholeNumber(name, text, range));
  return value;
};
