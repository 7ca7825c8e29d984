import { expect, test } from '@jest/globals';
import { isEmulated, isResponseAddress } from '../../../../functions/rotate-keys/response-address.ts';

const bucket = 'cloudformation-custom-resource-response-euwest2';
const onAws = { region: 'eu-west-2', isEmulated: false };

test.each([
  `https://${bucket}.s3.eu-west-2.amazonaws.com/arn%3Aaws%3Acloudformation?X-Amz-Signature=s`,
  `https://${bucket}.s3.amazonaws.com/a`,
  `https://${bucket}.s3-eu-west-2.amazonaws.com/a`,
  `https://${bucket}.s3.dualstack.eu-west-2.amazonaws.com/a`,
])('TOK-7 CloudFormation waits at %s', (url) => {
  expect(isResponseAddress(url, onAws)).toBe(true);
});

test.each([
  `http://${bucket}.s3.eu-west-2.amazonaws.com/`,
  `https://${bucket}.s3.eu-west-2.amazonaws.com:8443/`,
  `https://me@${bucket}.s3.eu-west-2.amazonaws.com/`,
  `https://${bucket}.s3.eu-west-2.amazonaws.com.evil.example/`,
  `https://evil-${bucket}.s3.eu-west-2.amazonaws.com/`,
  `https://evil.example/${bucket}.s3.eu-west-2.amazonaws.com`,
  'https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com/',
  'https://cloudformation-custom-resource-response-mine.s3.eu-west-2.amazonaws.com/',
  `https://s3.eu-west-2.amazonaws.com/${bucket}/`,
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:9001/',
  'file:///etc/passwd',
  'nowhere',
  '',
])('TOK-7 not at %j', (url) => {
  expect(isResponseAddress(url, onAws)).toBe(false);
});

test('TOK-7 buckets in China have their own domain', () => {
  const place = { region: 'cn-north-1', isEmulated: false };
  const host = 'cloudformation-custom-resource-response-cnnorth1.s3.cn-north-1.amazonaws.com';

  expect([`https://${host}.cn/`, `https://${host}/`].map((url) => isResponseAddress(url, place))).toEqual([
    true,
    false,
  ]);
});

test.each([
  [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }, true],
  [{ AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:4567' }, true],
  [{ AWS_REGION: 'eu-west-2' }, false],
])('TOK-7 an emulator’s CloudFormation waits at its own address: %j', (environment, expected) => {
  expect(isEmulated(environment)).toBe(expected);
  expect(
    isResponseAddress('http://127.0.0.1:9001/', { region: 'eu-west-2', isEmulated: isEmulated(environment) }),
  ).toBe(expected);
});
