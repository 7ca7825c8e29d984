import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../bin/operator/connect.ts';
import type { StageResources } from '../../../bin/operator/stage.ts';

const hourMs = 3_600_000;

/** Empty tables, whose clock is an hour ahead of this machine's. */
const server = createServer((_request, response) => {
  response.setHeader('Date', new Date(Date.now() + hourMs).toUTCString());
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  response.end('{}');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const stageAt = (dynamodb: string): StageResources => ({
  name: 'local',
  endpoints: { dynamodb, secretsmanager: dynamodb, sqs: dynamodb },
  tables: { transactions: 'T', listing: 'L', partners: 'P', debounce: 'D', requests: 'R', audit: 'A' },
  keySecrets: { access: 'A', session: 'S', pepper: 'P' },
  deadLetterQueueArn: 'arn:aws:sqs:eu-west-2:0:Q',
  endpointsQueueUrl: `${dynamodb}/E`,
  functions: [],
  dormancyMs: 1,
});

test.each([
  [
    'RUN-12 by the clock of a local stage, which was moved on by hand',
    { clockAheadMs: 744 * hourMs },
    [744, 745],
  ],
  ['TOK-6 by the clock of the service that it has asked, not by the one of its machine', {}, [0, 1]],
])('%s, the tool’s time', async (_, more, expected) => {
  const { port } = server.address() as AddressInfo;
  const deps = connect({ ...stageAt(`http://127.0.0.1:${port}`), ...more });
  const hoursAhead = () => Math.round((deps.now().getTime() - Date.now()) / hourMs);

  const before = hoursAhead();
  await deps.partners.byName('acme');

  expect([before, hoursAhead()]).toEqual(expected);
});
