import type { Construct } from 'constructs';
import type { Addresses } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { isOnThisMachine } from '../../emulated-account.ts';
import type { DormantPublisher } from '../events/dormant-publisher.ts';
import type { EndpointKeeper } from '../events/endpoint-keeper.ts';
import { ServiceFunction } from '../service-function.ts';
import { listingRuns, valueRuns } from '../stores/table.ts';
import { type ApiProps, ServiceRestApi } from './rest-api.ts';

const acceptedFindings = {
  'AwsSolutions-APIG2':
    'Names with brackets fail the validation of the gateway; each function parses its request by one schema (QS-1).',
  'AwsSolutions-APIG4':
    'Functions verify tokens and sessions themselves, so that refusals have the documented shape and nothing is cached (TH-09); metadata are public.',
};

/** A write puts and deletes entries, adds to counters, and takes numbers from sequences. */
const listingWrites = {
  PutItem: listingRuns,
  UpdateItem: ['c#*', 'seq'],
  DeleteItem: listingRuns,
} as const;

/** Links have no `/api` in their paths, so each route exists with and without it (LINK-2). */
const withAndWithoutPrefix = (path: string) => [`/api${path}`, path];

/** The REST API of the transactions service: V1 for checkouts, V2 for partners. */
export class TransactionsApi extends ServiceRestApi {
  constructor(scope: Construct, props: ApiProps) {
    super(scope, 'TransactionsApi', {
      ...props,
      ownHost: props.config.ownDomain?.baseHost,
      description: `Transactions (${props.config.name}): transactions service`,
      name: 'transactions',
      acceptedFindings,
    });
  }

  serve(
    addresses: Addresses,
    data: DataStack,
    { publisher, keeper }: { publisher: DormantPublisher; keeper: EndpointKeeper },
  ): void {
    const lists = '/v2/transaction';
    const single = '/v2/transaction/{uuid}';
    const v1 = this.v1(addresses, data);
    const v2Read = this.v2Read(addresses, data);
    const v2Write = this.v2Write(addresses, data);
    const v2Partner = this.v2Partner(addresses, data);

    this.route(['/transaction', '/transaction/{uuid}', '/session'].flatMap(withAndWithoutPrefix), v1);
    this.route([lists, single].flatMap(withAndWithoutPrefix), v2Read);
    publisher.grantMessage(v2Write);
    this.route(withAndWithoutPrefix(single), v2Write, ['PATCH', 'PUT']);
    this.route(withAndWithoutPrefix('/v2/payment'), v2Write);
    const linked = ['/v2/event', '/v2/webhook', '/v2/webhook/signature', '/v2/webhook/test'];
    publisher.grantMessage(v2Partner);
    keeper.grantRequest(v2Partner);
    this.route(
      ['/api/v2/partner', '/api/v2/event/replay', ...linked.flatMap(withAndWithoutPrefix)],
      v2Partner,
    );
  }

  /** Routes the metadata of RFC 9728, which is at the resource's address, to the token service's function (M-11). */
  describe(issueToken: ServiceFunction): void {
    const wellKnown = '/.well-known/oauth-protected-resource';
    this.route([wellKnown, `${wellKnown}/api/v2`], issueToken);
  }

  /** Serves public documents, without rights to tables or secrets. Its concurrency is reserved, so readers starve nobody. */
  document({ baseUrl, authUrl }: Addresses, { encryptionKey }: Pick<DataStack, 'encryptionKey'>): void {
    const serveDocs = new ServiceFunction(this, 'ServeDocs', {
      config: this.config,
      encryptionKey,
      name: 'serve-docs',
      reservedConcurrency: this.config.reservedConcurrency.serveDocs,
      variables: { BASE_URL: baseUrl, AUTH_URL: authUrl },
    });
    const pages = ['/openapi.json', '/docs', '/docs/{page+}', '/llms.txt', '/.well-known/api-catalog'];
    this.route(pages, serveDocs);
  }

  private v1({ baseUrl }: Addresses, { tables, secrets, encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'V1Transaction', {
      config: this.config,
      encryptionKey,
      name: 'v1-transaction',
      reservedConcurrency: this.config.reservedConcurrency.v1Transaction,
      variables: { BASE_URL: baseUrl },
    })
      .uses('TRANSACTIONS_TABLE', tables.transactions, ['GetItem', 'BatchGetItem', 'PutItem'])
      .uses('LISTING_TABLE', tables.listing, { Query: ['s#*'], ...listingWrites })
      .uses('REQUESTS_TABLE', tables.requests, {
        GetItem: ['IDEM#*', 'SEAL#V1', 'SESSION#*'],
        PutItem: ['IDEM#*'],
        UpdateItem: ['SESSION#*', 'SEAL#V1'],
      })
      .uses('PARTNERS_TABLE', tables.partners, { GetItem: ['KEYS', 'STAGE'], Query: ['ORIGIN#*'] })
      .readsSecret('SESSION_KEYS_SECRET', secrets.sessionKeys);
  }

