import type { EndpointAnswers } from '../../../functions/shared/domain/endpoint.ts';
import type { PostFailure } from '../../../functions/shared/outbound/probe/pinned-post.ts';

/** Why a check got no usable answer. */
export type ProbeFault = PostFailure | 'redirect';

/** Whether the status accepts the message. */
export const isTaken = (status: number) => status >= 200 && status < 300;

/** Whether the endpoint refuses a wrong signature; undefined for a status with possibly another cause, such as 500. */
export const refusesWrong = ({
  wrongStatus,
}: Required<Pick<EndpointAnswers, 'wrongStatus'>>): boolean | undefined => {
  if (isTaken(wrongStatus)) return false;
  return wrongStatus === 401 || wrongStatus === 403 ? true : undefined;
};
