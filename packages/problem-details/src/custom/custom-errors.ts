import type { ErrorDialect } from '../dialect/dialect.ts';
import { neutral } from '../dialect/neutral.ts';
import { checkDialect } from './check-dialect.ts';
import { isName, membersOf, type Refuse, refuseIn, textUpTo } from './check.ts';
import { decodedPath } from './decoded-path.ts';
import { errorPageType, type ErrorPageType, errorPageTypes } from './error-page.ts';
import { type ReadyRule, readRule } from './read-rule.ts';
import type { CustomErrorRule, ErrorFacts } from './rule.ts';
import { readTemplate, type Template } from './template.ts';

/** Replacements that the owner of a zone configures for the built-in responses (sections 9 and 10). */
export interface CustomErrorsInput {
  /** The first matching rule applies (ERR-104). */
  readonly rules?: readonly CustomErrorRule[];
  /** HTML pages with tokens, each at most 1,572,864 bytes of UTF-8 (ERR-113, ERR-156). */
  readonly pages?: { readonly [type in ErrorPageType]?: string };
  /** Contents with tokens for rules, by name; each at most 1,572,864 bytes of UTF-8 (ERR-156, ERR-157). */
  readonly assets?: Readonly<Record<string, string>>;
}

/** Checked Custom Error Rules and Error Pages. They are copies, so later changes of the input have no effect. */
export interface CustomErrors {
  /** Sentences about accepted but probably unintended input (ERR-116). */
  readonly warnings: readonly string[];
  /** Box tokens of the dialect for which the pages were parsed. */
  readonly boxTokens: ErrorDialect['boxTokens'];
  /** True if at least one rule is enabled. */
  readonly hasRules: boolean;
  /**
   * Finds the first matching rule (ERR-104). If a condition throws, it does not match, and `onThrow` receives the error
   * (ERR-112).
   */
  readonly match: (
    error: ErrorFacts,
    request: Request,
    onThrow: (thrown: unknown) => void,
  ) => Promise<ReadyRule | undefined>;
  /** Returns the Error Page for a code, if configured. */
  readonly pageFor: (code: number) => Template | undefined;
}

/** Bytes of UTF-8 (ERR-156). */
const longestAsset = 1_572_864;

/**
 * Checks Custom Error Rules and Error Pages when the app configures them.
 *
 * @param dialect dialect of the responses, which names the box tokens of pages. Default `neutral`.
 * @throws CustomErrorsError naming the invalid rule, page or asset, and the member (ERR-108).
 */
export const customErrors = (input: CustomErrorsInput, dialect: ErrorDialect = neutral): CustomErrors => {
  const refuse: Refuse = refuseIn('custom errors');
  checkDialect(dialect, refuse);
  const members = membersOf(input, '', ['rules', 'pages', 'assets'], refuse);
  const member = (name: string, absent: unknown): unknown => (members.has(name) ? members.get(name) : absent);
  const assets = readAssets(member('assets', {}));
  const rules = readRules(member('rules', []), assets).filter(({ enabled }) => enabled);
  const { pages, warnings } = readPages(member('pages', {}), dialect);
  return {
    warnings,
    boxTokens: dialect.boxTokens,
    hasRules: rules.length > 0,
    match: (error, request, onThrow) => firstMatch(rules, error, request, onThrow),
    pageFor: (code) => pages.get(errorPageType(code)),
  };
};

const readAssets = (value: unknown): ReadonlyMap<string, string> => {
  const all = refuseIn('assets');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return all('', 'must be an object');
  const assets = new Map<string, string>();
  for (const [name, text] of Object.entries(value)) {
    const shown = JSON.stringify(name.slice(0, 100));
    if (!isName(name)) all('', `have names of 1 to 200 letters, digits, _ or -, unlike ${shown}`);
    assets.set(name, textUpTo(text, '', longestAsset, refuseIn(`asset ${name}`)));
  }
  return assets;
};

const readRules = (value: unknown, assets: ReadonlyMap<string, string>): readonly ReadyRule[] => {
  const refuse: Refuse = refuseIn('custom errors');
  if (!Array.isArray(value)) return refuse('rules', 'must be a list');
  const ids = new Set<string>();
  return value.map((rule: unknown, index) => {
    const ready = readRule(rule, index + 1, assets);
    if (ids.has(ready.id)) refuseIn(`rule ${ready.id}`)('id', 'is that of a rule before, too');
    ids.add(ready.id);
    return ready;
  });
};

const readPages = (
  value: unknown,
  { boxTokens }: ErrorDialect,
): { readonly pages: ReadonlyMap<ErrorPageType, Template>; readonly warnings: readonly string[] } => {
  const members = membersOf(value, 'pages', errorPageTypes, refuseIn('custom errors'));
  const pages = new Map<ErrorPageType, Template>();
  const warnings: string[] = [];
  for (const type of errorPageTypes) {
    if (!members.has(type)) continue;
    const token = type === '500_errors' ? boxTokens.below1000 : boxTokens.from1000;
    const page = readTemplate(
      textUpTo(members.get(type), '', longestAsset, refuseIn(`page ${type}`)),
      'text/html',
      token,
    );
    if (!page.hasBox) warnings.push(`page ${type} does not say what went wrong: it has no ${token}`);
    pages.set(type, page);
  }
  return { pages, warnings };
};

const firstMatch = async (
  rules: readonly ReadyRule[],
  error: ErrorFacts,
  request: Request,
  onThrow: (thrown: unknown) => void,
): Promise<ReadyRule | undefined> => {
  let path: string | undefined;
  const subject = { error, request, path: () => (path ??= decodedPath(new URL(request.url).pathname)) };
  for (const rule of rules) {
    try {
      const matches = rule.matches(subject);
      if ((typeof matches === 'boolean' ? matches : await matches) === true) return rule;
    } catch (thrown) {
      onThrow(thrown);
    }
  }
  return undefined;
};
