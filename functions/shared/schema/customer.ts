import { label, open, text, yesOrNo } from './fields.ts';

/** The buyer; open. */
export const customer = open({
  title: label,
  firstName: label,
  lastName: label,
  email: text(254),
  mobile: label,
  landline: label,
  address: open({
    line1: label,
    line2: label,
    town: label,
    county: label,
    postcode: label,
    country: label,
  }),
  marketing: open({ email: yesOrNo, sms: yesOrNo, post: yesOrNo }),
});
