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

/** Escapes `& < > " '` for the text of an element or a quoted attribute (ERR-067). */
export const escapeHtml = (text: string): string => (special.test(text) ? text.replace(allSpecial, entityOf) : text);
