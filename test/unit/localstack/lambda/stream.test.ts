import { describe, expect, test } from '@jest/globals';
import { toLambdaRecord } from '../../../../localstack/lambda/stream.ts';

describe('a record of a stream', () => {
  test('has the shape that Lambda gives it: seconds, Base64, our region and the stream it is from', () => {
    const record = toLambdaRecord(
      {
        eventID: '7',
        eventName: 'MODIFY',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'elsewhere',
        dynamodb: {
          ApproximateCreationDateTime: new Date('2026-11-21T13:00:07.900Z'),
          Keys: { uuid: { S: 'u-1' } },
          NewImage: {
            uuid: { S: 'u-1' },
            bytes: { B: Uint8Array.of(1, 2, 3) },
            more: { BS: [Uint8Array.of(255)] },
            nested: {
              M: { list: { L: [{ B: Uint8Array.of(0) }, { N: '3' }, { NULL: true }, { BOOL: false }] } },
            },
            names: { SS: ['a'] },
          },
          SequenceNumber: '7',
          SizeBytes: 41,
          StreamViewType: 'NEW_AND_OLD_IMAGES',
        },
      },
      'arn:stream',
    );

    expect(JSON.parse(JSON.stringify(record))).toEqual({
      eventID: '7',
      eventName: 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-west-2',
      eventSourceARN: 'arn:stream',
      dynamodb: {
        ApproximateCreationDateTime: 1_795_266_007,
        Keys: { uuid: { S: 'u-1' } },
        NewImage: {
          uuid: { S: 'u-1' },
          bytes: { B: 'AQID' },
          more: { BS: ['/w=='] },
          nested: { M: { list: { L: [{ B: 'AA==' }, { N: '3' }, { NULL: true }, { BOOL: false }] } } },
          names: { SS: ['a'] },
        },
        SequenceNumber: '7',
        SizeBytes: 41,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
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
