import { expect, test } from '@jest/globals';
import { stageParts } from '../../../lib/stage-parts.ts';
import { arnIn } from '../../support/engine/account.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../../support/engine/templates.ts';

type Statement = { Action: string | string[]; Resource: unknown; Condition?: object };
type Policy = { Roles: { Ref: string }[]; PolicyDocument: { Statement: Statement[] } };

const { service } = templatesOf('production');
const policies = [
  ...(propertiesOf(service, 'AWS::IAM::Policy') as Policy[]),
  ...(propertiesOf(service, 'AWS::IAM::ManagedPolicy') as Policy[]),
].filter(({ Roles }) => Roles.some(({ Ref }) => Ref === 'TransactionsOnCall'));
const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
const actionsOf = ({ Action }: Statement) => [Action].flat();
const withAction = (action: string) => statements.filter((one) => actionsOf(one).includes(action));

test('RUN-14 the role on call reads no item, no secret and no message, and deploys nothing', () => {
  const inPerson = statements.filter(
    ({ Condition }) => !JSON.stringify(Condition ?? {}).includes('aws:ViaAWSService'),
  );
  const actions = inPerson.flatMap(actionsOf);

  expect(
    actions.filter((action) =>
      /dynamodb:(BatchGet|Get|Query|Scan|ConditionCheck)|GetSecretValue|ReceiveMessage|Decrypt|Unmask|iam:|Update(Function|Stack)|\*/.test(
        action,
      ),
    ),
  ).toEqual([]);
  expect(actions.filter((action) => /dynamodb:(Put|Update|Delete|BatchWrite)Item?$/.test(action))).toEqual([
    ...['dynamodb:PutItem', 'dynamodb:PutItem'],
  ]);
});

test('RUN-14 only DynamoDB reads and writes items of a restored table with it, for a restore', () => {
  const restored = arnIn(
    'production',
    ':dynamodb:eu-west-2:<account>:table/transactions-production-restored-*',
  );

  expect(withAction('dynamodb:GetItem')).toEqual([
    {
      Effect: 'Allow',
      Action: [
        ...['dynamodb:BatchWriteItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
        ...['dynamodb:Query', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
      ],
      Resource: restored,
      Condition: { Bool: { 'aws:ViaAWSService': 'true' } },
    },
  ]);
  expect(withAction('dynamodb:RestoreTableToPointInTime').flatMap(({ Resource }) => Resource)).toContainEqual(
    restored,
  );
});

test('RUN-13 S-28 it adds audit records for "stage stop", and writes no other item', () => {
  const conditions = withAction('dynamodb:PutItem').map(({ Condition }) => Condition);

  expect(conditions.filter((one) => !JSON.stringify(one).includes('ViaAWSService'))).toEqual(
    [['AUDIT#*'], ['AUDIT#*', 'DONE#*']].map((partitions) => ({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    })),
  );
});

test('RUN-13 it sets the concurrency of every function that can be stopped, and an output names all of them', () => {
  const functions = Object.entries(resourcesOf(service, 'AWS::Lambda::Function'));
  const stoppable = functions.filter(([, { Properties }]) =>
    (stageParts.all as string[]).includes(String(Properties.Description)),
  );
  const resources = JSON.stringify(withAction('lambda:PutFunctionConcurrency'));
  const output = JSON.stringify(service.Outputs.Functions?.Value);

  expect(stoppable).toHaveLength(9);
  for (const [id, { Properties }] of stoppable) {
    expect(resources).toContain(`"${id}"`);
    expect(output).toContain(`${Properties.Description}=`);
    expect(output).toContain(`{"Ref":"${id}"}`);
  }
  expect(output).toContain(':200,');
});

test('RUN-14 it purges the queue of given-up records and no other', () => {
  expect(withAction('sqs:PurgeQueue').map(({ Resource }) => JSON.stringify(Resource))).toEqual([
    expect.stringContaining('ChangeCaptureGivenUp'),
  ]);
});

test('RUN-14 it reads the log of each function and of both APIs', () => {
  const logs = Object.keys(resourcesOf(service, 'AWS::Logs::LogGroup'));
  const readable = JSON.stringify(withAction('logs:FilterLogEvents'));

  expect(logs.length).toBeGreaterThan(16);
  expect(logs.filter((id) => !readable.includes(`"${id}"`))).toEqual([]);
});

test('RUN-14 the local stage has no such role', () => {
  expect(templatesOf('local').service.Resources).not.toHaveProperty('TransactionsOnCall');
});
