import { taken } from '../run/offer.ts';
import type { TestStage } from './stage.ts';

/** What callers need of a stage. With only this they cannot break anything for others. */
export type OpenStage = Pick<TestStage, 'baseUrl' | 'authUrl' | 'dataDir' | 'stack'>;

/**
 * The stage that files of a run share, with the demo data. They run at the same time and in any order: each makes
 * partners, storefronts and transactions of its own, in groups that no other file uses. A test that counts the whole
 * store or breaks something starts its own stage.
 */
export const sharedStage = (): Promise<OpenStage> => taken('TEST_STAGE_URL');
