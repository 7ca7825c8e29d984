import type { TestStage } from './stage.ts';

/** What the page of a stage is asked to do by its buttons; resolves with what it tells the person. */
export const pageOf =
  ({ baseUrl }: Pick<TestStage, 'baseUrl'>) =>
  async (action: object): Promise<string> => {
    const answer = await fetch(`${baseUrl}/stage.json`, { method: 'POST', body: JSON.stringify(action) });
    return ((await answer.json()) as { said: string }).said;
  };
