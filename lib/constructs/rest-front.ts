import { Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../config.ts';
import { accessLogFields } from './access-log.ts';
import { acknowledge } from './acknowledge.ts';
import { addGatewayResponses, type GatewayAnswer } from './gateway-responses.ts';
import type { ServiceFunction } from './service-function.ts';

export type RestFrontProps = {
  config: StageConfig;
  encryptionKey: IKey;
  description: string;
  /** Writes an answer that the gateway makes by itself in the language of this API. */
  answerBody: (answer: GatewayAnswer) => { contentType: string; body: object };
};

/** A REST API whose functions answer every method of their routes; it exists before them, so that they can know its address. */
export class RestFront extends Construct {
  readonly api: RestApi;
  protected readonly config: StageConfig;

  constructor(scope: Construct, id: string, props: RestFrontProps) {
    super(scope, id);
    this.config = props.config;
    this.api = this.createApi(props);
    addGatewayResponses(this.api, props.answerBody);
    for (const [rule, reason] of Object.entries(acceptedFindings)) acknowledge(this.api, rule, reason);
  }

  /** Without a trailing slash. Built from the API alone: the stage depends on the functions, which need this address. */
  get address(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `https://${this.api.restApiId}.execute-api.${region}.${urlSuffix}/${this.config.name}`;
  }

  /** Every method goes to the function, which answers 405, HEAD and OPTIONS itself. */
  route(paths: readonly string[], handler: ServiceFunction): void {
    const integration = new LambdaIntegration(handler.function, { scopePermissionToMethod: false });
    for (const path of paths) this.api.root.resourceForPath(path).addMethod('ANY', integration);
  }

  private createApi({ config, description, encryptionKey }: RestFrontProps): RestApi {
    const accessLog = new LogGroup(this, 'AccessLog', {
      encryptionKey,
      retention: config.logRetention,
      removalPolicy: removalPolicyOf(config),
    });
    return new RestApi(this, 'Api', {
      description,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
      disableExecuteApiEndpoint: config.ownDomain !== undefined,
      deployOptions: {
        stageName: config.name,
        tracingEnabled: true,
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        metricsEnabled: true,
        throttlingRateLimit: config.throttle.rate,
        throttlingBurstLimit: config.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
  }
}

const acceptedFindings = {
  'AwsSolutions-APIG2':
    'Names with brackets fail the gateway’s validation; each function parses its request by one schema (QS-1).',
  'AwsSolutions-APIG3': 'The web application firewall comes with production hardening.',
  'AwsSolutions-APIG4':
    'Functions verify tokens themselves: their refusals have the documented shape and nothing is cached (TH-09).',
  'AwsSolutions-COG4': 'Tokens are those of the token service (TOK-1), not of Cognito.',
};
