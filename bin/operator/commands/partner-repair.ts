import type { Command } from 'commander';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { reasonSentence } from '../output/webhook.ts';
import { awaitPartners, type PartnersStanding, withWebhooks } from './webhook-wait-all.ts';

/** `partner repair`: makes rules, targets, destinations and connections match the partners' records (D-09). */
export const addRepairCommand = (partner: Command, run: RunCommand) => {
  partner
    .command('repair')
    .description('Recreate the EventBridge resources of every partner from its record')
    .addHelpText(
      'after',
      `
Use it after the bus, the delivery role or the dead-letter queue was replaced. The service also repairs itself, but later.
Each active endpoint gets two test messages that confirm the repair. You can run the command again at any time. For one
partner, use "partner check-webhook".

Example:
  partner repair`,
    )
    .action(run((context) => repair(context)));
};

const repair = async (context: CommandContext): Promise<CommandResult> => {
  const partners = await withWebhooks(context.deps);
  await context.record('partner repair', {});
  const found = await awaitPartners(context, partners, { areChecked: true });
  return {
    json: { partners: partners.length, ...found },
    text: repairText(partners, found),
    exitCode: found.failing.length + found.waiting.length > 0 ? 1 : 0,
  };
};

const repairText = (partners: readonly Partner[], { failing, waiting }: PartnersStanding): string => {
  const urlOf = (name: string) => partners.find((partner) => partner.name === name)?.webhookUrl;
  return [
    ...failing.map(
      ({ name, reason }) => `Failing: ${name}. ${reasonSentence(reason ?? undefined, urlOf(name))}\n`,
    ),
    ...waiting.map((name) => `Not set up yet: ${name}. "partner show ${name}" shows its state.\n`),
    `Partners with a webhook: ${partners.length}; set up: ${partners.length - failing.length - waiting.length}.\n`,
  ].join('');
};
