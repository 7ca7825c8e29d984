import type { _Record as SdkRecord, AttributeValue as SdkValue } from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { region } from '../aws/names.ts';
/** A stream's record as Lambda hands it to a function: JSON, so that times are seconds and bytes are Base64. */
export const toLambdaRecord = (record: SdkRecord, streamArn: string): DynamoDBRecord => {
  const { dynamodb, userIdentity, eventID, eventName, eventVersion } = record;
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime, ...others } = dynamodb ?? {};
  const images = Object.entries({ Keys, NewImage, OldImage })
    .filter(([, image]) => image !== undefined)
    .map(([name, image]) => [name, plainImage(image ?? {})]);
  return {
    eventID,
    eventName,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ...others,
      ApproximateCreationDateTime: Math.floor((ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
      ...Object.fromEntries(images),
    },
    ...(userIdentity && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
    eventSourceARN: streamArn,
  };
};

const plainImage = (image: Record<string, SdkValue>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainValue(value)]));

const plainValue = (value: SdkValue): AttributeValue => {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(plainValue) };
  if (value.M) return { M: plainImage(value.M) };
  return value as AttributeValue;
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
