import { parseArgs } from 'node:util';
import { Refusal } from './refusal.ts';

export type StageOptions = { port: number; dataFolder: string; fresh: boolean; demo: boolean; help: boolean };

export const usage = `npm start [-- options]

Starts the whole service on this machine, for development.

  --fresh      forget the data of earlier starts
  --data DIR   keep the data in this folder (default: .local)
  --no-demo    load no demo data
  --help       show this

  PORT=9000 npm start              another port than 8787
  DYNAMODB_ENDPOINT=URL npm start  an engine that already runs, instead of dynoxide`;

/** What the person asked for, or a refusal that says which part was not understood. */
export const readOptions = (
  args: string[],
  environment: Record<string, string | undefined>,
): StageOptions => {
  const values = parse(args);
  return {
    port: portOf(environment.PORT ?? '8787'),
    dataFolder: values.data ?? '.local',
    fresh: values.fresh ?? false,
    demo: !values['no-demo'],
    help: values.help ?? false,
  };
};

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options: known }).values;
  } catch (error) {
    const said = (error as Error).message.split('. ')[0];
    throw new Refusal(`${said}; npm start -- --help lists the options.`);
  }
};

const known = {
  fresh: { type: 'boolean' },
  data: { type: 'string' },
  'no-demo': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const portOf = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new Refusal(`PORT is "${text}" and must be a number from 1 to 65535.`);
};
