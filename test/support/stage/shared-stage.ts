import type { TestStage } from './stage.ts';

/** What callers of a stage need of it; whoever has only this can break nothing for others. */
export type OpenStage = Pick<TestStage, 'baseUrl' | 'authUrl' | 'dataDir' | 'stack'>;

/**
 * The stage that files of a run share, with the demo data. They run at the same time and in any order: each makes partners,
 * storefronts and transactions of its own, in groups that no other file uses. What counts the whole store or breaks
 * something starts a stage for itself.
 */
export const sharedStage = async (): Promise<OpenStage> => {
  const answer = await fetch(process.env.TEST_STAGE_URL ?? '');
  const stage = (await answer.json()) as OpenStage & { error?: string };
  if (stage.error !== undefined) throw new Error(stage.error);
  return stage;
};
