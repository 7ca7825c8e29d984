import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The members of a REST proxy event that our functions use. Header names are case-insensitive. */
export type HttpEvent = Pick<
  APIGatewayProxyEvent,
  | 'httpMethod'
  | 'path'
  | 'resource'
  | 'multiValueHeaders'
  | 'multiValueQueryStringParameters'
  | 'pathParameters'
  | 'body'
  | 'isBase64Encoded'
  | 'requestContext'
>;

/** Every value of a header, in order. `[]` if the request has none. */
export const headerValues = (
  { multiValueHeaders }: Pick<HttpEvent, 'multiValueHeaders'>,
  name: string,
): string[] =>
  Object.entries(multiValueHeaders ?? {})
    .filter(([written]) => written.toLowerCase() === name.toLowerCase())
    .flatMap(([, values = []]) => values);

/** The bytes of a body, which the gateway may carry in base64 (O-50). */
export const bodyBytes = ({ body, isBase64Encoded }: Pick<HttpEvent, 'body' | 'isBase64Encoded'>): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

/** A decoded segment of a path. A malformed one stays as it is. */
export const decodedSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
