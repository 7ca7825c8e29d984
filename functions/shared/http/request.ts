import type { APIGatewayProxyEvent } from 'aws-lambda';

/** What our functions use of a REST proxy event. Header names may have any case. */
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

/** Every value of a header, in order; `[]` when the request has none. */
export const headerValues = (
  { multiValueHeaders }: Pick<HttpEvent, 'multiValueHeaders'>,
  name: string,
): string[] =>
  Object.entries(multiValueHeaders ?? {})
    .filter(([written]) => written.toLowerCase() === name.toLowerCase())
    .flatMap(([, values = []]) => values);

/** A segment of a path as the caller meant it; one that is badly encoded stands for itself. */
export const decodedSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
