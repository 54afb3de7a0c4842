import type { CustomErrors } from '../custom/custom-errors.ts';
import { customErrorsFault } from './custom-errors-fault.ts';
import type { SentType } from './headers.ts';
import { boxOf, factsOf, type Incident, tokensOf } from './incident.ts';
import type { FallbackStage } from './log.ts';
import type { Workings } from './workings.ts';

/** What a rule or a page sends. */
export interface CustomBody {
  readonly text: string;
  readonly contentType: SentType;
  readonly status: number;
}

/**
 * What the owner of the zone has for an incident: by a rule, else by a page, else nothing (ERR-117). What fails is told
 * and left out (ERR-119).
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
  // Where it cannot be told whether a zone has paid for rules, it has none (ERR-111).
  const mayUse = custom.hasRules && (await attempt('may-use-rules', async () => mayUseRules(workings, incident)));
  const body = mayUse === true ? await attempt('rule', () => ruleBody(custom, workings, incident)) : undefined;
  return body ?? attempt('page', () => pageBody(custom, workings, incident));
};

const customErrorsOf = async (
  { options: { customErrors }, settings: { dialect } }: Workings,
  { zone }: Incident,
): Promise<CustomErrors | undefined> => {
  // Those that are the same for all zones were checked at the start.
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
