/** Right-to-left languages by primary subtag (IANA language subtag registry). */
const languages = new Set('ar arc arz ckb dv fa glk he iw ji khw ks lrc mzn nqo pnb ps sd syr ug ur uzs yi'.split(' '));

/** Right-to-left scripts by ISO 15924. */
const scripts = new Set('adlm arab aran hebr mand mend nkoo rohg samr syrc thaa yezi'.split(' '));

/** Returns the text direction of a language by its BCP 47 tag. A script in the tag decides. */
export const directionOf = (language: string): 'ltr' | 'rtl' => {
  const [primary = '', ...rest] = language.toLowerCase().split(/[-_]/);
  const script = rest.find((subtag) => /^[a-z]{4}$/.test(subtag));
  const rightToLeft = script === undefined ? languages.has(primary) : scripts.has(script);
  return rightToLeft ? 'rtl' : 'ltr';
};
