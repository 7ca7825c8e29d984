import {
  AccessLogFormat,
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { CfnOutput, Size, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { createLogGroup } from '../../log-group.ts';
import { acknowledge } from '../acknowledge.ts';
import type { ServiceFunction } from '../service-function.ts';
import { addApiAlarms } from './api-alarms.ts';
import { type ApiName, gatewayResponses } from './gateway-answers.ts';
import type { GatewayLogs } from './gateway-logs.ts';

export type ApiProps = { config: StageConfig; encryptionKey: IKey; gatewayLogs: GatewayLogs };

type ServiceRestApiProps = ApiProps & {
  description: string;
  /** The host of the custom domain, if the stage has one. */
  ownHost: string | undefined;
  /** Chooses the format of the gateway's own responses. */
  name: ApiName;
  /** Reasons for accepted findings of cdk-nag: why functions, not the gateway, check requests and callers. */
  acceptedFindings: Record<'AwsSolutions-APIG2' | 'AwsSolutions-APIG4', string>;
};

/** TLS 1.2 and 1.3. Such a policy needs an access mode; STRICT checks that host name and connection match. */
const securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
const endpointAccessMode = EndpointAccessMode.STRICT;

/**
 * An API without a policy accepts TLS 1.0, also at a custom domain, where the API's policy counts and not the domain's ("Choose
 * a security policy for your custom domain in API Gateway"). The construct library has no property for it yet.
 */
const speakNewTls = (api: RestApi): void => {
  const resource = api.node.defaultChild as CfnRestApi;
  resource.securityPolicy = securityPolicy;
  resource.endpointAccessMode = endpointAccessMode;
};

/** The methods of a path that go to a function; without `methods`, all that go to no other function. */
export type Route = { path: string; methods?: readonly string[]; handler: ServiceFunction };

/** A REST API whose functions answer every method of their routes. Made before them, since they need its address. */
export class ServiceRestApi extends Construct {
  readonly api: RestApi;
  /** Without a trailing slash. */
  readonly address: string;
  readonly accessLog: LogGroup;
  readonly routes: Route[] = [];
  protected readonly config: StageConfig;

  constructor(scope: Construct, id: string, props: ServiceRestApiProps) {
    super(scope, id);
    this.config = props.config;
    this.accessLog = createLogGroup(this, 'AccessLog', props);
    this.api = this.createApi(props);
    this.address = `https://${props.ownHost ?? this.gatewayHostAndStage()}`;
    this.pointNameAtApi(props.ownHost);
    props.gatewayLogs.forStageOf(this.api, props.config, props.encryptionKey);
    this.addGatewayResponses(props.name, props.config.fixedAddresses?.baseUrl ?? this.address);
    speakNewTls(this.api);
    addApiAlarms(this, this.api, props.config);
    for (const [rule, reason] of Object.entries({ ...acceptedFindings, ...props.acceptedFindings }))
      acknowledge(this.api, rule, reason);
    if (!props.config.firewall) acknowledge(this.api, 'AwsSolutions-APIG3', withoutFirewall);
  }

  /**
   * Sends every method of the paths to the function, which answers 405, HEAD and OPTIONS itself; with `methods`, only those.
   */
  protected route(paths: readonly string[], handler: ServiceFunction, methods?: readonly string[]): void {
    const integration = new LambdaIntegration(handler.called(), { scopePermissionToMethod: false });
    for (const path of paths) {
      const resource = this.api.root.resourceForPath(path);
      for (const method of methods ?? ['ANY']) resource.addMethod(method, integration);
      this.routes.push({ path, handler, ...(methods && { methods }) });
    }
  }

  private addGatewayResponses(name: ApiName, baseUrl: string): void {
    for (const { type, status, headers, body } of gatewayResponses(name, baseUrl))
      this.api.addGatewayResponse(type, {
        type: ResponseType.of(type),
        ...(status !== undefined && { statusCode: String(status) }),
        responseHeaders: headers,
        templates: { 'application/json': JSON.stringify(body) },
      });
  }

  /** Built without the API's stage, which depends on the functions, which need this address. */
  private gatewayHostAndStage(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `${this.api.restApiId}.execute-api.${region}.${urlSuffix}/${this.config.name}`;
  }

  private createApi({ config, description, ownHost }: ServiceRestApiProps): RestApi {
    return new RestApi(this, 'Api', {
      restApiName: `transactions-${config.name}-${this.node.id}`,
      description,
      ...this.domainOptions(ownHost),
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(leastCompressed),
      cloudWatchRole: false,
      deployOptions: {
        stageName: config.name,
        tracingEnabled: true,
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        // Alarms watch an API as a whole. Metrics of each method would cost as much as the rest of an idle stage.
        metricsEnabled: false,
        throttlingRateLimit: config.throttle.rate,
        throttlingBurstLimit: config.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
  }

  /** With a custom domain, the gateway's own address is disabled (S-74). */
  private domainOptions(ownHost: string | undefined) {
    const { ownDomain } = this.config;
    if (!ownDomain || ownHost === undefined) return {};
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', ownDomain.certificateArn);
    return {
      domainName: { domainName: ownHost, certificate, securityPolicy, endpointAccessMode },
      disableExecuteApiEndpoint: true,
    };
  }

  /** Makes an alias record where the stage has a hosted zone, otherwise an output with the target of the name. */
  private pointNameAtApi(ownHost: string | undefined): void {
    const domain = this.api.domainName;
    if (!domain || ownHost === undefined) return;
    const zone = this.config.ownDomain?.hostedZone;
    if (!zone) {
      new CfnOutput(Stack.of(this), `${this.node.id}Target`, { value: domain.domainNameAliasDomainName });
      return;
    }
    const { id: hostedZoneId, name: zoneName } = zone;
    new ARecord(this, 'Alias', {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName }),
      recordName: ownHost,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
    });
  }
}

/** Compression hardly shortens smaller answers. */
const leastCompressed = 1_000;

const withoutFirewall =
  'Production has a firewall (S-78); this stage is for trials, and an emulator has none.';

const acceptedFindings = {
  'AwsSolutions-COG4': 'Tokens are those of the token service (TOK-1), not of Cognito.',
};

/**
 * The fields of an access log line, without `Authorization`, query and uuid (S-59). `resource` is the pattern of the route,
 * such as /api/v2/transaction/{uuid}. Values are strings, as the filters of `answer-alarms.ts` expect.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integrationLatency',
  gatewayError: '$context.error.responseType',
} as const;
