import type { CustomErrors } from '../custom/custom-errors.ts';
import { sameTokens, wrongDialect } from './check-options.ts';
import type { TellFailure } from './circumstances.ts';
import { boxOf, factsOf, type Incident, tokensOf } from './incident.ts';
import type { SentType } from './headers.ts';
import type { PlatformErrorOptions, PlatformErrorSettings } from './options.ts';

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
export const customBody = async (
  incident: Incident,
  options: PlatformErrorOptions,
  settings: PlatformErrorSettings,
  tell: TellFailure,
): Promise<CustomBody | undefined> => {
  const { rayId, zone } = incident;
  let custom: CustomErrors | undefined;
  try {
    custom = typeof options.customErrors === 'function' ? await options.customErrors(zone) : options.customErrors;
    if (custom === undefined) return undefined;
    if (!sameTokens(custom.boxTokens, settings.dialect.boxTokens)) throw new Error(`customErrors ${wrongDialect}`);
  } catch (thrown) {
    tell(rayId, 'custom-errors', thrown);
    return undefined;
  }
  try {
    const body = (await mayUse(zone, rayId, options, tell))
      ? await ruleBody(custom, incident, options, settings, tell)
      : undefined;
    if (body !== undefined) return body;
  } catch (thrown) {
    tell(rayId, 'rule', thrown);
  }
  try {
    return await pageBody(custom, incident, options, settings);
  } catch (thrown) {
    tell(rayId, 'page', thrown);
    return undefined;
  }
};

/** ERR-111. Where it cannot be told whether a zone has paid for rules, it has none. */
const mayUse = async (
  zone: string,
  rayId: string,
  { mayUseRules }: PlatformErrorOptions,
  tell: TellFailure,
): Promise<boolean> => {
  if (mayUseRules === undefined) return true;
  try {
    return await mayUseRules(zone);
  } catch (thrown) {
    tell(rayId, 'may-use-rules', thrown);
    return false;
  }
};

const ruleBody = async (
  custom: CustomErrors,
  incident: Incident,
  options: PlatformErrorOptions,
  settings: PlatformErrorSettings,
  tell: TellFailure,
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
  incident: Incident,
  options: PlatformErrorOptions,
  settings: PlatformErrorSettings,
): Promise<CustomBody | undefined> => {
  const page = custom.pageFor(incident.entry.code);
  if (page === undefined) return undefined;
  const text = await page.fill(tokensOf(incident, options), boxOf(incident, settings));
  return { text, contentType: 'text/html', status: incident.entry.http_status };
};
