import { describe, expect, test } from '@jest/globals';
import { gatewayResponse } from '../../../../localstack/apigateway/gateway-response.ts';
import type { ApiRequest } from '../../../../localstack/apigateway/proxy-event.ts';

const request: ApiRequest = {
  id: 'request-1',
  method: 'GET',
  target: '/nope?a=1',
  rawHeaders: [],
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  receivedAt: new Date(0),
};

describe('what API Gateway answers by itself (ERR-5)', () => {
  test("take the template's status, body and headers, with the request's own values in them", () => {
    const declared = [
      {
        api: 'Api',
        type: 'MISSING_AUTHENTICATION_TOKEN',
        status: 404,
        body: {
          contentType: 'application/json',
          template:
            '{"path":"$context.path","said":$context.error.messageString,"requestId":"$context.requestId"}',
        },
        headers: {
          'gatewayresponse.header.Request-Id': 'context.requestId',
          'gatewayresponse.header.Content-Type': "'application/problem+json'",
        },
      },
    ];

    const answer = gatewayResponse(declared, 'MISSING_AUTHENTICATION_TOKEN', request);

    expect(answer.status).toBe(404);
    expect(answer.headers).toEqual([
      ['Content-Type', ['application/problem+json']],
      ['Request-Id', ['request-1']],
    ]);
    expect(JSON.parse(answer.body.toString())).toEqual({
      path: '/nope',
      said: 'Missing Authentication Token',
      requestId: 'request-1',
    });
  });

  test('fall back on the response for all of 5xx, then on what API Gateway says', () => {
    const general = [{ api: 'Api', type: 'DEFAULT_5XX', status: 500, headers: {} }];

    expect(gatewayResponse(general, 'INTEGRATION_TIMEOUT', request).status).toBe(500);
    expect(gatewayResponse([], 'INTEGRATION_TIMEOUT', request)).toEqual({
      status: 504,
      headers: [['Content-Type', ['application/json']]],
      body: Buffer.from('{"message":"Endpoint request timed out"}'),
    });
  });
});
