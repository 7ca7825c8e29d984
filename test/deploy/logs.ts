import { writeFileSync } from 'node:fs';
import { at, list, text } from '../journeys/answers.ts';
import { type Emulator, region } from './account.ts';
import { inWorkspace } from './places.ts';

/** Every line in the logs of the deployed functions. */
export const functionLogs = async (emulator: Emulator): Promise<string[]> => {
  const groups = list(at(await ask(emulator, 'DescribeLogGroups', {}), 'logGroups'));
  const names = groups.map((group) => text(at(group, 'logGroupName')));
  const lines = await Promise.all(names.map((logGroupName) => linesOf(emulator, logGroupName)));
  return lines.flat();
};

/** Keeps the logs for a look at a failure; an emulator that is gone has none to give. */
export const keepFunctionLogs = async (emulator: Emulator): Promise<void> => {
  const lines = await functionLogs(emulator).catch((fault: unknown) => [String(fault)]);
  writeFileSync(inWorkspace('functions.log'), lines.map((line) => `${line.trimEnd()}\n`).join(''));
};

const linesOf = async (emulator: Emulator, logGroupName: string) => {
  const found = await ask(emulator, 'FilterLogEvents', { logGroupName, limit: 10_000 });
  // An update may have deleted the group meanwhile.
  return list(at(found, 'events') ?? []).map((event) => text(at(event, 'message')));
};

/** CloudWatch Logs by its wire protocol, because nothing else needs its client. The emulator checks no signature. */
const ask = async ({ endpoint }: Emulator, action: string, body: object): Promise<unknown> => {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': `Logs_20140328.${action}`,
      Authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/logs/aws4_request, SignedHeaders=host, Signature=none`,
    },
    body: JSON.stringify(body),
  });
  return answer.json();
};
