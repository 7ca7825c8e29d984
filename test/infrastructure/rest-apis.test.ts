import { describe, expect, test } from '@jest/globals';
import { configOf, stageNames } from '../../lib/config.ts';
import { readsOfData } from '../support/engine/data-outputs.ts';
import { apiOf, routesOf } from '../support/engine/routes.ts';
import { synthesise } from '../support/engine/synthesis.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

type GatewayResponse = {
  RestApiId: { Ref: string };
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters: Record<string, string>;
  ResponseTemplates: Record<string, Text>;
};

/** A text of a template, which CloudFormation may put together. */
type Text = string | { 'Fn::Join': ['', (string | { Ref: string })[]] };

const textOf = (text: Text = ''): string =>
  typeof text === 'string'
    ? text
    : text['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');

const newTls = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09', EndpointAccessMode: 'STRICT' };

describe.each(stageNames)('the REST APIs of stage %s', (stage) => {
  const { service, data } = templatesOf(stage);
  const responses = propertiesOf(service, 'AWS::ApiGateway::GatewayResponse') as GatewayResponse[];
  const responseOf = (api: string, type: string): GatewayResponse => {
    const found = responses.find(
      ({ RestApiId, ResponseType }) => apiOf(RestApiId) === api && ResponseType === type,
    );
    if (!found) throw new Error(`No gateway response ${type}`);
    return found;
  };

  test('DOC-2 have no binary media types, so that bodies reach functions as they were sent', () => {
    const apis = propertiesOf(service, 'AWS::ApiGateway::RestApi');

    expect(apis.map(({ BinaryMediaTypes }) => BinaryMediaTypes)).toEqual([undefined, undefined]);
  });

  test('S-73 M-11 have these routes, each of them to its function, and no others', () => {
    expect(routesOf(service)).toEqual([
      'token ANY /.well-known/oauth-authorization-server -> AWS_PROXY issue-token',
      'token ANY /oauth2/introspect -> AWS_PROXY issue-token',
      'token ANY /oauth2/jwks -> AWS_PROXY issue-token',
      'token ANY /oauth2/revoke -> AWS_PROXY issue-token',
      'token ANY /oauth2/secret -> AWS_PROXY issue-token',
      'token ANY /oauth2/token -> AWS_PROXY issue-token',
      'transactions ANY /.well-known/api-catalog -> AWS_PROXY serve-docs',
      'transactions ANY /.well-known/oauth-protected-resource -> AWS_PROXY issue-token',
      'transactions ANY /.well-known/oauth-protected-resource/api/v2 -> AWS_PROXY issue-token',
      'transactions ANY /api/session -> AWS_PROXY v1-transaction',
      'transactions ANY /api/transaction -> AWS_PROXY v1-transaction',
      'transactions ANY /api/transaction/{uuid} -> AWS_PROXY v1-transaction',
      'transactions ANY /api/v2/event -> AWS_PROXY v2-partner',
      'transactions ANY /api/v2/event/replay -> AWS_PROXY v2-partner',
      'transactions ANY /api/v2/partner -> AWS_PROXY v2-partner',
      'transactions ANY /api/v2/payment -> AWS_PROXY v2-write',
      'transactions ANY /api/v2/transaction -> AWS_PROXY v2-read',
      'transactions ANY /api/v2/transaction/{uuid} -> AWS_PROXY v2-read',
      'transactions ANY /api/v2/webhook -> AWS_PROXY v2-partner',
      'transactions ANY /api/v2/webhook/signature -> AWS_PROXY v2-partner',
      'transactions ANY /api/v2/webhook/test -> AWS_PROXY v2-partner',
      'transactions ANY /docs -> AWS_PROXY serve-docs',
      'transactions ANY /docs/{page+} -> AWS_PROXY serve-docs',
      'transactions ANY /llms.txt -> AWS_PROXY serve-docs',
      'transactions ANY /openapi.json -> AWS_PROXY serve-docs',
      'transactions ANY /session -> AWS_PROXY v1-transaction',
      'transactions ANY /transaction -> AWS_PROXY v1-transaction',
      'transactions ANY /transaction/{uuid} -> AWS_PROXY v1-transaction',
      'transactions ANY /v2/event -> AWS_PROXY v2-partner',
      'transactions ANY /v2/payment -> AWS_PROXY v2-write',
      'transactions ANY /v2/transaction -> AWS_PROXY v2-read',
      'transactions ANY /v2/transaction/{uuid} -> AWS_PROXY v2-read',
      'transactions ANY /v2/webhook -> AWS_PROXY v2-partner',
      'transactions ANY /v2/webhook/signature -> AWS_PROXY v2-partner',
      'transactions ANY /v2/webhook/test -> AWS_PROXY v2-partner',
      'transactions PATCH /api/v2/transaction/{uuid} -> AWS_PROXY v2-write',
      'transactions PATCH /v2/transaction/{uuid} -> AWS_PROXY v2-write',
      'transactions PUT /api/v2/transaction/{uuid} -> AWS_PROXY v2-write',
      'transactions PUT /v2/transaction/{uuid} -> AWS_PROXY v2-write',
    ]);
  });

  test('R-44 TH-09 QS-1 no method has an authorizer, whose verdict could be kept for another, or declares a query parameter: names with brackets fail there', () => {
    const methods = propertiesOf(service, 'AWS::ApiGateway::Method').map(
      ({ AuthorizationType, RequestParameters }) => ({ AuthorizationType, RequestParameters }),
    );

    expect(methods).toEqual(methods.map(() => ({ AuthorizationType: 'NONE', RequestParameters: undefined })));
    expect(resourcesOf(service, 'AWS::ApiGateway::Authorizer')).toEqual({});
  });

  test('ERR-5 the gateway and the functions answer unknown paths alike', () => {
    const { StatusCode, ResponseParameters, ResponseTemplates } = responseOf(
      'transactions',
      'MISSING_AUTHENTICATION_TOKEN',
    );

    expect(StatusCode).toBe('404');
    expect(ResponseParameters).toEqual({
      'gatewayresponse.header.Request-Id': 'context.requestId',
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000; includeSubDomains'",
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Access-Control-Expose-Headers': "'Request-Id, Retry-After'",
    });
    expect(JSON.parse(textOf(ResponseTemplates['application/json']))).toEqual({
      type: `${textOf(service.Outputs.BaseUrl?.Value as Text)}/docs/problems#not-found`,
      title: 'Not Found',
      status: 404,
      detail: 'The requested resource was not found.',
      instance: 'urn:uuid:$context.requestId',
      name: 'Not Found',
      message: 'The requested resource was not found.',
      code: 0,
      requestId: '$context.requestId',
    });
  });

  test('ERR-1 ERR-5 every gateway response of the transactions API has all members of a problem', () => {
    for (const { ResponseTemplates, StatusCode } of responses.filter(
      (response) => apiOf(response.RestApiId) === 'transactions',
    )) {
      const body = JSON.parse(textOf(ResponseTemplates['application/json']));

      expect(body.status).toBe(StatusCode === undefined ? undefined : Number(StatusCode));
      expect(Object.keys(body)).toEqual([
        ...['type', 'title', ...(StatusCode === undefined ? [] : ['status']), 'detail', 'instance'],
        ...['name', 'message', 'code', 'requestId'],
      ]);
    }
  });

  test('ERR-6 the token service answers an unknown route in the form of RFC 6749', () => {
    const { ResponseParameters, ResponseTemplates } = responseOf('token', 'MISSING_AUTHENTICATION_TOKEN');

    expect(ResponseParameters['gatewayresponse.header.Content-Type']).toBe("'application/json'");
    expect(ResponseTemplates).toEqual({
      'application/json':
        '{"error":"invalid_request","error_description":"The requested resource was not found."}',
    });
  });

  test.each([
    ['token', undefined],
    ['transactions', "'*'"],
  ])(
    'ERR-5 S-75 S-44 the gateway of the %s API answers with these statuses, with Retry-After where a retry may help',
    (api, origins) => {
      const said = responses
        .filter(({ RestApiId }) => apiOf(RestApiId) === api)
        .map(({ ResponseType, StatusCode, ResponseParameters: of }) => {
          expect(of['gatewayresponse.header.Request-Id']).toBe('context.requestId');
          expect(of['gatewayresponse.header.Access-Control-Allow-Origin']).toBe(origins);
          return [ResponseType, [StatusCode, of['gatewayresponse.header.Retry-After']]];
        });

      expect(Object.fromEntries(said)).toEqual({
        MISSING_AUTHENTICATION_TOKEN: ['404', undefined],
        INVALID_SIGNATURE: ['404', undefined],
        EXPIRED_TOKEN: ['404', undefined],
        ACCESS_DENIED: ['404', undefined],
        RESOURCE_NOT_FOUND: ['404', undefined],
        BAD_REQUEST_PARAMETERS: ['400', undefined],
        BAD_REQUEST_BODY: ['400', undefined],
        UNSUPPORTED_MEDIA_TYPE: ['415', undefined],
        REQUEST_TOO_LARGE: ['413', undefined],
        THROTTLED: ['429', "'2'"],
        QUOTA_EXCEEDED: ['429', "'2'"],
        WAF_FILTERED: ['429', "'60'"],
        INTEGRATION_FAILURE: ['503', "'2'"],
        INTEGRATION_TIMEOUT: ['504', "'2'"],
        API_CONFIGURATION_ERROR: ['500', "'2'"],
        DEFAULT_4XX: [undefined, undefined],
        DEFAULT_5XX: [undefined, "'2'"],
      });
    },
  );

  test('ERR-5 a response for all of 4xx or 5xx names no status, because it keeps the original one', () => {
    const said = ['DEFAULT_4XX', 'DEFAULT_5XX'].map((type) => [
      responseOf('transactions', type).ResponseTemplates,
      responseOf('token', type).ResponseTemplates,
    ]);

    expect(said.flat().map((templates) => JSON.parse(textOf(templates['application/json'])))).toEqual([
      expect.objectContaining({ title: 'Request Refused' }),
      {
        error: 'invalid_request',
        error_description: 'The request was refused before it reached the service.',
      },
      expect.objectContaining({ title: 'Service Failure' }),
      { error: 'server_error', error_description: 'The service did not answer as it should.' },
    ]);
  });

  test('S-59 access logs hold no header, query or path of the caller', () => {
    for (const { AccessLogSetting } of propertiesOf(service, 'AWS::ApiGateway::Stage')) {
      const { Format } = AccessLogSetting as { Format: string };

      expect(Object.values(JSON.parse(Format))).toEqual([
        '$context.requestId',
        '$context.requestTimeEpoch',
        '$context.identity.sourceIp',
        '$context.httpMethod',
        '$context.resourcePath',
        '$context.status',
        '$context.responseLength',
        '$context.responseLatency',
        '$context.integrationLatency',
        '$context.error.responseType',
      ]);
    }
  });

  test('O-56 D-41 ERR-5 have names, accept TLS 1.2 or newer under each name, and compress from 1,000 bytes', () => {
    expect(propertiesOf(service, 'AWS::ApiGateway::RestApi')).toEqual(
      ['TokenApi', 'TransactionsApi'].map((api) =>
        expect.objectContaining({
          ...{ Name: `transactions-${stage}-${api}`, MinimumCompressionSize: 1_000, ...newTls },
        }),
      ),
    );
  });

  test('S-40 S-57 D-30 have one throttle for all callers of a method and path, log no bodies, and have no metrics for methods', () => {
    const [rate, burst] = { local: [500, 1000], staging: [100, 200], production: [1000, 2000] }[stage];
    const settings = propertiesOf(service, 'AWS::ApiGateway::Stage').map((one) => one.MethodSettings);
    const expected = {
      ...{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
      ...{ DataTraceEnabled: false, LoggingLevel: 'ERROR', MetricsEnabled: false },
    };

    expect(settings).toEqual([[expected], [expected]]);
  });

  test('S-55 S-58 every log of both stacks is encrypted with our key and expires', () => {
    const days = { local: 7, staging: 30, production: 90 };
    const logs = propertiesOf(service, 'AWS::Logs::LogGroup');

    expect(logs).toHaveLength(18);
    expect(resourcesOf(data, 'AWS::Logs::LogGroup')).toEqual({});
    for (const { KmsKeyId, RetentionInDays } of logs) {
      expect(KmsKeyId).toEqual(readsOfData('OutputFnGetAttDataKey'));
      expect(RetentionInDays).toBe(days[stage]);
    }
  });

  test('S-58 S-57 addresses and private keys in logs are masked, except on the local stage', () => {
    const named = ['EmailAddress', 'AwsSecretKey', 'OpenSshPrivateKey', 'PkcsPrivateKey'];

    for (const { DataProtectionPolicy: policy } of propertiesOf(service, 'AWS::Logs::LogGroup'))
      expect(stage === 'local' ? policy : maskedBy(policy)).toEqual(stage === 'local' ? undefined : named);
  });
});

type ProtectionPolicy = { Statement: { DataIdentifier: unknown[]; Operation: object }[] };

/** What a policy takes out of each line, by the last word of its name. */
const maskedBy = (policy: unknown): string[] =>
  (policy as ProtectionPolicy).Statement.filter(({ Operation }) => 'Deidentify' in Operation).flatMap(
    ({ DataIdentifier }) => DataIdentifier.map((one) => /\/(\w+)\W*$/.exec(JSON.stringify(one))?.[1] ?? ''),
  );

test('the local stage’s addresses are literals that the embedded stage replaces', () => {
  expect(templatesOf('local').service.Outputs).toMatchObject({
    BaseUrl: { Value: 'http://127.0.0.1:8787' },
    AuthUrl: { Value: 'http://127.0.0.1:8787' },
  });
});

test('the staging stage takes its addresses from the APIs', () => {
  const { service } = templatesOf('staging');
  const addressOf = (api: string) => ({
    'Fn::Join': [
      '',
      [
        ...['https://', { Ref: expect.stringMatching(new RegExp(`^${api}[0-9A-F]{8}$`)) }],
        ...[`.execute-api.${configOf('staging').region}.`, { Ref: 'AWS::URLSuffix' }, '/staging'],
      ],
    ],
  });

  expect(service.Outputs).toMatchObject({
    BaseUrl: { Value: addressOf('TransactionsApi') },
    AuthUrl: { Value: addressOf('TokenApi') },
  });
  expect(resourcesOf(service, 'AWS::ApiGateway::DomainName')).toEqual({});
});

const ownDomain = {
  baseHost: 'api.example.com',
  authHost: 'auth.example.com',
  certificateArn: 'arn:aws:acm:eu-west-2:111122223333:certificate/c',
};
const hostedZone = { id: 'Z1', name: 'example.com' };
const production = configOf('production');
const { service: template } = await synthesise({ ...production, ownDomain });
const { service: withZone } = await synthesise({ ...production, ownDomain: { ...ownDomain, hostedZone } });

describe('S-74 D-02 with a domain of its own', () => {
  const domainId = (api: string) => expect.stringMatching(new RegExp(`^${api}CustomDomain[0-9A-F]{8}$`));
  const targetOf = (api: string) => ({ 'Fn::GetAtt': [domainId(api), 'RegionalDomainName'] });

  test('O-56 addresses are those of the domain, whose names speak TLS 1.2 or newer, and the gateway’s own are disabled', () => {
    expect(template.Outputs).toMatchObject({
      BaseUrl: { Value: 'https://api.example.com' },
      AuthUrl: { Value: 'https://auth.example.com' },
    });
    expect(propertiesOf(template, 'AWS::ApiGateway::RestApi')).toEqual(
      Array(2).fill(expect.objectContaining({ DisableExecuteApiEndpoint: true })),
    );
    expect(propertiesOf(template, 'AWS::ApiGateway::DomainName')).toEqual([
      expect.objectContaining({ DomainName: 'auth.example.com', ...newTls }),
      expect.objectContaining({ DomainName: 'api.example.com', ...newTls }),
    ]);
  });

  test('its hosted zone gets an alias record for each name', () => {
    const records = propertiesOf(withZone, 'AWS::Route53::RecordSet').map(
      ({ HostedZoneId, Name, Type, AliasTarget }) => [HostedZoneId, Name, Type, AliasTarget],
    );
    const aliasOf = (api: string) => ({
      DNSName: targetOf(api),
      HostedZoneId: { 'Fn::GetAtt': [domainId(api), 'RegionalHostedZoneId'] },
    });

    expect(records).toEqual([
      ['Z1', 'auth.example.com.', 'A', aliasOf('TokenApi')],
      ['Z1', 'api.example.com.', 'A', aliasOf('TransactionsApi')],
    ]);
    expect(Object.keys(withZone.Outputs).filter((name) => name.endsWith('Target'))).toEqual([]);
  });

  test('without a hosted zone the outputs name the targets of its records', () => {
    expect(template.Outputs).toMatchObject({
      TokenApiTarget: { Value: targetOf('TokenApi') },
      TransactionsApiTarget: { Value: targetOf('TransactionsApi') },
    });
    expect(resourcesOf(template, 'AWS::Route53::RecordSet')).toEqual({});
  });
});
