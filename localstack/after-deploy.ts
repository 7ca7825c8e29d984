import { readFileSync } from 'node:fs';

/** The last step of `deploy.sh`: `node localstack/after-deploy.ts <endpoint> <outputs file>`. */
const [endpoint = '', outputsFile = ''] = process.argv.slice(2);

const headers = {
  Authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${process.env.AWS_REGION}/lambda/aws4_request, SignedHeaders=host, Signature=none`,
};

/** Calls Lambda over HTTP; LocalStack checks no signature. */
const askLambda = async (path: string, event?: object): Promise<string> => {
  const answer = await fetch(`${endpoint}/2015-03-31/functions${path}`, {
    headers,
    ...(event && { method: 'POST', body: JSON.stringify(event) }),
  });
  const said = await answer.text();
  if (!answer.ok || answer.headers.has('X-Amz-Function-Error')) throw new Error(`${path}: ${said}`);
  return said;
};

/**
 * Calls `rotate-keys`, which LocalStack's community version does not call for the custom resource. It fills empty secrets,
 * keeps the others, and publishes the rings.
 */
const makeKeys = async () => {
  const { Functions } = JSON.parse(await askLambda('/?MaxItems=50')) as {
    Functions: { FunctionName: string; Description: string }[];
  };
  const found = Functions.find(({ Description }) => Description === 'rotate-keys');
  if (!found) throw new Error('No function rotate-keys is deployed.');
  await askLambda(`/${found.FunctionName}/invocations`, { RequestType: 'Update' });
};

/** The address of an API without a host name: names of the outputs do not resolve everywhere. */
const addressOf = (name: string): string => {
  const stacks: Record<string, string>[] = Object.values(JSON.parse(readFileSync(outputsFile, 'utf8')));
  const url = stacks.map((stack) => stack[name]).find(Boolean) ?? '';
  const [, id, path] = /^https?:\/\/([a-z0-9]+)\.[^/]+(.*)$/.exec(url) ?? [];
  return `${endpoint}/_aws/execute-api/${id}${path}`;
};

await makeKeys();
console.log(`Outputs        ${outputsFile}`);
for (const name of ['BaseUrl', 'AuthUrl']) console.log(`${name.padEnd(15)}${addressOf(name)}`);
