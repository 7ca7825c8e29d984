import { type Random, randomFrom } from '../../support/builders/random.ts';
import { importInto, operatorOf } from '../../support/stage/operator-of.ts';
import { aPartnerProgram, type Credentials } from '../../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../../support/stage/stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stage/webhook-receiver.ts';
import type { Send } from './load.ts';
import { answeringOf, type CrashPartner, crashLines, writerGrants } from './partners.ts';

/** A stage that can be killed and started again, and endpoints of its partners that live on meanwhile. */
export type CrashWorld = {
  stage: () => TestStage;
  receiver: WebhookReceiver;
  partners: (CrashPartner & { clientId: string })[];
  send: Send;
  /** kill -9, and the same folder again. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
};

export type CrashPlan = { partners: readonly CrashPartner[]; transactions: number; random: Random };

/** Two seconds of rest, and a tick every second. */
const args = ['--dormancy-seconds', '2', '--tick-seconds', '1'];

export const openWorld = async (plan: CrashPlan): Promise<CrashWorld> => {
  const receiver = await startWebhookReceiver();
  let stage = await startStage({ args });
  const operate = operatorOf(stage);
  await importInto(stage, crashLines(plan.transactions));
  const grants = writerGrants.flatMap(({ group }) => ['--grant', `group=${group}`]);
  const writer = await operate<Credentials>('partner', 'create', '--name', 'writer', ...grants);
  const partners: CrashWorld['partners'] = [];
  for (const partner of plan.partners) {
    const answering = answeringOf(partner.habit, randomFrom(plan.random.integer(0, 2 ** 31)));
    if (answering) receiver.answers(partner.name, answering);
    const { name, group } = partner;
    const { clientId } = await operate<Credentials>(
      ...['partner', 'create', '--name', name, '--grant', `group=${group}`],
      ...['--webhook-url', `${receiver.url}/${name}`],
    );
    partners.push({ ...partner, clientId });
  }
  const { write } = await aPartnerProgram(stage, writer);

  let up = Promise.resolve();
  return {
    stage: () => stage,
    receiver,
    partners,
    send: async ({ method, target, body }) => {
      await up;
      // The address stays the same after each start, and the token stays valid.
      const answer = await write(method, target, body).catch(() => undefined);
      return answer?.status;
    },
    crash: async () => {
      await stage.kill();
      const { promise, resolve } = Promise.withResolvers<void>();
      up = promise;
      stage = await stage.restart();
      resolve();
    },
    stop: async () => {
      await stage.stop();
      await receiver.stop();
    },
  };
};
