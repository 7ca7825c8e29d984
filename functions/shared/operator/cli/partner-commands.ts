import type { Command } from 'commander';
import { findPartner, inspectPartner, toPartnerView } from '../partners.ts';
import { addPartnerChangeCommands } from './partner-change-commands.ts';
import { addPartnerLifeCommands } from './partner-life-commands.ts';
import { partnerListText, partnerText } from './partner-text.ts';
import { addRotationCommands } from './rotation-commands.ts';
import { valueOrRefusal } from './sentences.ts';
import type { RunCommand } from './session.ts';
import { addWebhookCommands } from './webhook-commands.ts';

/** `partner …`: who may read what, with which credentials, and where its events go (RUN-4, RUN-5). */
export const addPartnerCommands = (program: Command, run: RunCommand) => {
  const partner = program
    .command('partner')
    .description('V2 partners: credentials, grants, state and webhooks');
  addPartnerLifeCommands(partner, run);
  addReadingCommands(partner, run);
  addPartnerChangeCommands(partner, run);
  addWebhookCommands(partner, run);
  addRotationCommands(partner, run);
};

const addReadingCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('list')
    .description('All partners')
    .action(
      run(async ({ deps }) => {
        const partners = (await deps.partners.all()).map(toPartnerView);
        return { json: partners, text: partnerListText(partners) };
      }),
    );
  partner
    .command('show <name>')
    .description(
      'One partner, by name or client id: grants, age of its secrets, storefronts it sees, and whether the bus has for it what it should',
    )
    .action(
      run(async ({ deps }, _options, name) => {
        const view = await inspectPartner(valueOrRefusal(await findPartner(name, deps), name), deps);
        return { json: view, text: partnerText(view) };
      }),
    );
};
