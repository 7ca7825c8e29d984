import type { PinnedPost } from '../shared/outbound/probe/pinned-post.ts';
import type { ProbeAnswer, ProbeRequest } from '../shared/outbound/probe/test-message.ts';

export type Deps = { post: PinnedPost };

/** Sends test messages to an address that a partner chose, and answers with nothing but their statuses or a fault. */
export const createHandler =
  ({ post }: Deps) =>
  async ({ url, messages }: ProbeRequest): Promise<ProbeAnswer[]> => {
    const answers: ProbeAnswer[] = [];
    for (const message of messages) {
      const answer = await post({ url, ...message });
      if (!answer.ok) return [...answers, { fault: answer.reason }];
      answers.push({ status: answer.value.status });
    }
    return answers;
  };
