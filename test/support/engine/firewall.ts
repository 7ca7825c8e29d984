import { isMatched, type Statement, type WebRequest } from './firewall-statement.ts';
import { propertiesOf, templatesOf } from './templates.ts';

/** A rule of production's firewall, as the template has it. */
export type FirewallRule = {
  Name: string;
  Priority: number;
  Action: object;
  Statement: {
    RateBasedStatement: {
      AggregateKeyType: 'IP' | 'CUSTOM_KEYS';
      EvaluationWindowSec: number;
      Limit: number;
      CustomKeys?: object[];
      ScopeDownStatement?: Statement;
    };
  };
  VisibilityConfig: object;
};

export const firewalls = propertiesOf(templatesOf('production').service, 'AWS::WAFv2::WebACL') as {
  Rules: FirewallRule[];
  DefaultAction: object;
  Scope: string;
}[];

export const firewallRules = firewalls.flatMap(({ Rules }) => Rules);

/** The names of the rules that count a request for its address. */
export const rulesCounting = (request: WebRequest): string[] => countersOf(request).map(({ Name }) => Name);

/** How many such requests one address may send in a minute. */
export const limitOf = (request: WebRequest): number =>
  Math.min(...countersOf(request).map(({ Statement }) => Statement.RateBasedStatement.Limit));

const countersOf = (request: WebRequest): FirewallRule[] =>
  firewallRules.filter(({ Statement: { RateBasedStatement } }) => {
    const { AggregateKeyType, ScopeDownStatement } = RateBasedStatement;
    return AggregateKeyType === 'IP' && (!ScopeDownStatement || isMatched(ScopeDownStatement, request));
  });
