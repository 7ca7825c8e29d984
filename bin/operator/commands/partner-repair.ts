import type { Command } from 'commander';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { reasonSentence } from '../output/webhook.ts';
import { awaitPartners, type PartnersStanding, withWebhooks } from './webhook-wait-all.ts';

/** `partner repair`: makes rules, targets, destinations and connections match the partners' records (D-09). */
export const addRepairCommand = (partner: Command, run: RunCommand) => {
  partner
    .command('repair')
    .description('Have what the bus has for every partner made as its record says')
    .addHelpText(
      'after',
      `
After the bus, the delivery role or the dead-letter queue was made anew: the service finds it by itself, and at once with this
command. Each endpoint that is on gets two test messages, by which its repair is known to be through. It may be run again at
any time. For one partner, "partner check-webhook" does the same.

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
    ...waiting.map(
      (name) => `Not as its record says yet: ${name}. "partner show ${name}" says how it stands.\n`,
    ),
    `Partners with a webhook: ${partners.length}; as they should be: ${partners.length - failing.length - waiting.length}.\n`,
  ].join('');
};
