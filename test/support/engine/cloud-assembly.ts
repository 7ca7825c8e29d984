import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Method = { path: string; code: string; timeoutSeconds?: number };

/** A cloud assembly as synthesis writes it, small: one REST API, and a function of the given code for each path. */
export const writeAssembly = (methods: Method[], more: Record<string, object> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  for (const { path, code } of methods) {
    mkdirSync(join(folder, `asset.${path}`));
    writeFileSync(join(folder, `asset.${path}`, 'index.mjs'), code);
  }
  write('manifest.json', {
    artifacts: {
      tests: { type: 'aws:cloudformation:stack', properties: { templateFile: 'tests.template.json' } },
    },
  });
  write('tests.assets.json', {
    files: Object.fromEntries(methods.map(({ path }) => [path, { source: { path: `asset.${path}` } }])),
  });
  write('tests.template.json', {
    Resources: {
      Api: { Type: 'AWS::ApiGateway::RestApi' },
      ...gatewayResponses,
      ...Object.assign({}, ...methods.map(resourcesOf)),
      ...more,
    },
  });
  return folder;
};

const resourcesOf = ({ path, timeoutSeconds = 5 }: Method) => ({
  [`Resource${path}`]: {
    Type: 'AWS::ApiGateway::Resource',
    Properties: {
      ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
      PathPart: path,
      RestApiId: { Ref: 'Api' },
    },
  },
  [`Method${path}`]: {
    Type: 'AWS::ApiGateway::Method',
    Properties: {
      HttpMethod: 'ANY',
      ResourceId: { Ref: `Resource${path}` },
      RestApiId: { Ref: 'Api' },
      Integration: {
        Uri: { 'Fn::Sub': `arn:aws:apigateway:lambda:path/functions/\${Function${path}.Arn}/invocations` },
      },
    },
  },
  [`Function${path}`]: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Key: `${path}.zip` },
      Handler: 'index.handler',
      Timeout: timeoutSeconds,
      Environment: { Variables: { OWN: `variable of ${path}` } },
    },
    Metadata: { 'aws:cdk:path': `tests/${path}/Function/Resource` },
  },
});

const gatewayResponse = (type: string, status: number) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: {
    RestApiId: { Ref: 'Api' },
    ResponseType: type,
    StatusCode: `${status}`,
    ResponseParameters: {
      'gatewayresponse.header.Request-Id': 'context.requestId',
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
    },
    ResponseTemplates: { 'application/json': `{"status":${status},"requestId":"$context.requestId"}` },
  },
});

const gatewayResponses = {
  Unknown: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 404),
  Late: gatewayResponse('INTEGRATION_TIMEOUT', 504),
  Faults: gatewayResponse('DEFAULT_5XX', 500),
  Refusals: gatewayResponse('DEFAULT_4XX', 400),
};
