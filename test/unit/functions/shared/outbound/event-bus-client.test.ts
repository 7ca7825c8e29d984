import type {
  EventBridgeClient,
  PutEventsCommandOutput,
  PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from '@jest/globals';
import type { BusEntry } from '../../../../../functions/shared/outbound/event-bus.ts';
import { createEventBus } from '../../../../../functions/shared/outbound/event-bus-client.ts';

type Answer = Partial<PutEventsCommandOutput> | Error;

/** A client that answers PutEvents with the given answers in order, and DescribeEventBus from `descriptions`. */
const aClient = ({ answers = [], descriptions = [] }: { answers?: Answer[]; descriptions?: Error[] }) => {
  const sent: PutEventsRequestEntry[][] = [];
  const asked: string[] = [];
  const send = async ({ input }: { input: { Name?: string; Entries?: PutEventsRequestEntry[] } }) => {
    asked.push(input.Entries ? 'PutEvents' : `DescribeEventBus ${input.Name}`);
    if (input.Entries) sent.push(input.Entries);
    const answer = input.Entries ? answers.shift() : descriptions.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? {};
  };
  return { sent, asked, client: { send } as unknown as Pick<EventBridgeClient, 'send'> };
};

const aBusOver = (told: Parameters<typeof aClient>[0]) => {
  const logged: unknown[] = [];
  const { sent, asked, client } = aClient(told);
  const bus = createEventBus(client, {
    busName: 'transactions-staging',
    source: 'svc.staging.online-payments',
    stage: 'staging',
    log: (name, facts, fault) => logged.push([name, facts, (fault as Error).name]),
  });
  return { bus, sent, asked, logged };
};

const anEntry = (clientId = 'P1'): BusEntry => ({
  clientId,
  eventId: 'event-1',
  type: 'TransactionUpdated',
  from: 3,
  to: 5,
  omitted: ['vehicle', 'extras'],
  tries: 2,
  message: '{"id":"event-1","detail":{"customer":"Zoë"}}',
});

const withCode = (ErrorCode: string) => ({ ErrorCode });
const namedError = (name: string) => Object.assign(new Error('what it said'), { name });

describe('the bus over EventBridge', () => {
  test('I10 an entry has the source of the stage, its type, and no time', async () => {
    const { bus, sent } = aBusOver({ answers: [{ Entries: [{ EventId: 'b1' }] }] });

    await bus.put([anEntry()]);

    expect(sent).toEqual([
      [
        {
          EventBusName: 'transactions-staging',
          Source: 'svc.staging.online-payments',
          DetailType: 'TransactionUpdated',
          Detail:
            '{"to":"P1","message":{"id":"event-1","detail":{"customer":"Zoë"}},' +
            '"delivery":{"id":"event-1","from":"3","to":"5","omitted":"vehicle,extras","tries":"2"}}',
        },
      ],
    ]);
  });

  test('EV-18 reads the answer of every entry', async () => {
    const { bus } = aBusOver({
      answers: [
        {
          Entries: [
            { EventId: 'b1' },
            ...['ThrottlingException', 'InternalFailure', 'InternalException'].map(withCode),
            ...['MalformedDetail', 'AccessDeniedException', 'InvalidArgument'].map(withCode),
            { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'bad' },
          ],
        },
      ],
    });

    const answers = await bus.put(Array.from({ length: 9 }, (_, index) => anEntry(`P${index}`)));

    expect(answers).toEqual([
      { outcome: 'accepted', busEventId: 'b1' },
      { outcome: 'unconfirmed' },
      { outcome: 'unconfirmed' },
      { outcome: 'unconfirmed' },
      { outcome: 'refused', code: 'MalformedDetail' },
      { outcome: 'refused', code: 'AccessDeniedException' },
      { outcome: 'refused', code: 'InvalidArgument' },
      { outcome: 'refused', code: 'NotAuthorizedForSourceException' },
      // An entry without an answer.
      { outcome: 'unconfirmed' },
    ]);
  });

  test('S-57 a request that fails leaves everything unconfirmed, and is logged by its name alone', async () => {
    const { bus, logged } = aBusOver({ answers: [namedError('TimeoutError')] });

    expect(await bus.put([anEntry('P1'), anEntry('P2')])).toEqual([
      { outcome: 'unconfirmed' },
      { outcome: 'unconfirmed' },
    ]);
    expect(logged).toEqual([['busUnavailable', {}, 'TimeoutError']]);
  });

  test('checks once that the bus exists, because PutEvents to a missing one is 200 and drops events', async () => {
    const { bus, asked } = aBusOver({});

    await bus.put([anEntry()]);
    await bus.put([anEntry()]);

    expect(asked).toEqual(['DescribeEventBus transactions-staging', 'PutEvents', 'PutEvents']);
  });

  test('sends nothing to a missing bus, and checks again the next time', async () => {
    const { bus, asked } = aBusOver({
      descriptions: [namedError('ResourceNotFoundException')],
      answers: [{ Entries: [{ EventId: 'b1' }] }],
    });

    expect(await bus.put([anEntry()])).toEqual([{ outcome: 'unconfirmed' }]);
    expect(await bus.put([anEntry()])).toEqual([{ outcome: 'accepted', busEventId: 'b1' }]);
    expect(asked).toEqual([
      'DescribeEventBus transactions-staging',
      'DescribeEventBus transactions-staging',
      'PutEvents',
    ]);
  });

  test.each([
    ['ValidationException', 400],
    ['SerializationException', 400],
    ['RequestEntityTooLargeException', 413],
  ])(
    'EV-18 %s (%s) for several entries means that one of them is invalid, for one entry that it is',
    async (name, status) => {
      const refusal = () => Object.assign(namedError(name), { $metadata: { httpStatusCode: status } });
      const { bus, logged } = aBusOver({ answers: [refusal(), refusal()] });

      expect(await bus.put([anEntry('P1'), anEntry('P2')])).toEqual([
        { outcome: 'refused-together', code: name },
        { outcome: 'refused-together', code: name },
      ]);
      expect(await bus.put([anEntry('P1')])).toEqual([{ outcome: 'refused', code: name }]);
      expect(logged).toEqual([
        ['entriesRefused', { entries: 2 }, name],
        ['entriesRefused', { entries: 1 }, name],
      ]);
    },
  );

  test.each([
    ['ThrottlingException', 400],
    ['TooManyRequestsException', 429],
    ['AccessDeniedException', 400],
    ['ExpiredTokenException', 400],
    ['UnrecognizedClientException', 400],
    ['InvalidSignatureException', 400],
    ['IncompleteSignature', 400],
    ['RequestExpired', 400],
    ['InternalException', 500],
    ['ServiceUnavailable', 503],
    ['TimeoutError', undefined],
  ])('EV-18 %s (%s) is not caused by an entry', async (name, httpStatusCode) => {
    const { bus } = aBusOver({
      answers: [Object.assign(namedError(name), { $metadata: { httpStatusCode } })],
    });

    expect(await bus.put([anEntry()])).toEqual([{ outcome: 'unconfirmed' }]);
  });

  test('EV-18 a refusal to describe the bus is not caused by an entry', async () => {
    const refusal = Object.assign(namedError('ValidationException'), { $metadata: { httpStatusCode: 400 } });
    const { bus } = aBusOver({ descriptions: [refusal] });

    expect(await bus.put([anEntry()])).toEqual([{ outcome: 'unconfirmed' }]);
  });

  test('STO-3 both requests end when the time for sending is over', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const send = async (_: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
      signals.push(abortSignal);
      return {};
    };
    const place = { busName: 'b', source: 'svc.local.online-payments', stage: 'local', log: () => {} };

    await createEventBus({ send } as unknown as Pick<EventBridgeClient, 'send'>, place).put([anEntry()]);

    expect(signals).toEqual([expect.any(AbortSignal), signals[0]]);
  });

  test.each([
    ['svc.production.online-payments', 'staging'],
    ['svc.staging.online-payments', 'production'],
    ['svc.staging.online-payments ', 'staging'],
    ['', 'local'],
  ])('EV-8 TH-18 source "%s" is refused in stage %s', (source, stage) => {
    const { client } = aClient({});

    expect(() => createEventBus(client, { busName: 'b', source, stage, log: () => {} })).toThrow(
      `EVENT_SOURCE is ${source}, which is not the source of stage ${stage}`,
    );
  });
});
