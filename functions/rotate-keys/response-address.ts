/** Where the function runs. An emulator's CloudFormation has an address of its own. */
export type ResponsePlace = { region: string; isEmulated: boolean };

/**
 * Whether the address is CloudFormation's own bucket of the region, which nobody else can have (CloudFormation User
 * Guide, "Custom resource reference": `ResponseURL` is a presigned URL of Amazon S3). Without this check, whoever may
 * invoke the function could have it send its answer anywhere.
 */
export const isResponseAddress = (text: string, { region, isEmulated }: ResponsePlace): boolean => {
  if (!URL.canParse(text)) return false;
  if (isEmulated) return true;
  const { protocol, hostname, port, username } = new URL(text);
  return protocol === 'https:' && port === '' && username === '' && hostsOf(region).includes(hostname);
};

/** S3 has several addresses for a bucket ("Methods for accessing a general purpose bucket"). */
const hostsOf = (region: string): string[] => {
  const bucket = `cloudformation-custom-resource-response-${region.replaceAll('-', '')}`;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return ['s3', `s3.${region}`, `s3-${region}`, `s3.dualstack.${region}`].map(
    (service) => `${bucket}.${service}.${domain}`,
  );
};

/** Emulators set their address in Lambda's environment; AWS never does. */
export const isEmulated = (source: Record<string, string | undefined> = process.env): boolean =>
  Object.keys(source).some((name) => name.startsWith('AWS_ENDPOINT_URL'));
