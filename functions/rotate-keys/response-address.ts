/** Where the function runs: an emulator's CloudFormation waits at an address of its own. */
export type ResponsePlace = { region: string; isEmulated: boolean };

/**
 * Whether CloudFormation itself waits at this address: its own bucket of the region, which nobody else can have
 * (CloudFormation User Guide, "Custom resource reference": `ResponseURL` is a presigned URL of Amazon S3). Whoever may
 * invoke the function could otherwise have it send its answer anywhere.
 */
export const isResponseAddress = (text: string, { region, isEmulated }: ResponsePlace): boolean => {
  if (!URL.canParse(text)) return false;
  if (isEmulated) return true;
  const { protocol, hostname, port, username } = new URL(text);
  return protocol === 'https:' && port === '' && username === '' && hostsOf(region).includes(hostname);
};

/** S3 spells the address of a bucket in several ways ("Methods for accessing a general purpose bucket"). */
const hostsOf = (region: string): string[] => {
  const bucket = `cloudformation-custom-resource-response-${region.replaceAll('-', '')}`;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return ['s3', `s3.${region}`, `s3-${region}`, `s3.dualstack.${region}`].map(
    (service) => `${bucket}.${service}.${domain}`,
  );
};

/** Emulators say in Lambda's environment where they are reached; AWS never does. */
export const isEmulated = (source: Record<string, string | undefined> = process.env): boolean =>
  Object.keys(source).some((name) => name.startsWith('AWS_ENDPOINT_URL'));
