import { serialize } from 'node:v8';
import type { StageConfig } from '../../../lib/config.ts';
import type { Answer, Questions } from './questions.ts';
import type { StageTemplates } from './stack-template.ts';

/**
 * Asks the synthesis of this run, a thread in which Node has loaded the CDK once for all files: under jest that takes four
 * seconds a file. Outside a run there is no thread, and the process loads it itself. A refusal is thrown, as synthesis does.
 */
export const ask = async <Name extends keyof Questions>(
  name: Name,
  ...given: Parameters<Questions[Name]>
): Promise<ReturnType<Questions[Name]>> => {
  const answer = await answerOf(process.env.TEST_SYNTHESIS_URL, name, given);
  if ('refusal' in answer) throw new Error(answer.refusal);
  return answer.value as ReturnType<Questions[Name]>;
};

const answerOf = async (
  url: string | undefined,
  name: keyof Questions,
  given: unknown[],
): Promise<Answer<unknown>> => {
  if (url === undefined) return (await import('./questions.ts')).answerTo(name, given);
  // JSON has no NaN, which is one of the refused times.
  const response = await fetch(`${url}/${name}`, { method: 'POST', body: serialize(given) });
  return (await response.json()) as Answer<unknown>;
};

/** The templates of a configuration; those of the stages as they are configured are `templatesOf`. */
export const synthesise = (config: StageConfig): Promise<StageTemplates> => ask('templates', config);
