const special = /[&<>"']/;
const allSpecial = /[&<>"']/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const entityOf = (character: string): string => entities[character] ?? character;

/** A value as text of an element or of a quoted attribute: `& < > " '` escaped (ERR-067). */
export const escapeHtml = (text: string): string => (special.test(text) ? text.replace(allSpecial, entityOf) : text);
