import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../operator/user-error.ts';
import type { Addresses } from './visit.ts';

const addresses = z.object({ baseUrl: z.url(), authUrl: z.url() });

/** `{ "<stack>": { "<output>": "<value>" } }`, one entry per deployed stack. */
const outputsFile = z.record(z.string(), z.record(z.string(), z.string()));

/** Where a stage answers: by the outputs of a deployed one, or by the `stack.json` of a local one that runs. */
export const readAddresses = ({
  outputs,
  stackFile,
}: {
  outputs?: string | undefined;
  stackFile: string;
}): Addresses => {
  const file = outputs ?? stackFile;
  if (!existsSync(file))
    throw new UserError(`${file} does not exist: name the file that "cdk deploy -O" wrote with --outputs.`);
  const found = outputs === undefined ? ofStack(readJson(file)) : ofOutputs(readJson(file));
  if (found) return found;
  throw new UserError(`${file} does not say where the stage answers.`);
};

const ofStack = (content: unknown): Addresses | undefined => {
  const found = addresses.safeParse(content);
  return found.success ? { ...found.data, gatewayUrls: [] } : undefined;
};

/** CDK adds the gateway's own address of each REST API, under a name of its own making. */
const ofOutputs = (content: unknown): Addresses | undefined => {
  const stacks = outputsFile.safeParse(content);
  const entries = stacks.success ? Object.values(stacks.data).flatMap((stack) => Object.entries(stack)) : [];
  const all = Object.fromEntries(entries);
  const found = addresses.safeParse({ baseUrl: all.BaseUrl, authUrl: all.AuthUrl });
  const gatewayUrls = entries
    .filter(([name]) => /^(Token|Transactions)ApiEndpoint/.test(name))
    .map(([, url]) => url.replace(/\/$/, ''));
  return found.success ? { ...found.data, gatewayUrls } : undefined;
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UserError(`${file} is not JSON.`);
  }
};
