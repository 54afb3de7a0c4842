import { cloudflare } from './cloudflare.ts';
import { neutral } from './neutral.ts';

const prefixes: readonly string[] = [neutral, cloudflare].map(({ tokenPrefix }) => patternOf(tokenPrefix));
const forms = prefixes.map((prefix) => new RegExp(`^${prefix}[0-9A-Fa-f]{40}(?:\\?expires=\\d+)?$`));
const beginnings = prefixes.map((prefix) => new RegExp(`^${prefix}`));

/**
 * Whether a text has the form of a token, whole or its secret alone, of any dialect and version (BIND-065). It says nothing
 * about whether there is such a token.
 */
export function hasTokenForm(text: string): boolean {
  return forms.some((form) => form.test(text));
}

/** Whether a text begins like a token of any dialect and version, or with `ownPrefix` (GIT-185). Nothing is looked up. */
export function beginsLikeToken(text: string, ownPrefix: string): boolean {
  return text.startsWith(ownPrefix) || beginnings.some((beginning) => beginning.test(text));
}

/** Any digit is taken for that of the version, and any letter for a letter that stands alone. */
function patternOf(prefix: string): string {
  const parts = prefix.split('_').map((part) => {
    if (/^v\d$/.test(part)) return 'v\\d';
    return part.length === 1 ? '[A-Za-z]' : part;
  });
  return parts.join('_');
}
