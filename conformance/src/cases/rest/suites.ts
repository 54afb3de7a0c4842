import type { Suite } from '../../core/case.ts';
import { accounts } from './accounts.ts';
import { bodies } from './bodies.ts';
import { checkOrder } from './check-order.ts';
import { credentials } from './credentials.ts';
import { dialect } from './dialect.ts';
import { envelopes } from './envelopes.ts';
import { fieldTexts } from './field-texts.ts';
import { permissions } from './permissions.ts';
import { rates } from './rates.ts';
import { requestIds } from './request-ids.ts';
import { routes } from './routes.ts';

/** Every case of the control plane. */
export const rest: Suite = [
  ...accounts,
  ...bodies,
  ...checkOrder,
  ...credentials,
  ...dialect,
  ...envelopes,
  ...fieldTexts,
  ...permissions,
  ...rates,
  ...requestIds,
  ...routes,
];
