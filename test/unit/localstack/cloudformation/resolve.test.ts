import { describe, expect, test } from '@jest/globals';
import { createResolver, type Stack } from '../../../../localstack/cloudformation/resolve.ts';

const data: Stack = {
  name: 'data',
  template: {
    Resources: {
      Listing: { Type: 'AWS::DynamoDB::Table' },
      Named: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'own-name' } },
      Pepper: { Type: 'AWS::SecretsManager::Secret' },
    },
    Outputs: { Out: { Value: { Ref: 'Listing' }, Export: { Name: 'data:Listing' } } },
  },
};
const service: Stack = {
  name: 'service',
  template: {
    Resources: {
      Read: { Type: 'AWS::Lambda::Function' },
      Api: { Type: 'AWS::ApiGateway::RestApi' },
      Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'transactions-local' } },
      Tick: { Type: 'AWS::SQS::Queue' },
      Work: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
      Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead-letters' } },
    },
    Parameters: { Given: { Default: 'default' } },
  },
};
/** A placeholder of Fn::Sub. */
const place = (name: string) => `\${${name}}`;
const resolve = createResolver([data, service], 'http://127.0.0.1:9324');

describe('template functions', () => {
  test.each([
    [data, { Ref: 'Listing' }, 'data-Listing'],
    [data, { Ref: 'Named' }, 'own-name'],
    [data, { Ref: 'Pepper' }, 'arn:aws:secretsmanager:eu-west-2:000000000000:secret:data-Pepper'],
    [
      data,
      { 'Fn::GetAtt': ['Listing', 'Arn'] },
      'arn:aws:dynamodb:eu-west-2:000000000000:table/data-Listing',
    ],
    [
      data,
      { 'Fn::GetAtt': ['Listing', 'StreamArn'] },
      'arn:aws:dynamodb:eu-west-2:000000000000:table/data-Listing/stream/local',
    ],
    [service, { 'Fn::GetAtt': ['Read', 'Arn'] }, 'arn:aws:lambda:eu-west-2:000000000000:function:Read'],
    [service, { 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'Api/root'],
    [service, { Ref: 'Bus' }, 'transactions-local'],
    [
      service,
      { 'Fn::GetAtt': ['Bus', 'Arn'] },
      'arn:aws:events:eu-west-2:000000000000:event-bus/transactions-local',
    ],
    [service, { 'Fn::GetAtt': ['Bus', 'Name'] }, 'transactions-local'],
    [service, { Ref: 'Tick' }, 'http://127.0.0.1:9324/000000000000/service-Tick'],
    [service, { Ref: 'Dead' }, 'http://127.0.0.1:9324/000000000000/dead-letters'],
    [service, { Ref: 'Work' }, 'http://127.0.0.1:9324/000000000000/service-Work.fifo'],
    [service, { 'Fn::GetAtt': ['Work', 'Arn'] }, 'arn:aws:sqs:eu-west-2:000000000000:service-Work.fifo'],
    [service, { 'Fn::GetAtt': ['Work', 'QueueName'] }, 'service-Work.fifo'],
    [service, { 'Fn::GetAtt': ['Dead', 'Arn'] }, 'arn:aws:sqs:eu-west-2:000000000000:dead-letters'],
    [service, { 'Fn::GetAtt': ['Dead', 'QueueName'] }, 'dead-letters'],
    [service, { 'Fn::GetAtt': ['Dead', 'QueueUrl'] }, 'http://127.0.0.1:9324/000000000000/dead-letters'],
    [service, { Ref: 'Given' }, 'default'],
    [service, { Ref: 'AWS::Region' }, 'eu-west-2'],
    [service, { 'Fn::ImportValue': 'data:Listing' }, 'data-Listing'],
    [service, { 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Out' } }, 'data-Listing'],
    [service, { 'Fn::Join': ['-', ['a', { Ref: 'AWS::StackName' }]] }, 'a-service'],
    [service, { 'Fn::Sub': `${place('AWS::Region')}/${place('Api')}` }, 'eu-west-2/Api'],
    [service, { 'Fn::Sub': [place('x'), { x: 'y' }] }, 'y'],
    [
      service,
      { a: [{ Ref: 'Api' }, 1, null], Ref: 'kept beside another member' },
      { a: ['Api', 1, null], Ref: 'kept beside another member' },
    ],
    [service, [{ Ref: 'AWS::NoValue' }, 1], [1]],
  ])('in %o: %j', (stack, value, expected) => {
    expect(resolve(stack, value)).toEqual(expected);
  });

  test.each([
    [{ 'Fn::Cidr': [] }, 'The local stage does not know the template function Fn::Cidr (stack service).'],
    [{ Ref: 'Nobody' }, 'The stack service refers to Nobody, which it does not have.'],
    [{ Ref: 'AWS::Moon' }, 'The local stage does not know the template parameter AWS::Moon (stack service).'],
    [{ 'Fn::ImportValue': 'nope' }, 'No stack exports nope.'],
    [
      { 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Nope' } },
      'No stack data has an output Nope.',
    ],
  ])('%j is refused by name', (value, sentence) => {
    expect(() => resolve(service, value)).toThrow(sentence);
  });
});
