import type { EndpointAnswers } from '../../../functions/shared/domain/endpoint.ts';
import type { PostFailure } from '../../../functions/shared/outbound/probe/pinned-post.ts';

/** Why an endpoint cannot be one. */
export type ProbeFault = PostFailure | 'redirect';

/** Whether the endpoint took the message. */
export const isTaken = (status: number) => status >= 200 && status < 300;

/** Whether the endpoint refuses a wrong signature; undefined where its answer has another reason, such as a fault. */
export const refusesWrong = ({
  wrongStatus,
}: Required<Pick<EndpointAnswers, 'wrongStatus'>>): boolean | undefined => {
  if (isTaken(wrongStatus)) return false;
  return wrongStatus === 401 || wrongStatus === 403 ? true : undefined;
};
