import { describe, expect, test } from '@jest/globals';
import { readDeadLetter } from '../../../../functions/collect-dead-letters/dead-letter.ts';
import { aDeadLetter, busEventText } from '../../../support/builders/dead-letters.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';

const faultOf = (said: Parameters<typeof aDeadLetter>[0]) => {
  const read = readDeadLetter(aDeadLetter(said));
  if (!read.ok) throw new Error(read.reason);
  return read.value.fault;
};

describe('a dead letter', () => {
  test('names its delivery and the error code of the bus', () => {
    const body = busEventText({ eventId: 'event-7', clientId: 'P2', busEventId: 'bus-9' });

    const read = readDeadLetter(aDeadLetter({ body, code: 'SDK_CLIENT_ERROR', message: 'status 404' }));

    expect(read).toEqual({
      ok: true,
      value: {
        ...{ clientId: 'P2', uuid: uuidOf(1), type: 'TransactionUpdated', eventId: 'event-7' },
        ...{ from: 0, to: 1, tries: 2 },
        busEventId: 'bus-9',
        fault: { code: 'SDK_CLIENT_ERROR', status: 404, kind: 'answered', isExhausted: false },
      },
    });
  });

  test.each([
    ['Unable to invoke ApiDestination endpoint: Request failed because status 422 was returned', 422],
    ['HTTP status code: 503', 503],
    ['returned a status code 410', 410],
  ])('"%s" is a status', (message, status) => {
    expect(faultOf({ code: 'SDK_CLIENT_ERROR', message })).toMatchObject({ status, kind: 'answered' });
  });

  test.each([
    [
      'SDK_CLIENT_ERROR',
      'Unable to invoke ApiDestination endpoint: API destination endpoint cannot be reached.',
    ],
    ['CONNECTION_FAILURE', 'Could not resolve the host'],
  ])('%s "%s" is an unreachable address', (code, message) => {
    expect(faultOf({ code, message })).toMatchObject({ kind: 'unreachable' });
  });

  test.each([
    ['SDK_CLIENT_ERROR', 'Timeout calling endpoint for API Destination: socket closed.'],
    ['TIMEOUT', ''],
  ])('%s "%s" is a timeout', (code, message) => {
    expect(faultOf({ code, message })).toMatchObject({ kind: 'timed-out' });
  });

  test('shows whether the bus has used all its time', () => {
    expect(faultOf({ code: 'X', condition: 'MaximumRetryAttempts' }).isExhausted).toBe(true);
    expect(faultOf({ code: 'X' }).isExhausted).toBe(false);
  });

  test.each([undefined, '', 'Canary <script>', 'lower'])('code %j is stored as UNKNOWN', (code) => {
    expect(faultOf(code === undefined ? {} : { code }).code).toBe('UNKNOWN');
  });

  test('S-57 stores neither the message nor the text of the error', () => {
    const read = readDeadLetter(
      aDeadLetter({ code: 'SDK_CLIENT_ERROR', message: 'Canary status 404 Canary' }),
    );

    expect(JSON.stringify(read)).not.toContain('Canary');
  });

  test.each([
    '',
    'not JSON',
    'null',
    '[]',
    '{}',
    ...[
      ['"id":"bus-1"', '"id":1'],
      ['"detail-type":"TransactionUpdated",', ''],
      ['"to":"P1"', '"to":""'],
      ['"id":"event-1"', '"id":""'],
      ['"from":"0"', '"from":"x"'],
      ['"tries":"2"', '"tries":"x"'],
    ].map(([good = '', bad = '']) => busEventText().replace(good, bad)),
  ])('%j is unreadable', (body) => {
    expect(readDeadLetter(aDeadLetter({ body }))).toEqual({ ok: false, reason: 'unreadable' });
  });
});
