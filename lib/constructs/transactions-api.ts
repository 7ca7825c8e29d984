import type { Construct } from 'constructs';
import type { Addresses, StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import type { GatewayAnswer } from './gateway-responses.ts';
import { RestFront } from './rest-front.ts';
import { ServiceFunction } from './service-function.ts';

/** Links have no `/api` in their paths (LINK-3), so each route exists with and without it. */
const withAndWithoutPrefix = (path: string) => [`/api${path}`, path];

/** The transactions service's front: V1 for checkouts, V2 for partners. */
export class TransactionsApi extends RestFront {
  constructor(scope: Construct, config: StageConfig, data: DataStack) {
    super(scope, 'TransactionsApi', {
      config,
      encryptionKey: data.encryptionKey,
      description: `Transactions (${config.name}): transactions service`,
      answerBody: problemBody,
    });
  }

  serve(addresses: Addresses, data: DataStack): void {
    this.route(
      ['/transaction', '/transaction/{uuid}'].flatMap(withAndWithoutPrefix),
      this.v1(addresses, data),
    );
    this.route(
      [...['/v2/transaction', '/v2/transaction/{uuid}'].flatMap(withAndWithoutPrefix), '/api/v2/partner'],
      this.v2(addresses, data),
    );
  }

  private v1({ baseUrl }: Addresses, { tables, secrets, encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'V1Transaction', {
      config: this.config,
      encryptionKey,
      name: 'v1-transaction',
      reservedConcurrency: this.config.reservedConcurrency.v1Transaction,
      variables: { BASE_URL: baseUrl },
    })
      .reads('TRANSACTIONS_TABLE', tables.transactions)
      .writes('TRANSACTIONS_TABLE', tables.transactions)
      .reads('LISTING_TABLE', tables.listing)
      .writes('LISTING_TABLE', tables.listing)
      .reads('PARTNERS_TABLE', tables.partners)
      .readsSecret('SESSION_KEYS_SECRET', secrets.sessionKeys);
  }

  private v2({ baseUrl, authUrl }: Addresses, { tables, encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'V2Read', {
      config: this.config,
      encryptionKey,
      name: 'v2-read',
      variables: { BASE_URL: baseUrl, AUTH_URL: authUrl, API_AUDIENCE: `${baseUrl}/api/v2` },
    })
      .reads('TRANSACTIONS_TABLE', tables.transactions)
      .reads('LISTING_TABLE', tables.listing)
      .reads('PARTNERS_TABLE', tables.partners);
  }
}

/** RFC 9457 with the members that older clients look for (ERR-1). */
const problemBody = ({ status, title, message }: GatewayAnswer) => ({
  contentType: 'application/problem+json',
  body: {
    type: 'about:blank',
    title,
    status,
    detail: message,
    name: title,
    message,
    code: 0,
    requestId: '$context.requestId',
  },
});
