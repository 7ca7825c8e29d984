/**
 * What a message asks `publish-dormant` for: a poll, the processing of one due shard, or the publication of one
 * completion.
 */
export type FlushMessage =
  | { asks: 'poll' }
  | { asks: 'shard'; shard: number }
  | { asks: 'completion'; uuid: string };

/** The body of a message. SQS refuses an empty one. */
export const flushMessageText = (message: FlushMessage): string => {
  switch (message.asks) {
    case 'poll':
      return '-';
    case 'shard':
      return `shard ${message.shard}`;
    case 'completion':
      return `completed ${message.uuid}`;
    default:
      return message satisfies never;
  }
};

/** What a body asks for. An empty object is a tick. */
export const flushMessageOf = (body: string): FlushMessage => {
  const [, kind, name = ''] = /^(shard|completed) (\S+)$/.exec(body) ?? [];
  if (kind === 'shard') return { asks: 'shard', shard: Number(name) };
  if (kind === 'completed') return { asks: 'completion', uuid: name };
  return { asks: 'poll' };
};
