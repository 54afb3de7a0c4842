import type { CustomErrors } from '../custom/custom-errors.ts';
import { customErrorsFault } from './custom-errors-fault.ts';
import type { SentType } from './headers.ts';
import { boxOf, factsOf, type Incident, tokensOf } from './incident.ts';
import type { FallbackStage } from './log.ts';
import type { Workings } from './workings.ts';

/** Body of a rule or page. */
export interface CustomBody {
  readonly text: string;
  readonly contentType: SentType;
  readonly status: number;
}

/**
 * Returns the zone owner's body for an incident: of a rule, else of a page, else undefined (ERR-117). Reports failed
 * steps and skips them (ERR-119).
 */
export const customBody = async (workings: Workings, incident: Incident): Promise<CustomBody | undefined> => {
  const attempt = async <T>(stage: FallbackStage, step: () => Promise<T | undefined>): Promise<T | undefined> => {
    try {
      return await step();
    } catch (thrown) {
      workings.tell(incident.rayId, stage, thrown);
      return undefined;
    }
  };
  const custom = await attempt('custom-errors', () => customErrorsOf(workings, incident));
  if (custom === undefined) return undefined;
  // If the check fails, the zone has no rules (ERR-111).
  const mayUse = custom.hasRules && (await attempt('may-use-rules', async () => mayUseRules(workings, incident)));
  const body = mayUse === true ? await attempt('rule', () => ruleBody(custom, workings, incident)) : undefined;
  return body ?? attempt('page', () => pageBody(custom, workings, incident));
};

const customErrorsOf = async (
  { options: { customErrors }, settings: { dialect } }: Workings,
  { zone }: Incident,
): Promise<CustomErrors | undefined> => {
  // Custom errors for all zones were checked at the start.
  if (typeof customErrors !== 'function') return customErrors;
  const custom = (await customErrors(zone)) ?? undefined;
  const fault = custom && customErrorsFault(custom, dialect);
  if (fault !== undefined) throw new Error(`customErrors ${fault}`);
  return custom;
};

const mayUseRules = ({ options: { mayUseRules } }: Workings, { zone }: Incident): boolean | Promise<boolean> =>
  mayUseRules === undefined || mayUseRules(zone);

const ruleBody = async (
  custom: CustomErrors,
  { options, settings, tell }: Workings,
  incident: Incident,
): Promise<CustomBody | undefined> => {
  const rule = await custom.match(factsOf(incident, settings), incident.request, (thrown) =>
    tell(incident.rayId, 'rule', thrown),
  );
  if (rule === undefined) return undefined;
  const text = await rule.template.fill(tokensOf(incident, options));
  return { text, contentType: rule.contentType, status: rule.status ?? incident.entry.http_status };
};

const pageBody = async (
  custom: CustomErrors,
  { options, settings }: Workings,
  incident: Incident,
): Promise<CustomBody | undefined> => {
  const page = custom.pageFor(incident.entry.code);
  if (page === undefined) return undefined;
  const text = await page.fill(tokensOf(incident, options), boxOf(incident, settings));
  return { text, contentType: 'text/html', status: incident.entry.http_status };
};
