import { z } from 'zod';
import { replayFailedSchema, replaySinceSchema } from '../../../functions/v2-partner/replays.ts';
import { describeMembers, named } from './named.ts';

describeMembers(replaySinceSchema, {
  since:
    'Replay what was sent at this time or later. It is in UTC, and ends with `Z` or `+00:00`: `2026-11-22T12:00:00Z`.',
  type: 'Replay only events of this type.',
  transaction: 'Replay only events of the transaction with this uuid.',
});
describeMembers(replayFailedSchema, {
  state: 'Send what failed and was given up.',
});

export const newReplay = z
  .union([
    named(replaySinceSchema, 'ReplaySince', { description: 'A replay of what was sent since a time.' }),
    named(replayFailedSchema, 'ReplayFailed', { description: 'A replay of what failed.' }),
  ])
  .describe('What to replay.');

export const replayAnswer = named(
  z.strictObject({
    since: z.iso.datetime().nullable().describe('The time in your request; null for what failed.'),
    until: z.iso.datetime().describe('What is sent after this time is not part of the replay.'),
  }),
  'ReplayAnswer',
  { description: 'The times between which events are replayed.' },
);
