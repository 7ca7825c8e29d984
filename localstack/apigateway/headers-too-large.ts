import type { ApiRequest } from './proxy-event.ts';
import type { ApiResponse } from './proxy-response.ts';

/** API Gateway's limit for the request line and the values of all headers together. */
const limitBytes = 10_240;

/** Whether API Gateway would refuse the request before it chooses an API. */
export const areHeadersTooLarge = ({ method, target, rawHeaders }: ApiRequest): boolean => {
  const requestLine = `${method} ${target} HTTP/1.1`;
  // Names and values alternate, and Node reads them as one character a byte.
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  return values.reduce((size, value) => size + value.length, requestLine.length) > limitBytes;
};

/** The 431 in the shape of the API's answer to a bad request, with the values of its members replaced (ERR-5). */
export const headersTooLarge = (badRequest: ApiResponse): ApiResponse => {
  const members = Object.entries(JSON.parse(badRequest.body.toString()) as Record<string, unknown>);
  const body = members.map(([name, value]) => [
    name,
    name === 'type' ? typeBeside(String(value)) : (facts[name] ?? value),
  ]);
  return { ...badRequest, status: 431, body: Buffer.from(JSON.stringify(Object.fromEntries(body))) };
};

const typeBeside = (type: string) => type.replace(/#.*/, '#headers-too-large');

const title = 'Request Header Fields Too Large';
const detail = 'The address and the headers are larger than 10,240 bytes together.';

const facts: Record<string, string | number | undefined> = {
  title,
  status: 431,
  detail,
  name: title,
  message: detail,
  error_description: detail,
};
