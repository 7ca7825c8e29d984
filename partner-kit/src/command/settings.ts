import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from './user-error.ts';

/** The values that a partner has from the operator. */
export type Settings = {
  baseUrl?: string;
  authUrl?: string;
  clientId?: string;
  clientSecret?: string;
  webhookSignature?: string;
  source?: string;
};

/** Sources of the settings. */
export type SettingsOptions = {
  local?: boolean;
  partner?: string;
  credentials?: string;
  signature?: string;
  source?: string;
};

/** The environment of the command. */
export type Surroundings = { env: Record<string, string | undefined>; folder: string };

const variables = {
  baseUrl: 'TRANSACTIONS_BASE_URL',
  authUrl: 'TRANSACTIONS_AUTH_URL',
  clientId: 'TRANSACTIONS_CLIENT_ID',
  clientSecret: 'TRANSACTIONS_CLIENT_SECRET',
  webhookSignature: 'TRANSACTIONS_WEBHOOK_SIGNATURE',
  source: 'TRANSACTIONS_WEBHOOK_SOURCE',
} as const satisfies Record<keyof Settings, string>;

const names = Object.keys(variables) as (keyof Settings)[];

/**
 * With `--local`, a running local stage. Otherwise the file of `--credentials` or TRANSACTIONS_CREDENTIALS, otherwise
 * environment variables. All settings come from one source. Options for the signature and the source of messages take
 * precedence.
 */
export const readSettings = (options: SettingsOptions, surroundings: Surroundings): Settings => {
  const { signature, source } = options;
  return {
    ...foundSettings(options, surroundings),
    ...(signature !== undefined && { webhookSignature: signature }),
    ...(source !== undefined && { source }),
  };
};

const foundSettings = (options: SettingsOptions, { env, folder }: Surroundings): Settings => {
  if (options.local) return localSettings(env.TRANSACTIONS_STACK ?? stackFileAbove(folder), options.partner);
  const file = options.credentials ?? env.TRANSACTIONS_CREDENTIALS;
  // All from one source, because a secret of one stage must not be sent to another.
  if (file !== undefined) return fileSettings(resolve(folder, file));
  return stringsIn(Object.fromEntries(names.map((name) => [name, env[variables[name]]])));
};

/** Only non-empty texts count. */
const stringsIn = (given: Record<string, unknown>): Settings =>
  Object.fromEntries(
    names.flatMap((name) =>
      typeof given[name] === 'string' && given[name] !== '' ? [[name, given[name]]] : [],
    ),
  );

const fileSettings = (file: string): Settings => {
  const text = readOr(file, `${file} cannot be read: it must hold the credentials as JSON, with mode 0600.`);
  // Windows has no such modes, and reports 0666 for every file.
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new UserError(`${file} holds a secret, and other users can read it: chmod 600 ${file}`);
  return stringsIn(jsonIn(text, file));
};

type Stack = {
  baseUrl: string;
  authUrl: string;
  receiverUrl?: string;
  partners: { name: string; clientId: string; clientSecret: string; webhookSignature: string }[];
  operator: { variables: Record<string, string> };
};

const localSettings = (file: string, wanted: string | undefined): Settings => {
  const { stack, partner } = localPartner(file, wanted);
  const { clientId, clientSecret, webhookSignature } = partner;
  const source = stack.operator.variables.EVENT_SOURCE;
  return {
    ...{ baseUrl: stack.baseUrl, authUrl: stack.authUrl, clientId, clientSecret, webhookSignature },
    ...(source !== undefined && { source }),
  };
};

/** The webhook address of a demo partner on the local stage. */
export const localReceiver = (partner: string | undefined, { env, folder }: Surroundings): string => {
  const found = localPartner(env.TRANSACTIONS_STACK ?? stackFileAbove(folder), partner);
  return `${found.stack.receiverUrl}/${found.partner.name}`;
};

const localPartner = (file: string, wanted: string | undefined) => {
  const text = readOr(file, `No local stage is running here (${file} does not exist): npm start starts one.`);
  const stack = jsonIn(text, file) as Stack;
  const partner = stack.partners.find(({ name }) => wanted === undefined || name === wanted);
  if (partner) return { stack, partner };
  const known = stack.partners.map(({ name }) => name).join(', ') || 'none';
  throw new UserError(`The local stage has no demo partner ${wanted ?? ''}; it has: ${known}.`);
};

/** `.local/stack.json` in this folder or in one above it. */
const stackFileAbove = (folder: string): string => {
  const usual = join('.local', 'stack.json');
  for (let place = folder; ; place = dirname(place)) {
    if (statSync(join(place, usual), { throwIfNoEntry: false })) return join(place, usual);
    if (dirname(place) === place) return join(folder, usual);
  }
};

const readOr = (file: string, sentence: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UserError(sentence);
  }
};

const jsonIn = (text: string, file: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UserError(`${file} is not JSON.`);
  }
};

/** A setting that a command needs. */
export const needed = (settings: Settings, name: keyof Settings): string => {
  const value = settings[name];
  if (value !== undefined) return value;
  throw new UserError(
    `${variables[name]} is not set: export it, put "${name}" into a file for --credentials, or use --local beside a running local stage.`,
  );
};
