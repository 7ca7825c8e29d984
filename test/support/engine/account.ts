/** The account of a stage's template: that of the examples, and none for the local stage (D-16). */
export const accountIn = (stage: string) => (stage === 'local' ? { Ref: 'AWS::AccountId' } : '111122223333');

/** An ARN as the template of a stage has it: `:events:eu-west-2:<account>:rule/a` follows `arn:<partition>`. */
export const arnIn = (stage: string, rest: string) => {
  const [before = '', after = ''] = rest.split('<account>');
  const account = accountIn(stage);
  const ofAccount = typeof account === 'string' ? [`${before}${account}${after}`] : [before, account, after];
  return { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ...ofAccount]] };
};
