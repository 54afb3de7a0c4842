import type { Suite } from '../../core/case.ts';
import { errorsCatalogue } from './catalogue.ts';
import { errorsHeaders } from './headers.ts';
import { errorsHtml } from './html.ts';
import { errorsJson } from './json.ts';
import { errorsMarkdown } from './markdown.ts';
import { errorsNegotiation } from './negotiation.ts';
import { errorsNegotiationRandom } from './negotiation-random.ts';
import { errorsRoute } from './route.ts';
import { errorsZones } from './zones.ts';
import { errorsRecorded } from './recorded.ts';

/** Cases of platform errors, which a zone shows at its error route. */
export const errors: Suite = [
  ...errorsNegotiation,
  ...errorsNegotiationRandom,
  ...errorsCatalogue,
  ...errorsJson,
  ...errorsMarkdown,
  ...errorsHtml,
  ...errorsHeaders,
  ...errorsZones,
  ...errorsRoute,
  ...errorsRecorded,
];
