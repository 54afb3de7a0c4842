import { cloudflare } from './cloudflare.ts';
import { neutral } from './neutral.ts';

const prefixes: readonly string[] = [neutral, cloudflare].map(({ tokenPrefix }) => patternOf(tokenPrefix));
const forms = prefixes.map((prefix) => new RegExp(`^${prefix}[0-9A-Fa-f]{40}(?:\\?expires=\\d+)?$`));
const beginnings = prefixes.map((prefix) => new RegExp(`^${prefix}`));

/**
 * Tests if a text has the form of a token of any dialect and version, whole or only its secret (BIND-065). The token need
 * not exist.
 */
export function hasTokenForm(text: string): boolean {
  return forms.some((form) => form.test(text));
}

/** Begins the secret of each stored API token, in both dialects, so that scanners recognise a leaked one (REPO-361). */
export const apiTokenPrefix = 'rha_v1_';

/**
 * Tests if a text begins like a token of any dialect and version, like a stored API token, or with `ownPrefix` (GIT-185).
 * Does no look-up.
 */
export function beginsLikeToken(text: string, ownPrefix: string): boolean {
  return (
    text.startsWith(ownPrefix) ||
    text.startsWith(apiTokenPrefix) ||
    beginnings.some((beginning) => beginning.test(text))
  );
}

/** Matches any digit as the version, and any letter in place of a single letter. */
function patternOf(prefix: string): string {
  const parts = prefix.split('_').map((part) => {
    if (/^v\d$/.test(part)) return 'v\\d';
    return part.length === 1 ? '[A-Za-z]' : part;
  });
  return parts.join('_');
}
