import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Annotations, CfnOutput, CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type Addresses, concurrencyNeeded, type StageConfig } from './config.ts';
import { Firewall } from './constructs/api/firewall.ts';
import { GatewayLogs } from './constructs/api/gateway-logs.ts';
import { GradualShift } from './constructs/api/gradual-shift.ts';
import { TokenApi } from './constructs/api/token-api.ts';
import { TransactionsApi } from './constructs/api/transactions-api.ts';
import { ChangeCapture } from './constructs/events/change-capture.ts';
import { DeadLetterCollector } from './constructs/events/dead-letter-collector.ts';
import { DormantPublisher } from './constructs/events/dormant-publisher.ts';
import { EndpointKeeper } from './constructs/events/endpoint-keeper.ts';
import { PartnerBus } from './constructs/events/partner-bus.ts';
import { Reconciler } from './constructs/events/reconciler.ts';
import { ExpirySweep } from './constructs/expiry-sweep.ts';
import { OnCallRole } from './constructs/people/on-call-role.ts';
import type { OperatorRights } from './constructs/people/operator-rights.ts';
import { OperatorRole } from './constructs/people/operator-role.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { SigningKeys } from './constructs/stores/signing-keys.ts';
import { StageWatch } from './constructs/watch/stage-watch.ts';
import type { DataStack } from './data-stack.ts';
import { assertEventTimes } from './event-times.ts';
import { assertFlushWorkers } from './flush-workers.ts';
import { removalPolicyOf } from './removal-policy.ts';
import { environmentOf } from './stage-account.ts';
import { stageParts } from './stage-parts.ts';

/** Resources that a deployment may replace: functions, the two REST APIs, the bus, queues and schedules. */
export class ServiceStack extends Stack {
  constructor(
    scope: Construct,
    config: StageConfig,
    data: DataStack,
    operatorRights: readonly OperatorRights[],
  ) {
    super(scope, `transactions-${config.name}-service`, {
      env: environmentOf(config),
      description: `Transactions (${config.name}): functions, APIs and events`,
      terminationProtection: config.name === 'production',
    });
    assertEventTimes(config);
    assertFlushWorkers(config);
    CrossStackReferences.of(this).consume(this.strengthOfReferences());
    this.advise(config);

    const gatewayLogs = new GatewayLogs(this);
    const props = { config, encryptionKey: data.encryptionKey, gatewayLogs };
    const tokenApi = new TokenApi(this, props);
    const transactionsApi = new TransactionsApi(this, props);
    const addresses = config.fixedAddresses ?? {
      baseUrl: transactionsApi.address,
      authUrl: tokenApi.address,
    };

    const bus = new PartnerBus(this, config, data);
    const publisher = new DormantPublisher(this, config, data, bus);
    const keeper = new EndpointKeeper(this, config, data, bus);
    const { rotateKeys } = new SigningKeys(this, config, data);
    const issueToken = tokenApi.serve(addresses, data);
    transactionsApi.describe(issueToken);
    transactionsApi.serve(addresses, data, { publisher, keeper });
    transactionsApi.document(addresses, data);
    new ExpirySweep(this, config, data);
    new ChangeCapture(this, config, data);
    new Reconciler(this, config, data);
    new DeadLetterCollector(this, config, data, { bus, keeper });
    new OperatorRole(this, config, operatorRights, { data, bus, keeper, rotateKeys: rotateKeys.function });
    this.keepQueues(config);
    if (config.firewall) {
      const firewall = new Firewall(this, config, config.firewall);
      firewall.standBefore('Transactions', transactionsApi.api);
      firewall.standBefore('Token', tokenApi.api);
    }
    new StageWatch(this, { config, data, apis: [transactionsApi, tokenApi] });
    if (config.watch) new OnCallRole(this, config, data);
    if (config.shiftsGradually) new GradualShift(this, config);
    this.publish(config, addresses, { bus, keeper });
  }

  /**
   * Weak references read an output at deployment (D-05). A strong one forbids changes of the output, so that an update of both
   * stacks fails half-way. The context gives strong ones to an emulator that lacks weak ones.
   */
  private strengthOfReferences(): ReferenceStrength {
    return this.node.tryGetContext('@aws-cdk/core:defaultCrossStackReferences') ?? ReferenceStrength.WEAK;
  }

  private stoppableFunctions(): ServiceFunction[] {
    const names: readonly string[] = stageParts.all;
    const functions = this.node.findAll().filter((child) => child instanceof ServiceFunction);
    return functions.filter(({ name }) => names.includes(name));
  }

  /** Queues with waiting messages outlive a deletion of this stack (D-06). */
  private keepQueues(config: StageConfig): void {
    for (const queue of this.node.findAll())
      if (queue instanceof Queue) queue.applyRemovalPolicy(removalPolicyOf(config));
  }

  /** Notes for the person who deploys the stage. */
  private advise(config: StageConfig): void {
    const needed = concurrencyNeeded(config);
    if (needed !== undefined)
      Annotations.of(this).addInfo(
        `The account's limit of concurrent executions of Lambda must be ${needed} or more: "npm run preflight" shows the present limit.`,
      );
    if (!config.ownDomain && !config.fixedAddresses)
      Annotations.of(this).addWarningV2(
        'transactions:own-domain',
        'The stage has no domain of its own: its addresses change whenever an API is replaced (ownDomain in lib/config.ts).',
      );
  }

  /** Outputs for callers and the operator's tool, in the file of `cdk deploy --outputs-file`. */
  private publish(
    { name, eventTimes }: StageConfig,
    { baseUrl, authUrl }: Addresses,
    { bus, keeper }: { bus: PartnerBus; keeper: EndpointKeeper },
  ): void {
    new CfnOutput(this, 'BaseUrl', { value: baseUrl });
    new CfnOutput(this, 'AuthUrl', { value: authUrl });
    new CfnOutput(this, 'StageName', { value: name });
    new CfnOutput(this, 'DormancySeconds', { value: String(eventTimes.dormancySeconds) });
    new CfnOutput(this, 'EventBusName', { value: bus.name });
    new CfnOutput(this, 'EventBusArn', { value: bus.arn });
    new CfnOutput(this, 'DeliveryRoleArn', { value: bus.deliveryRole.roleArn });
    new CfnOutput(this, 'DeadLetterQueueArn', { value: bus.deadLetters.queueArn });
    new CfnOutput(this, 'EndpointsQueueUrl', { value: keeper.requests.queueUrl });
    new CfnOutput(this, 'Functions', { value: this.stoppableFunctions().map(functionEntry).join(',') });
  }
}

/** `v2-write=<function name>:100`; the number is the reserved concurrency. */
const functionEntry = ({ name, function: deployed, reserved }: ServiceFunction): string =>
  `${name}=${deployed.functionName}${reserved === undefined ? '' : `:${reserved}`}`;
