import { describe, expect, test } from '@jest/globals';
import { pollInTurn } from '../../../../functions/keep-endpoints/turn.ts';
import type { EndpointStatus } from '../../../../functions/shared/domain/endpoint.ts';
import type { EventBridge } from '../../../../functions/shared/outbound/endpoint/state.ts';
import type { EndpointRecord } from '../../../../functions/shared/store/partners/endpoints.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { createMemoryInspections } from '../../../support/memory/endpoint-world.ts';

const idOf = (number: number) => `P${String(number).padStart(4, '0')}`;
const reached: EndpointStatus = { state: 'off', sinceMs: 0, reached: { wanted: 'none' } };

/** What the bus says of a partner that has nothing. */
const missing = () => {
  throw Object.assign(new Error('missing'), { name: 'ResourceNotFoundException' });
};

/** A stage with this many partners without an address. All of it may change between turns. */
const aStage = (count: number) => {
  const stage = {
    ...{ count, nowMs: 0, takesMs: 0 },
    /** Those who still have a rule, whose connection is on its way, and whom the bus does not answer about. */
    ...{ open: new Set<string>(), busy: new Set<string>(), broken: new Set<string>() },
    list: (): object => ({ Connections: [] }),
    statuses: new Map<string, EndpointStatus>(),
  };
  const inspections = createMemoryInspections();
  const polled: string[] = [];
  const waits: number[] = [];
  const logged: unknown[] = [];
  const asked: string[] = [];
  const send = async (command: { constructor: { name: string }; input: { Name?: string } }) => {
    const { name } = command.constructor;
    const clientId = command.input.Name?.replace('transactions-local-', '') ?? '';
    if (name === 'ListConnectionsCommand') return stage.list();
    if (name === 'DescribeRuleCommand') return stage.open.has(clientId) ? {} : missing();
    if (name !== 'DescribeConnectionCommand') return missing();
    polled.push(clientId);
    stage.nowMs += stage.takesMs;
    if (stage.broken.has(clientId)) throw new Error('no bus');
    return stage.busy.has(clientId) ? { ConnectionState: 'DELETING' } : missing();
  };
  const recordOf = (clientId: string): [string, EndpointRecord] => {
    const status = stage.statuses.get(clientId) ?? reached;
    return [clientId, { partner: aPartner({ clientId }), status, isStopped: false }];
  };
  const run = () => {
    polled.length = 0;
    asked.length = 0;
    return pollInTurn({
      endpoints: {
        // In the order of names, which is another.
        clientIds: async () => Array.from({ length: stage.count }, (_, index) => idOf(stage.count - index)),
        readMany: async (clientIds) =>
          new Map(clientIds.filter((clientId) => clientId <= idOf(stage.count)).map(recordOf)),
      },
      bus: {
        client: { send } as unknown as EventBridge,
        settings: {
          stage: 'local',
          busName: 'transactions-local',
          deliveryRoleArn: 'role',
          deadLetterQueueArn: 'queue',
        },
      },
      requests: { send: async (messages) => void asked.push(...messages.map(({ clientId }) => clientId)) },
      effectMs: 60_000,
      inspections,
      wait: async (ms) => void waits.push(ms),
      clock: () => new Date(stage.nowMs),
      log: (name, facts) => logged.push([name, facts]),
    });
  };
  return { stage, run, polled, waits, logged, asked };
};

const runsEachMinutes = 10;

