const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that are invisible, or change the direction of other text. Line feeds and tabs are neither. */
const hidden =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Escapes a text for an element. Invisible characters appear by their numbers: what a service sent must not hide, nor
 * turn the page around.
 */
export function escapeText(text: string): string {
  const safe = text.toWellFormed().replace(/[&<>]/g, (character) => entities[character] as string);
  return safe.replace(hidden, (character) => `<i class="c">${numberOf(character)}</i>`);
}

/** Escapes a text for a quoted attribute, with invisible characters by their numbers. */
export function escapeAttribute(text: string): string {
  const visible = text.toWellFormed().replace(hidden, (character) => `[${numberOf(character)}]`);
  return visible.replace(/[&<>"']/g, (character) => entities[character] as string);
}

function numberOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