  private v2Read({ baseUrl, authUrl }: Addresses, { tables, encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'V2Read', {
      config: this.config,
      encryptionKey,
      name: 'v2-read',
      variables: { BASE_URL: baseUrl, AUTH_URL: authUrl, API_AUDIENCE: `${baseUrl}/api/v2` },
    })
      .uses('TRANSACTIONS_TABLE', tables.transactions, ['GetItem', 'BatchGetItem'])
      .uses('LISTING_TABLE', tables.listing, {
        Query: ['a#*', 'c#*', 'e#*', ...valueRuns],
      })
      .uses('PARTNERS_TABLE', tables.partners, { GetItem: ['PARTNER#*', 'KEYS'], Query: ['ESTATE#*'] })
      .knows('PARTNER_REQUESTS_PER_MINUTE', String(this.config.partnerRequestsPerMinute))
      .uses('REQUESTS_TABLE', tables.requests, {
        GetItem: ['REVOKED#*', 'SEAL#*'],
        UpdateItem: ['RATE#*', 'SEAL#*'],
      });
  }

  /**
   * Reads a partner's own data, puts passes, which publish-dormant works off, and stores wishes for the webhook. Of a profile
   * it sets only those wishes, and it reads no signature (S-80).
   */
  private v2Partner(
    { baseUrl, authUrl }: Addresses,
    { tables, audit, encryptionKey }: DataStack,
  ): ServiceFunction {
    return new ServiceFunction(this, 'V2Partner', {
      config: this.config,
      encryptionKey,
      name: 'v2-partner',
      reservedConcurrency: this.config.reservedConcurrency.v2Partner,
      variables: { BASE_URL: baseUrl, AUTH_URL: authUrl, API_AUDIENCE: `${baseUrl}/api/v2` },
    })
      .knows('STAGE', this.config.name)
      .knows('LOOPBACK_ENDPOINTS', isOnThisMachine(this.config) ? 'allowed' : 'refused')
      .knows('PARTNER_REQUESTS_PER_MINUTE', String(this.config.partnerRequestsPerMinute))
      .uses('TRANSACTIONS_TABLE', tables.transactions, ['BatchGetItem'])
      .uses('PARTNERS_TABLE', tables.partners, {
        GetItem: ['PARTNER#*', 'USE#*', 'KEYS'],
        BatchGetItem: ['PARTNER#*', 'STAGE'],
        Query: ['ESTATE#*'],
      })
      .setsOfPartners(tables.partners, 'PARTNER#*', ['webhook'])
      .setsOfPartners(tables.partners, 'WEBHOOK#*', ['signature', 'next'])
      .appendsAudit(tables.partners, audit)
      .uses('REQUESTS_TABLE', tables.requests, {
        GetItem: ['IDEM#*', 'REVOKED#*'],
        PutItem: ['IDEM#*'],
        UpdateItem: ['RATE#*'],
      })
      .uses('DEBOUNCE_TABLE', tables.debounce, {
        // What a partner was sent and is owed; of a transaction, the lines of its sendings.
        Query: ['LOG#*', 'TO#*', 'TX#*'],
        // No address is set while a removal runs.
        ConditionCheckItem: ['PASS#*'],
        PutItem: ['PASS#*'],
      });
  }

  /** Writes transactions, the listing, and markers of completions, which publish-dormant sends (S-80). */
  private v2Write({ baseUrl, authUrl }: Addresses, { tables, encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'V2Write', {
      config: this.config,
      encryptionKey,
      name: 'v2-write',
      reservedConcurrency: this.config.reservedConcurrency.v2Write,
      variables: { BASE_URL: baseUrl, AUTH_URL: authUrl, API_AUDIENCE: `${baseUrl}/api/v2` },
    })
      .uses('TRANSACTIONS_TABLE', tables.transactions, ['GetItem', 'PutItem'])
      .uses('LISTING_TABLE', tables.listing, listingWrites)
      .knows('PARTNER_REQUESTS_PER_MINUTE', String(this.config.partnerRequestsPerMinute))
      .uses('REQUESTS_TABLE', tables.requests, {
        GetItem: ['IDEM#*', 'REVOKED#*'],
        PutItem: ['IDEM#*'],
        UpdateItem: ['RATE#*'],
      })
      .uses('PARTNERS_TABLE', tables.partners, { GetItem: ['PARTNER#*', 'KEYS'], Query: ['ESTATE#*'] })
      .uses('DEBOUNCE_TABLE', tables.debounce, { PutItem: ['TX#*'] });
  }
}
