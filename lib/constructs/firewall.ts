import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type FirewallRates, type StageConfig } from '../config.ts';
import { addAlarm } from './alarms.ts';

/**
 * Turns away who calls far too often, before a function runs for it: 429, once the gateway has put it into words (S-40, S-78, S-79).
 * It has rules about rates only, since functions judge requests themselves.
 * It keeps no samples: they would have tokens.
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

  /** One list of rules for both APIs: a caller's requests to them count together where a rule says so. */
  standBefore(id: string, { deploymentStage }: RestApi): void {
    new CfnWebACLAssociation(this, id, {
      resourceArn: deploymentStage.stageArn,
      webAclArn: this.acl.attrArn,
    });
  }
}

/** In five minutes: fewer are a script of somebody who learns. */
const mostBlocked = 100;

/** Rates are counted over one minute, the shortest that there is. */
const windowSeconds = 60;

type Statement = CfnWebACL.StatementProperty;

/** The narrow rules first, so that their counts say who it was. */
const rulesOf = (rates: FirewallRates): CfnWebACL.RuleProperty[] =>
  [
    rule('TokensPerAddress', perAddress(rates.tokensPerAddress, pathWith('/oauth2/'))),
    rule('CreationsPerAddress', perAddress(rates.creationsPerAddress, isCreation)),
    rule('V1PerAddress', perAddress(rates.v1PerAddress, isV1)),
    rule('PerAuthorization', perAuthorization(rates.perAuthorization)),
    rule('PerAddress', perAddress(rates.perAddress)),
  ].map((one, priority) => ({ ...one, priority }));

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

/** A partner from many addresses: its token, or its client id and secret. Requests without the header do not count here. */
const perAuthorization = (limit: number) => ({
  ...{ limit, evaluationWindowSec: windowSeconds, aggregateKeyType: 'CUSTOM_KEYS' },
  customKeys: [{ header: { name: 'authorization', textTransformations: asItIs } }],
});

const asItIs = [{ priority: 0, type: 'NONE' }];

/** A letter that is written as its code, as in `/%74ransaction`, takes nobody out of the count. */
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
 * With and without `/api`, and with the name of the stage where there is no domain of our own. What takes a path out of the
 * count is read as it is written: the gateway takes `/transaction/x%2Fv2%2Fy` for one of V1.
 */
const isV1 = all(any(pathWith('/transaction'), pathWith('/session')), not(pathWith('/v2/', asItIs)));

const matching = (fieldToMatch: CfnWebACL.FieldToMatchProperty, regexString: string): Statement => ({
  regexMatchStatement: { fieldToMatch, regexString, textTransformations: asItIs },
});

/**
 * What a GET that makes nothing names: one transaction or a filter, as our own parser reads it. It takes a request out of
 * the count, so it is read as it is written: once decoded, `x=%26uuid=1` would name a uuid. Other spellings are counted.
 */
const namesWhatExists = any(
  matching({ uriPath: {} }, '/transaction/[0-9A-Za-z-]{36,}/?$'),
  matching({ queryString: {} }, '(?:^|&)uuid=[0-9A-Za-z-]+(?:&|$)'),
  matching({ queryString: {} }, '(?:^|&)filter(?:\\[|%5[Bb])[a-z]+(?:\\]|%5[Dd])'),
);

/**
 * Makes a transaction, or may: for whom it does not, the session has an open one. `Authorization` is not looked at (S-79).
 * A sign-in counts as well, since it has a signature verified (V1-10).
 */
const isCreation = all(isV1, any(hasMethod('post'), all(hasMethod('get'), not(namesWhatExists))));

const counted = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
