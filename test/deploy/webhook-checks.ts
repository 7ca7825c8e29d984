import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { createPartnerEndpoints } from '../../functions/shared/outbound/endpoint/endpoints.ts';
import { at } from '../journeys/answers.ts';
import { programOf } from '../journeys/clients.ts';
import { grantedUuids } from '../journeys/imported-transactions.ts';
import type { World } from '../journeys/world.ts';
import { type Emulator, region } from './account.ts';
import type { Outputs } from './cdk.ts';
import { outputNamed } from './deployed.ts';
import { type EventPlace, until } from './event-place.ts';
import type { Invoke } from './functions.ts';
import type { Report } from './report.ts';

const signature = 'a-signature-that-only-this-run-knows';
const [, , , , , , , , ninth = '', tenth = ''] = grantedUuids;

type Proofs = { place: EventPlace; invoke: Invoke; world: World };

/**
 * A webhook arrives at this machine. The partner's endpoint is made by the code that the
 * operator's tool has.
 */
export const proveWebhooks =
  ({ endpoint }: Emulator, outputs: Outputs) =>
  async (report: Report, { place, invoke, world }: Proofs): Promise<void> => {
    const receiver = await startReceiver();
    const { clientId } = world.partner;
    const endpoints = createPartnerEndpoints({
      client: new EventBridgeClient({
        endpoint,
        region,
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      }),
      settings: {
        stage: 'staging',
        busName: outputNamed(outputs, 'EventBusName'),
        deliveryRoleArn: outputNamed(outputs, 'DeliveryRoleArn'),
        deadLetterQueueArn: outputNamed(outputs, 'DeadLetterQueueArn'),
      },
      wait: pause,
    });

    /** A change of a transaction that has rested since. */
    const changeLongAgo = async (uuid: string) => {
      const extras = [{ name: 'mats' }];
      const answer = await programOf(world).write('PATCH', `/api/v2/transaction/${uuid}`, { extras });
      assert.equal(answer.status, 200, answer.text);
      await place.whenScheduled(uuid);
      await place.setChangedAt(uuid, Date.now() - 130_000);
    };

    await report.prove(
      'interface 6 a change is POSTed to the partner, signed, as the message alone',
      async () => {
        await endpoints.ensure(
          {
            clientId,
            name: 'harbour',
            enabled: true,
            oauthScopes: [],
            grants: [],
            showsPaymentTokens: false,
            webhookUrl: receiver.url,
            createdAtMs: 0,
          },
          { signature },
        );
        await place.giveWebhook(clientId);
        await changeLongAgo(ninth);
        await invoke('publish-dormant', { Records: [] });
        const posted = await receiver.whenPosted(ninth);

        assert.equal(posted?.headers['x-webhook-signature'], signature);
        assert.equal(at(posted?.body, 'detail-type'), 'TransactionUpdated');
      },
    );
    await report.prove(
      'interface 6.3 what is due is sent by the schedule: nobody calls a function by hand',
      async () => {
        await changeLongAgo(tenth);
        // The rule of each minute starts the ticks.
        const posted = await receiver.whenPosted(tenth, 90);

        assert.equal(at(posted?.body, 'detail-type'), 'TransactionUpdated');
      },
    );
    await endpoints.remove(clientId);
    receiver.close();
  };

type Posted = { headers: IncomingHttpHeaders; body: unknown };

const startReceiver = async () => {
  const posted: Posted[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    posted.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    whenPosted: (uuid: string, withinSeconds?: number) =>
      until(
        async () => posted.find(({ body }) => at(body, 'detail', 'uuid') === uuid),
        (found) => found !== undefined,
        withinSeconds,
      ),
    close: () => server.close(),
  };
};
