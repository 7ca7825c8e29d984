import { describe, expect, test } from '@jest/globals';
import { createResolver, type Stack } from '../../../../localstack/cloudformation/resolve.ts';

const data: Stack = {
  name: 'data',
  template: {
    Resources: {
      Listing: { Type: 'AWS::DynamoDB::Table' },
      Named: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'own-name' } },
    },
    Outputs: { Out: { Value: { Ref: 'Listing' }, Export: { Name: 'data:Listing' } } },
  },
};
const service: Stack = {
  name: 'service',
  template: {
    Resources: {
      Api: { Type: 'AWS::ApiGateway::RestApi' },
      Work: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
    },
    Parameters: { Given: { Default: 'default' } },
  },
};
/** A placeholder of Fn::Sub. */
const place = (name: string) => `\${${name}}`;
const resolve = createResolver([data, service], 'http://127.0.0.1:9324');

/** Every start of a stage resolves the functions that our templates use most. */
describe('template functions', () => {
  test.each([
    [data, { Ref: 'Named' }, 'own-name'],
    [service, { Ref: 'Work' }, 'http://127.0.0.1:9324/000000000000/service-Work.fifo'],
    [service, { Ref: 'Given' }, 'default'],
    [service, { 'Fn::ImportValue': 'data:Listing' }, 'data-Listing'],
    [service, { 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Out' } }, 'data-Listing'],
    [service, { 'Fn::Sub': `${place('AWS::Region')}/${place('Api')}` }, 'eu-west-2/Api'],
    [service, { 'Fn::Sub': [place('x'), { x: 'y' }] }, 'y'],
    [service, { Ref: 'kept beside another member', b: 1 }, { Ref: 'kept beside another member', b: 1 }],
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
