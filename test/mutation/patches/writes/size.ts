import type { Patch } from '../../patch.ts';

const size = 'functions/shared/domain/transaction/size.ts';
const sizes = 'test/unit/functions/shared/domain/transaction/size.test.ts';
const bodies = 'test/unit/functions/v2-write/body.test.ts';

export const patches: readonly Patch[] = [
  {
    id: 'size-payments-apart',
    rule: 'WR-4 payments do not count to what is beside them',
    file: size,
    find: 'const { payments: _, ...others } = completeTransaction(transaction);',
    put: 'const others = completeTransaction(transaction);',
    tests: [sizes],
  },
  {
    id: 'size-taken-let-in',
    rule: 'WR-4 a payment already taken is let in beyond half of the room',
    file: size,
    find: 'isTaken ? largestPaymentsBytes : triedPaymentsBytes',
    put: 'isTaken && triedPaymentsBytes > 0 ? triedPaymentsBytes : triedPaymentsBytes',
    tests: [sizes, bodies],
  },
  {
    id: 'size-tried-half',
    rule: 'WR-4 a payment that is only tried has half of the room',
    file: size,
    find: 'isTaken ? largestPaymentsBytes : triedPaymentsBytes',
    put: 'isTaken || triedPaymentsBytes > 0 ? largestPaymentsBytes : triedPaymentsBytes',
    tests: [sizes, bodies],
  },
  {
    id: 'size-payment-alone',
    rule: 'WR-4 a payment is not refused for what others wrote',
    file: size,
    find: 'if (added) return paymentFault(',
    put: 'if (added && paymentFault(paymentsBytesOf(after), added.status === 1)) return paymentFault(',
    tests: [sizes],
  },
  {
    id: 'size-may-shrink',
    rule: 'WR-4 what was too large before may become smaller',
    file: size,
    find: 'before ? bytesBesidePayments(before) : 0',
    put: 'before ? 0 : 0',
    tests: [sizes],
  },
  {
    id: 'size-as-shown',
    rule: 'WR-4 sizes are those of what is shown, so that an export can be imported',
    file: size,
    find: '...others } = completeTransaction(transaction);',
    put: '...others } = transaction;',
    tests: [sizes],
  },
  {
    id: 'size-of-imports',
    rule: 'WR-4 an import is held to what one item holds',
    file: 'bin/operator/import/import-line.ts',
    find: 'if (paymentsBytesOf(transaction) > largestPaymentsBytes)',
    put: 'if (paymentsBytesOf(transaction) < -largestPaymentsBytes)',
    tests: ['test/unit/bin/operator/import/import-line.test.ts'],
  },
  {
    id: 'size-list-answer',
    rule: 'WR-4 a list over 6 MB is 400',
    file: 'functions/shared/http/list-response.ts',
    find: 'if (isTooLarge(response))',
    put: 'if (isTooLarge(response) && data.length === 0)',
    tests: ['test/unit/functions/v2-read/answers.test.ts'],
  },
  {
    id: 'size-per-page-fits',
    rule: 'WR-4 the per-page that is named fits the largest records',
    file: 'functions/shared/http/proxy-result.ts',
    find: '/ Math.max(...sizes)',
    put: '/ Math.min(...sizes)',
    tests: ['test/unit/functions/v2-read/answers.test.ts'],
  },
  {
    id: 'size-kept-answer',
    rule: 'WR-4 a large answer lies beside its record, unescaped',
    file: 'functions/shared/store/requests/requests.ts',
    find: 'answer.body.length > largestInnerBody',
    put: 'answer.body.length > largestInnerBody * 100',
    tests: ['test/integration/store/requests.ports.test.ts'],
  },
];
