import { existsSync, readFileSync } from 'node:fs';
import { at } from '../journeys/answers.ts';

/** Where a stage answers. */
export type Addresses = {
  baseUrl: string;
  authUrl: string;
  /** What API Gateway itself calls the two APIs; none on a local stage. */
  gatewayUrls: readonly string[];
};

/** By the file that "cdk deploy --outputs-file" wrote, or by the `stack.json` of a local stage that runs. */
export const readAddresses = (file: string): Addresses => {
  if (!existsSync(file))
    throw new Error(`${file} does not exist: name the file that "cdk deploy -O" wrote with --outputs.`);
  const content = readJson(file);
  // One entry for each stack: { "<stack>": { "<output>": "<value>" } }.
  const outputs = Object.values(Object(content)).flatMap((stack) => Object.entries(Object(stack)));
  const named = Object.fromEntries(outputs);
  const [baseUrl, authUrl] = [
    at(content, 'baseUrl') ?? named.BaseUrl,
    at(content, 'authUrl') ?? named.AuthUrl,
  ];
  if (typeof baseUrl !== 'string' || typeof authUrl !== 'string')
    throw new Error(`${file} does not say where the stage answers.`);
  return { baseUrl, authUrl, gatewayUrls: gatewayUrlsOf(outputs) };
};

/** CDK adds the gateway's own address of each REST API, under a name of its own making. */
const gatewayUrlsOf = (outputs: readonly [string, unknown][]): string[] =>
  outputs
    .filter(([name]) => /^(Token|Transactions)ApiEndpoint/.test(name))
    .map(([, url]) => String(url).replace(/\/$/, ''));

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
};
