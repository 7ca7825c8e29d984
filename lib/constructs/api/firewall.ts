import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type FirewallRates, type StageConfig, type StageName } from '../../config.ts';
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
      rules: firewallRules(config.name, rates),
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
export const firewallRules = (stage: StageName, rates: FirewallRates): CfnWebACL.RuleProperty[] => {
  const isV1 = all(hasV1Path, not(hasV2Path(stage)));
  return [
    rule('TokensPerAddress', perAddress(rates.tokensPerAddress, pathWith('/oauth2/'))),
    rule('CreationsPerAddress', perAddress(rates.creationsPerAddress, all(isV1, isCreation))),
    rule('V1WritesPerAddress', perAddress(rates.v1WritesPerAddress, all(isV1, isWrite))),
    rule('V1PerAddress', perAddress(rates.v1PerAddress, isV1)),
    rule('PerAuthorization', perAuthorization(rates.perAuthorization)),
    rule('PerAddress', perAddress(rates.perAddress)),
  ].map((ratedRule, priority) => ({ ...ratedRule, priority }));
};

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

const decodedInLowerCase = [...decoded, { priority: 1, type: 'LOWERCASE' }];

const all = (...statements: Statement[]): Statement => ({ andStatement: { statements } });
const any = (...statements: Statement[]): Statement => ({ orStatement: { statements } });
const not = (statement: Statement): Statement => ({ notStatement: { statement } });

const containing = (
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  searchString: string,
  textTransformations: CfnWebACL.TextTransformationProperty[],
): Statement => ({
  byteMatchStatement: {
    ...{ fieldToMatch, searchString, positionalConstraint: 'CONTAINS', textTransformations },
  },
});

const matching = (
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  regexString: string,
  textTransformations = asItIs,
): Statement => ({ regexMatchStatement: { fieldToMatch, regexString, textTransformations } });

const pathWith = (text: string) => containing({ uriPath: {} }, text, decoded);

const hasMethod = (searchString: string): Statement => ({
  byteMatchStatement: {
    ...{ searchString, positionalConstraint: 'EXACTLY', textTransformations: inLowerCase },
    fieldToMatch: { method: {} },
  },
});

/** A segment of V1, anywhere in the path: with and without `/api`, and with the name of the stage before them. */
const hasV1Path = matching({ uriPath: {} }, '/(?:transaction|session)(?:[^A-Za-z]|$)', decoded);

/**
 * The paths of V2 that look like one of V1, from their beginning: `/transaction/v2/` is a path of V1. They are matched without
 * decoding: the gateway routes `/transaction/x%2Fv2%2Fy` to V1. Other spellings count for V1. The name of the stage is there
 * without a custom domain.
 */
const hasV2Path = (stage: StageName) =>
  matching({ uriPath: {} }, `^/(?:${stage}/)?(?:api/)?v2/transaction(?:/[0-9A-Za-z-]*/?)?$`);

/**
 * The gateway, which comes after the firewall, honours this header ("Amazon API Gateway important notes"), so such a request may
 * have any method. WAF sees 8 KB and 200 headers, and the gateway takes 10,240 bytes: beyond, there may be this header.
 */
const mayOverrideMethod = containing(
  { headers: { matchPattern: { all: {} }, matchScope: 'KEY', oversizeHandling: 'MATCH' } },
  'x-http-method-override',
  inLowerCase,
);

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
const isCreation = any(mayOverrideMethod, hasMethod('post'), all(hasMethod('get'), not(namesWhatExists)));

/**
 * A creation, any other write, and a read with a filter, which costs as much as a write (S-86). Whatever might be a filter counts
 * as one.
 */
const isWrite = any(
  isCreation,
  not(any(hasMethod('get'), hasMethod('head'), hasMethod('options'))),
  containing({ queryString: {} }, 'filter', decodedInLowerCase),
);

const counted = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
