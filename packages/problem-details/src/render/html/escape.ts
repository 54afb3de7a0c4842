const special = /[&<>"']/;

/** A value as text of an element or of a quoted attribute: `& < > " '` escaped (ERR-067). */
export const escapeHtml = (text: string): string =>
  special.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;')
    : text;
