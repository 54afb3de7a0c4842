import { cloudflare } from '../dialect/cloudflare.ts';
import { neutral } from '../dialect/neutral.ts';

const forms: readonly RegExp[] = [neutral, cloudflare].map(({ tokenPrefix }) => formOf(tokenPrefix));

/**
 * Whether a text has the form of a token, whole or its secret alone, of any dialect and version (BIND-065). It says nothing
 * about whether there is such a token.
 */
export function hasTokenForm(text: string): boolean {
  return forms.some((form) => form.test(text));
}

/** Any digit is taken for that of the version, and any letter for a letter that stands alone. */
function formOf(prefix: string): RegExp {
  const parts = prefix.split('_').map((part) => {
    if (/^v\d$/.test(part)) return 'v\\d';
    return part.length === 1 ? '[A-Za-z]' : part;
  });
  return new RegExp(`^${parts.join('_')}[0-9A-Fa-f]{40}(?:\\?expires=\\d+)?$`);
}