describe('polling endpoints in turn', () => {
  test.each([
    // Four requests a partner, a partner each 200 ms, and each is polled again after this many minutes.
    [10, { questions: 40, seconds: 2, oldestMinutes: 10 }],
    [300, { questions: 800, seconds: 40, oldestMinutes: 20 }],
    [1_000, { questions: 800, seconds: 40, oldestMinutes: 50 }],
  ])('EV-21 %s partners: how many are read, for how long, and when again: %j', async (count, expected) => {
    const { run, polled, waits } = aStage(count);
    const lastRunOf = new Map<string, number>();
    let oldest = 0;
    let most = 0;

    for (let number = 1; number <= 30; number += 1) {
      await run();
      most = Math.max(most, polled.length);
      for (const clientId of polled) {
        oldest = Math.max(oldest, number - (lastRunOf.get(clientId) ?? number));
        lastRunOf.set(clientId, number);
      }
    }

    expect(lastRunOf.size).toBe(count);
    expect({
      questions: 4 * most,
      seconds: (most * (waits[0] ?? 0)) / 1000,
      oldestMinutes: oldest * runsEachMinutes,
    }).toEqual(expected);
  });

  test('EV-21 continues where the poll before ended, and from the beginning after the end', async () => {
    const { run, polled } = aStage(450);

    const firsts: (string | undefined)[] = [];
    for (let number = 1; number <= 4; number += 1) {
      expect(await run()).toMatchObject({ partners: 200 });
      firsts.push(polled[0]);
    }

    expect(firsts).toEqual(['P0001', 'P0201', 'P0401', 'P0151']);
  });

  test('EV-21 skips nobody when a partner is removed in between', async () => {
    const { stage, run, polled } = aStage(450);
    await run();
    await run();
    stage.count = 350;

    await run();

    expect([polled[0], polled.length]).toEqual(['P0001', 200]);
  });

  test('D-09 EV-21 requests work for those that need it, and reads them at each poll until it is done', async () => {
    const { stage, run, polled, logged, asked } = aStage(450);
    stage.open.add('P0007');

    const first = { ...(await run()), asked: [...asked] };
    const second = { ...(await run()), asked: [...asked] };
    stage.open.clear();
    const third = { ...(await run()), asked: [...asked] };

    expect([first, second, third]).toEqual([
      { partners: 200, differing: 0, asked: ['P0007'] },
      { partners: 200, differing: 1, asked: ['P0007'] },
      { partners: 200, differing: 0, asked: [] },
    ]);
    expect(logged).toEqual(Array(2).fill(['endpointSeen', { clientId: 'P0007', reason: 'remove' }]));
    expect(polled.at(-1)).toBe('P0007');
  });

  test.each(['rules-quota', 'CONNECTION_NOT_AUTHORIZED'])(
    'EV-22 a partner that could not be repaired because of %s counts until it is',
    async (reason) => {
      const { stage, run, asked, logged } = aStage(3);
      stage.statuses.set('P0002', { ...reached, reason });
      await run();

      const second = await run();

      expect(second.differing).toBe(1);
      expect(asked).toEqual(['P0002']);
      expect(logged).toContainEqual(['endpointSeen', { clientId: 'P0002', reason }]);
    },
  );

  test('a connection that is pending for long counts, and requests nothing', async () => {
    const { stage, run, asked } = aStage(3);
    stage.busy.add('P0002');
    await run();

    const second = await run();

    expect([second.differing, asked]).toEqual([1, []]);
  });

  test('EV-21 where all differ, fifty are read again, and the others in their turn', async () => {
    const { stage, run, polled } = aStage(450);
    for (let number = 1; number <= 450; number += 1) stage.open.add(idOf(number));

    const counts = [await run(), await run(), await run()];

    expect(counts.map(({ differing }) => differing)).toEqual([0, 200, 350]);
    expect([polled[0], polled[150], polled[199]]).toEqual(['P0351', 'P0001', 'P0050']);
  });

  test('EV-21 a partner that cannot be read is a fault of the poll, and does not delay the others', async () => {
    const { stage, run, polled } = aStage(450);
    stage.open.add('P0100');
    await run();
    stage.broken.add('P0100');

    const second = await run();
    const secondPolled = [polled[0], polled.length];
    await run();

    expect(second).toEqual({ partners: 200, differing: 1, fault: new Error('no bus') });
    expect([secondPolled, polled[0]]).toEqual([['P0201', 200], 'P0400']);
  });

  test('EV-21 whom only the bus knows is polled in turn, from all pages of its list, and nobody of another stage', async () => {
    const { stage, run, polled, asked } = aStage(2);
    const [gone, left] = ['QGONE', 'RLEFT'].map((word) => word.padEnd(26, '0'));
    const namesOfPages = [[left, 'audit', `b-${left}`], [], [gone]];
    stage.list = () => {
      const names = namesOfPages.shift() ?? [];
      const Connections = [
        { Name: 'foreign' },
        ...names.map((end) => ({ Name: `transactions-local-${end}` })),
      ];
      return { Connections, ...(namesOfPages.length > 0 && { NextToken: 'more' }) };
    };

    await run();

    expect(polled).toEqual(['P0001', 'P0002', gone, left]);
    expect(asked).toEqual([gone, left]);
  });

  test('EV-21 a list that the bus refuses is a fault of the poll, and does not delay the others', async () => {
    const { stage, run, polled } = aStage(2);
    stage.list = () => {
      throw new Error('no list');
    };

    expect(await run()).toEqual({ partners: 2, differing: 0, fault: new Error('no list') });
    expect(polled).toEqual(['P0001', 'P0002']);
  });

  test.each<[string, (stage: ReturnType<typeof aStage>['stage']) => unknown, number, string]>([
    [
      'after three faults',
      ({ broken }) => ['P0002', 'P0004', 'P0006'].map((one) => broken.add(one)),
      6,
      'P0007',
    ],
    ['over a slow bus after 90 seconds', (stage) => Object.assign(stage, { takesMs: 3_000 }), 30, 'P0031'],
  ])('EV-21 a run ends %s, and the next one goes on behind it', async (_, slow, polledAtFirst, next) => {
    const { stage, run, polled } = aStage(450);
    slow(stage);

    expect(await run()).toMatchObject({ partners: polledAtFirst });
    await run();

    expect(polled[0]).toBe(next);
  });
});
