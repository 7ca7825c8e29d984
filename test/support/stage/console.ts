import type { OpenStage } from './shared-stage.ts';

/** What the console of a stage is asked to do, as its page does it. */
export const consoleOf = ({ baseUrl }: Pick<OpenStage, 'baseUrl'>) => {
  let token: string | undefined;
  const tokenOfPage = async () => {
    const page = await (await fetch(`${baseUrl}/`)).text();
    return /name="console-token" content="([^"]+)"/.exec(page)?.[1] ?? '';
  };
  return async (action: object): Promise<string> => {
    token ??= await tokenOfPage();
    const answer = await fetch(`${baseUrl}/console/act`, {
      method: 'POST',
      headers: { Origin: baseUrl, 'X-Console-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(action),
    });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`The console refused ${JSON.stringify(action)}: ${body}`);
    return (JSON.parse(body) as { said: string }).said;
  };
};
