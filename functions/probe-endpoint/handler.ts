import type { PinnedPost } from '../shared/outbound/probe/pinned-post.ts';
import type { ProbeAnswer, ProbeRequest } from '../shared/outbound/probe/test-message.ts';

/** What the handler works with. */
export type Deps = { post: PinnedPost };

/** Sends test messages to an address that a partner chose, and answers nothing but how each went. */
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
