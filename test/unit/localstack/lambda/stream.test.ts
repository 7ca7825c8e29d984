import { describe, expect, test } from '@jest/globals';
import { toLambdaRecord } from '../../../../localstack/lambda/stream.ts';

describe('a record of a stream', () => {
  test('has the shape that Lambda gives it: seconds, Base64, our region and the stream it is from', () => {
    const facts = { eventID: '7', eventName: 'MODIFY' as const, eventSource: 'aws:dynamodb' };
    const Keys = { uuid: { S: 'u-1' } };
    const image = (one: unknown, other: unknown) => ({
      ...{ bytes: { B: one }, more: { BS: [other] }, names: { SS: ['a'] } },
      nested: { M: { list: { L: [{ B: one }, { N: '3' }, { NULL: true }, { BOOL: false }] } } },
    });
    const at = new Date('2026-11-21T13:00:07.900Z');
    const NewImage = image(Uint8Array.of(1, 2, 3), Uint8Array.of(255)) as never;
    const record = toLambdaRecord(
      {
        ...{ ...facts, awsRegion: 'elsewhere' },
        dynamodb: { ApproximateCreationDateTime: at, Keys, NewImage, SequenceNumber: '7' },
      },
      'arn:stream',
    );

    expect(JSON.parse(JSON.stringify(record))).toEqual({
      ...{ ...facts, awsRegion: 'eu-west-2', eventSourceARN: 'arn:stream' },
      dynamodb: {
        ApproximateCreationDateTime: 1_795_266_007,
        Keys,
        NewImage: image('AQID', '/w=='),
        SequenceNumber: '7',
      },
    });
  });

  test('names the service where DynamoDB itself removed the item', () => {
    const { userIdentity } = toLambdaRecord(
      { eventName: 'REMOVE', userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' } },
      'arn:stream',
    );

    expect(userIdentity).toEqual({ type: 'Service', principalId: 'dynamodb.amazonaws.com' });
  });
});
