import type { PublishDeps } from '../shared/publish/publish-deps.ts';

/** What became of the entries of one run. */
export type Tally = { sent: number; unconfirmed: number; oversize: number; parked: number };

/** The same publishing, counted on its way out. */
export const tallied = (publishing: PublishDeps): { publishing: PublishDeps; tally: Tally } => {
  const tally: Tally = { sent: 0, unconfirmed: 0, oversize: 0, parked: 0 };
  const bus: PublishDeps['bus'] = {
    put: async (entries) => {
      const answers = await publishing.bus.put(entries);
      const accepted = entries.filter((_, index) => answers[index]?.outcome === 'accepted');
      tally.sent += accepted.length;
      tally.unconfirmed += answers.filter(({ outcome }) => outcome === 'unconfirmed').length;
      tally.oversize += accepted.filter(({ omitted }) => omitted.length > 0).length;
      return answers;
    },
  };
  const log: PublishDeps['log'] = (name, facts, fault) => {
    if (name === 'deliveryParked') tally.parked += 1;
    publishing.log(name, facts, fault);
  };
  return { publishing: { ...publishing, bus, log }, tally };
};
