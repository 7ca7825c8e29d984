import type { ApiRequest } from './proxy-event.ts';
import type { ApiResponse } from './proxy-response.ts';

/** The request line and the values of all headers together, as API Gateway counts them. */
const limitBytes = 10_240;

/** Whether API Gateway's front would refuse the request before it looks for an API. */
export const areHeadersTooLarge = ({ method, target, rawHeaders }: ApiRequest): boolean => {
  const requestLine = `${method} ${target} HTTP/1.1`;
  // Names and values stand in turn; Node has read both as one character a byte.
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  return values.reduce((size, value) => size + value.length, requestLine.length) > limitBytes;
};

/** 431 in the shape of an API's answer to bad requests: each member that it has says what this one is about (ERR-5). */
export const headersTooLarge = (badRequest: ApiResponse): ApiResponse => {
  const members = Object.entries(JSON.parse(badRequest.body.toString()) as Record<string, unknown>);
  const body = members.map(([name, value]) => [
    name,
    name === 'type' ? typeBeside(String(value)) : (facts[name] ?? value),
  ]);
  return { ...badRequest, status: 431, body: Buffer.from(JSON.stringify(Object.fromEntries(body))) };
};

/** The type with the paragraph that explains this one. */
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
