import { expect, test } from '@jest/globals';
import { gatewayResponse } from '../../../../localstack/apigateway/gateway-response.ts';

test('ERR-5 without a response of its type the gateway takes that of all 5xx, and then its own', () => {
  const request = {
    ...{ id: 'request-1', method: 'GET', target: '/', rawHeaders: [], body: Buffer.alloc(0) },
    ...{ sourceIp: '127.0.0.1', receivedAt: new Date(0) },
  };
  const general = [{ api: 'Api', type: 'DEFAULT_5XX', status: 500, headers: {} }];

  expect(gatewayResponse(general, 'INTEGRATION_TIMEOUT', request).status).toBe(500);
  expect(gatewayResponse([], 'INTEGRATION_TIMEOUT', request)).toEqual({
    status: 504,
    headers: [['Content-Type', ['application/json']]],
    body: Buffer.from('{"message":"Endpoint request timed out"}'),
  });
});
