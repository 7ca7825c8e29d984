/** A command of a guide, and the answer that is printed below it. */
export type Step = {
  command: string;
  /** Run by the operator of the stage, in the folder of the project. */
  isOperators: boolean;
  answer?: string;
};

/** The steps of a guide in Markdown: blocks of `sh`, each with the first block of `text` or `json` that follows it, if one does. */
export const stepsOf = (markdown: string): Step[] => {
  const steps: Step[] = [];
  for (const [, language = '', text = ''] of markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const last = steps.at(-1);
    if ((language === 'text' || language === 'json') && last) last.answer ??= text.trimEnd();
    if (language.startsWith('sh')) steps.push({ command: text, isOperators: language === 'sh local' });
  }
  return steps;
};

/** `NAME=…` gets the reader's value, in single quotes. A name without one stays, and the step fails. */
export const filledIn = (command: string, values: Readonly<Record<string, string>>): string =>
  command.replaceAll(/^(\w+)=…$/gm, (line, name: string) => {
    const value = values[name];
    return value === undefined ? line : `${name}='${value}'`;
  });

/** Whether an answer is the printed one. `…` matches anything, and a JSON document may span lines. */
export const isAsPrinted = (answer: string, printed: string): boolean => {
  const [said = '', wanted = ''] = [answer.trim(), printed.trim()].map(
    printed.trimStart().startsWith('{') ? withoutSpaces : asItIs,
  );
  const parts = wanted.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(said);
};

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '');
const asItIs = (text: string) => text;

/** The first block of a language. */
export const blockOf = (markdown: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(markdown)?.[1] ?? '';
