import type { Patch } from '../../patch.ts';

const tests = ['test/infrastructure/operator-role.test.ts'];
const file = 'lib/constructs/operator-role.ts';
const trust = 'lib/operators.ts';

/** What the operator's role may do, and who may have it. */
export const patches: readonly Patch[] = [
  {
    id: 'operator-changes-records',
    rule: 'RUN-9 no audit record is changed',
    file,
    find: "UpdateItem: ['ERASURES'],",
    put: "UpdateItem: ['AUDIT#*', 'ERASURES'],",
    tests,
  },
  {
    id: 'operator-any-target',
    rule: 'RUN-9 a rule has a destination of the stage as its target',
    file,
    find: "{ 'events:TargetArn': this.arnOf('events', `api-destination/",
    put: "{ 'events:TargetArn': this.arnOf('events', `*/",
    tests,
  },
  {
    id: 'operator-any-service',
    rule: 'RUN-9 the role of deliveries is for EventBridge',
    file,
    find: "StringEquals: { 'iam:PassedToService': 'events.amazonaws.com' },",
    put: '',
    tests,
  },
  {
    id: 'operator-reads-keys',
    rule: 'RUN-9 S-23 private keys are asked for, never read',
    file,
    find: "this.may(['secretsmanager:GetSecretValue'], secrets.pepper.secretArn);",
    put: "this.may(['secretsmanager:GetSecretValue'], secrets.accessKeys.secretArn);",
    tests,
  },
  {
    id: 'operator-without-mfa',
    rule: 'RUN-9 who is not configured has signed in with MFA',
    file: trust,
    find: 'return new PrincipalWithConditions(own, withMfa);',
    put: 'return own;',
    tests,
  },
  {
    id: 'operator-users-without-mfa',
    rule: 'RUN-9 users need MFA',
    file: trust,
    find: "...(kind === 'users' && withMfa),",
    put: '',
    tests,
  },
  {
    id: 'operator-anybody',
    rule: 'RUN-9 an operator has a name',
    file: trust,
    find: '[\\w+=,.@/-]+$/;',
    put: '.*$/;',
    tests,
  },
  {
    id: 'operator-right-missing',
    rule: 'RUN-9 the role may do what the commands ask for',
    file,
    find: "PutItem: ['AUDIT#*', 'DONE#*', 'ERASURES', 'RESTORE'],",
    put: "PutItem: ['AUDIT#*', 'ERASURES', 'RESTORE'],",
    tests,
  },
  {
    id: 'operator-right-unused',
    rule: 'RUN-9 the role may nothing that no command asks for',
    file,
    find: "'GetItem', 'PutItem', 'Scan']);",
    put: "'DeleteItem', 'GetItem', 'PutItem', 'Scan']);",
    tests,
  },
];
