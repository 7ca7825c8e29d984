import { createPinnedPost, publicOnly, publicOrLoopback } from '../shared/outbound/probe/pinned-post.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createHandler } from './handler.ts';

const { LOOPBACK_ENDPOINTS } = readEnvironment(['LOOPBACK_ENDPOINTS']);

export const handler = createHandler({
  post: createPinnedPost({ isAllowed: LOOPBACK_ENDPOINTS === 'allowed' ? publicOrLoopback : publicOnly }),
});
