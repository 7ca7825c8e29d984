import { emulatedAccount } from '../../lib/emulated-account.ts';
import type { StageResources } from './stage.ts';

/** The variables that lead the SDK elsewhere than to AWS ("Service-specific endpoints", AWS SDKs and Tools Reference Guide). */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the bus of a deployed stage is an emulator's on this machine. Its outputs have to be of an emulator's account, too:
 * an address on loopback may be a tunnel to AWS, and a profile may tell the SDK to ignore it.
 */
export const isEmulated = ({ place }: Pick<StageResources, 'place'>, environment: Environment): boolean =>
  place?.account === emulatedAccount && leadsHere(environment);

/** Only the bus is asked for: who could lead a request to loopback by another service's endpoint could have AWS deliver there. */
const leadsHere = (environment: Environment): boolean => {
  if (environment.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return false;
  const url = environment.AWS_ENDPOINT_URL_EVENTBRIDGE ?? environment.AWS_ENDPOINT_URL;
  return url !== undefined && URL.canParse(url) && emulatorHosts.has(new URL(url).hostname);
};

/** The last one is LocalStack's own name for this machine. */
const emulatorHosts = new Set(['localhost', '127.0.0.1', '[::1]', 'localhost.localstack.cloud']);
