import { emulatedAccount } from '../../lib/emulated-account.ts';
import type { StageResources } from './stage.ts';

/** Variables that redirect the SDK ("Service-specific endpoints", AWS SDKs and Tools Reference Guide). */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the bus of a deployed stage is an emulator's on this machine. The account of its outputs must be the emulator's
 * too: a loopback address may be a tunnel to AWS, and a profile may tell the SDK to ignore it.
 */
export const isEmulated = ({ place }: Pick<StageResources, 'place'>, environment: Environment): boolean =>
  place?.account === emulatedAccount && leadsHere(environment);

/** Only the endpoint of EventBridge counts: by that of another service, AWS could be made to deliver to loopback. */
const leadsHere = (environment: Environment): boolean => {
  if (environment.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return false;
  const url = environment.AWS_ENDPOINT_URL_EVENTBRIDGE ?? environment.AWS_ENDPOINT_URL;
  return url !== undefined && URL.canParse(url) && emulatorHosts.has(new URL(url).hostname);
};

/** `localhost.localstack.cloud` is LocalStack's name for this machine. */
const emulatorHosts = new Set(['localhost', '127.0.0.1', '[::1]', 'localhost.localstack.cloud']);
