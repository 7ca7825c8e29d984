import { urlFaultText } from '../../../functions/shared/outbound/endpoint/url-fault.ts';
import type { EndpointUrlFault } from '../../../functions/shared/outbound/endpoint/url-policy.ts';

/** Why a text is not a valid endpoint address, in one sentence (S-47). */
export const urlSentence = (fault: EndpointUrlFault, text: string): string =>
  `"${text}" ${urlFaultText(fault, text)}`;
