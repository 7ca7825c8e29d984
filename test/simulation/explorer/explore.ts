import { evaluate } from '../checks/checks.ts';
import type { Finding } from '../checks/facts.ts';
import { historyText } from '../checks/history-text.ts';
import { createExplorer } from './explorer.ts';
import { type Scenario, uuid } from './scenarios.ts';
import { openScene } from './scene.ts';

export type Explored = { orders: number; findings: Finding[]; text: string };

/** Every order of a scenario within its bounds, up to the first one that goes wrong. */
export const explore = async (scenario: Scenario, most = Number.POSITIVE_INFINITY): Promise<Explored> => {
  const explorer = createExplorer(scenario.bounds);
  let orders = 0;
  do {
    orders += 1;
    const scene = openScene(explorer, { ...scenario, uuid });
    await scenario.prepare(scene);
    scene.begin();
    const tasks = scenario.tasks(scene).map((task) => task());
    for (const task of tasks) task.catch(() => {});
    await explorer.run(scene.noteDeath);
    const { facts, findings } = evaluate(await scene.comeToRest([uuid]));
    if (findings.length > 0) {
      const text = `order ${orders}, choices ${explorer.choices().join(' ')}\n${historyText(facts, findings)}`;
      return { orders, findings, text };
    }
  } while (orders < most && explorer.advance());
  return { orders, findings: [], text: '' };
};
