import {
  EventBridgeClient,
  ListApiDestinationsCommand,
  ListConnectionsCommand,
} from '@aws-sdk/client-eventbridge';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { type EventStage, startEventStage } from '../support/event-stage.ts';

jest.setTimeout(180_000);

/** Tests that run at the same time do not wait for `beforeAll`: the first one that asks starts the stage. */
let opened: Promise<EventStage> | undefined;
const open = () => {
  opened ??= startEventStage();
  return opened;
};
afterAll(async () => (await open()).stop(), 30_000);

const change = (program: Awaited<ReturnType<EventStage['partner']>>['program'], uuid: string, name: string) =>
  program.write('PATCH', `/api/v2/transaction/${uuid}`, { customer: { firstName: name } });

/** Names of what the bus has for one partner. */
const partsFor = async ({ stage }: EventStage, clientId: string) => {
  const client = new EventBridgeClient({
    endpoint: stage().stack.operator.endpoints.eventbridge,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { Connections = [] } = await client.send(new ListConnectionsCommand({}));
  const { ApiDestinations = [] } = await client.send(new ListApiDestinationsCommand({}));
  client.destroy();
  return [...Connections, ...ApiDestinations].filter(({ Name = '' }) => Name.endsWith(clientId)).length;
};

describe('partner webhooks', () => {
  test.concurrent('set-webhook moves messages to another address', async () => {
    const { aCase, operate, receiver, whenTold, toldTo } = await open();
    const { uuid, program } = await aCase('moving');

    await operate('partner', 'set-webhook', 'moving', '--url', `${receiver.url}/moved`);
    await change(program, uuid, 'Bea');

    expect(await whenTold('moved', 1)).toHaveLength(1);
    expect(toldTo('moving')).toEqual([]);
    expect(await operate('partner', 'show', 'moving')).toMatchObject({
      webhookUrl: `${receiver.url}/moved`,
      webhookDifferences: [],
    });
  });

  test.concurrent('remove-webhook and delete leave nothing at the bus, V2-6 tells the partner', async () => {
    const world = await open();
    const { aCase, operate } = world;
    const { clientId, program } = await aCase('leaving');
    const stateOf = async () => (await program.get('/api/v2/partner')).json().webhook;

    const before = [await partsFor(world, clientId), await stateOf()];
    await operate('partner', 'remove-webhook', 'leaving', '--yes');
    const after = [await partsFor(world, clientId), await stateOf()];
    await operate('partner', 'delete', 'leaving', '--yes');

    expect(before).toEqual([2, expect.objectContaining({ state: 'active' })]);
    expect(after).toEqual([0, expect.objectContaining({ state: 'none' })]);
  });

  test.concurrent('S-54 what was on the bus is recalled: what is revoked never arrives, the rest does', async () => {
    const { aCase, operate, receiver, whenAsked, whenTold, whenStates } = await open();
    const kept = await aCase('keeping');
    const other = await aCase('other');
    await operate('partner', 'grant', 'keeping', '--grant', `group=${other.group}`);
    const later = { status: 503, headers: { 'Retry-After': '3600' } };
    receiver.answers('keeping', (nth) => (nth <= 2 ? later : 204));
    await change(other.program, other.uuid, 'Cy');
    await whenAsked('keeping', 1);
    await change(kept.program, kept.uuid, 'Bea');
    await whenAsked('keeping', 2);

    const answer = await operate(
      ...['partner', 'revoke-grant', 'keeping', '--grant', `group=${other.group}`, '--recall'],
    );
    const told = await whenTold('keeping', 1);
    await whenStates(kept.clientId, 'DELIVERED', 'SUPPRESSED');

    expect(answer).toMatchObject({ recall: { recalled: 2, events: 2, isPaused: false } });
    expect(told.map(({ message }) => message.detail.uuid)).toEqual([kept.uuid]);
    expect(await operate('partner', 'show', 'keeping')).toMatchObject({ webhookDifferences: [] });
  });
});
