import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type FirewallRates, type StageConfig } from '../../config.ts';
import { addAlarm } from '../watch/alarms.ts';

/**
 * Blocks callers above its rates before a function runs; the gateway answers 429 (S-40, S-78, S-79). It has only rules about
 * rates, since functions check requests themselves. It keeps no samples, which would contain tokens.
 */
export class Firewall extends Construct {
  private readonly acl: CfnWebACL;

  constructor(scope: Construct, config: StageConfig, rates: FirewallRates) {
    super(scope, 'Firewall');
    const name = busNameOf(config);
    this.acl = new CfnWebACL(this, 'Acl', {
      name,
      description: `Transactions, ${config.name}: rates of single callers`,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: counted(name),
      rules: rulesOf(rates),
    });
    addAlarm(this, 'Blocked', {
      ...{ config, name: 'callers-blocked' },
      metric: new Metric({
        ...{ namespace: 'AWS/WAFV2', metricName: 'BlockedRequests', statistic: 'Sum' },
        dimensionsMap: { WebACL: name, Region: Stack.of(this).region, Rule: 'ALL' },
        period: Duration.minutes(5),
      }),
      bounds: { above: mostBlocked },
    });
  }

  /** Both APIs share the rules, which count a caller's requests to either together. */
  standBefore(id: string, { deploymentStage }: RestApi): void {
    new CfnWebACLAssociation(this, id, {
      resourceArn: deploymentStage.stageArn,
      webAclArn: this.acl.attrArn,
    });
  }
}

/** In five minutes: fewer may be a partner's developer who tries a script. */
const mostBlocked = 100;

/** One minute, the shortest window of AWS WAF. */
const windowSeconds = 60;

type Statement = CfnWebACL.StatementProperty;

/** Narrow rules come first, so that their counts name the kind of caller. */
const rulesOf = (rates: FirewallRates): CfnWebACL.RuleProperty[] =>
  [
    rule('TokensPerAddress', perAddress(rates.tokensPerAddress, pathWith('/oauth2/'))),
    rule('CreationsPerAddress', perAddress(rates.creationsPerAddress, isCreation)),
    rule('V1PerAddress', perAddress(rates.v1PerAddress, isV1)),
    rule('PerAuthorization', perAuthorization(rates.perAuthorization)),
    rule('PerAddress', perAddress(rates.perAddress)),
  ].map((ratedRule, priority) => ({ ...ratedRule, priority }));

const rule = (name: string, rateBasedStatement: CfnWebACL.RateBasedStatementProperty) => ({
  name,
  statement: { rateBasedStatement },
  action: { block: {} },
  visibilityConfig: counted(name),
});

const perAddress = (limit: number, scopeDownStatement?: Statement) => ({
  ...{ limit, evaluationWindowSec: windowSeconds, aggregateKeyType: 'IP' },
  ...(scopeDownStatement && { scopeDownStatement }),
});

/** Counts by token, or by client id and secret, over all addresses. Requests without the header are left out. */
const perAuthorization = (limit: number) => ({
  ...{ limit, evaluationWindowSec: windowSeconds, aggregateKeyType: 'CUSTOM_KEYS' },
  customKeys: [{ header: { name: 'authorization', textTransformations: asItIs } }],
});

const asItIs = [{ priority: 0, type: 'NONE' }];

/** Decodes percent-encoding, so that `/%74ransaction` counts as well. */
const decoded = [{ priority: 0, type: 'URL_DECODE' }];

const inLowerCase = [{ priority: 0, type: 'LOWERCASE' }];

const pathWith = (searchString: string, textTransformations = decoded): Statement => ({
  byteMatchStatement: {
    ...{ searchString, positionalConstraint: 'CONTAINS', textTransformations },
    fieldToMatch: { uriPath: {} },
  },
});

const hasMethod = (searchString: string): Statement => ({
  byteMatchStatement: {
    ...{ searchString, positionalConstraint: 'EXACTLY', textTransformations: inLowerCase },
    fieldToMatch: { method: {} },
  },
});

const all = (...statements: Statement[]): Statement => ({ andStatement: { statements } });
const any = (...statements: Statement[]): Statement => ({ orStatement: { statements } });
const not = (statement: Statement): Statement => ({ notStatement: { statement } });

/**
 * Matches paths with and without `/api`, and with the name of the stage where there is no custom domain. The exception is
 * matched without decoding: the gateway routes `/transaction/x%2Fv2%2Fy` to V1.
 */
const isV1 = all(any(pathWith('/transaction'), pathWith('/session')), not(pathWith('/v2/', asItIs)));

const matching = (fieldToMatch: CfnWebACL.FieldToMatchProperty, regexString: string): Statement => ({
  regexMatchStatement: { fieldToMatch, regexString, textTransformations: asItIs },
});

/**
 * A GET that names a transaction or a filter, as our parser reads it, creates nothing. It is matched without decoding, since
 * decoded `x=%26uuid=1` would name a uuid. Other spellings count as creations.
 */
const namesWhatExists = any(
  matching({ uriPath: {} }, '/transaction/[0-9A-Za-z-]{36,}/?$'),
  matching({ queryString: {} }, '(?:^|&)uuid=[0-9A-Za-z-]+(?:&|$)'),
  matching({ queryString: {} }, '(?:^|&)filter(?:\\[|%5[Bb])[a-z]+(?:\\]|%5[Dd])'),
);

/**
 * A request that creates a transaction unless its session has an open one, which the firewall cannot know (S-79). A sign-in
 * counts as well, since it costs the verification of a signature (V1-10).
 */
const isCreation = all(isV1, any(hasMethod('post'), all(hasMethod('get'), not(namesWhatExists))));

const counted = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
