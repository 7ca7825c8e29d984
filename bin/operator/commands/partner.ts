import type { Command } from 'commander';
import type { CommandGroup, RunCommand } from '../context.ts';
import { partnerListText, partnerText } from '../output/partner.ts';
import { findPartner, inspectPartner, listPartners } from '../partners/partners.ts';
import { valueOrUserError } from '../refusals.ts';
import { addPartnerChangeCommands } from './partner-access.ts';
import { addPartnerLifeCommands } from './partner-lifecycle.ts';
import { addRepairCommand } from './partner-repair.ts';
import { addRotationCommands } from './partner-rotation.ts';
import { addWebhookCommands } from './partner-webhook.ts';

const addPartnerCommands = (program: Command, run: RunCommand) => {
  const partner = program
    .command('partner')
    .description('V2 partners: credentials, grants, state and webhooks');
  addPartnerLifeCommands(partner, run);
  addReadingCommands(partner, run);
  addPartnerChangeCommands(partner, run);
  addWebhookCommands(partner, run);
  addRepairCommand(partner, run);
  addRotationCommands(partner, run);
};

/** `partner …`: grants, credentials and webhooks of partners (RUN-5). */
export const partnerCommands: CommandGroup = {
  add: addPartnerCommands,
  rights: {
    // Passes over what waits for a partner.
    Debounce: ['ConditionCheckItem', 'PutItem'],
    EndpointKeeperRequests: ['SendMessage'],
    'Partners/ESTATE#*': ['Query'],
    'Partners/GRANT#*': ['UpdateItem'],
    'Partners/HASHES#*': ['BatchGetItem', 'DeleteItem', 'PutItem', 'UpdateItem'],
    'Partners/KEYS': ['GetItem'],
    'Partners/PARTNER#*': ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
    'Partners/PARTNERS': ['DeleteItem', 'GetItem', 'PutItem', 'Query'],
    'Partners/STAGE': ['GetItem'],
    'Partners/STOREFRONTS': ['Query'],
    'Partners/USE#*': ['BatchGetItem', 'DeleteItem', 'GetItem'],
    'Partners/WEBHOOK#*': ['DeleteItem', 'PutItem', 'UpdateItem'],
    Pepper: ['GetSecretValue'],
  },
};

const addReadingCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('list')
    .description('List partners')
    .action(
      run(async ({ deps }) => {
        const partners = await listPartners(deps);
        return { json: partners, text: partnerListText(partners) };
      }),
    );
  partner
    .command('show <name>')
    .description(
      'Show a partner, by name or client ID: grants, age of secrets, storefronts, and whether its webhook is set up in EventBridge',
    )
    .action(
      run(async ({ deps }, _options, name) => {
        const view = await inspectPartner(valueOrUserError(await findPartner(name, deps), name), deps);
        return { json: view, text: partnerText(view) };
      }),
    );
};
