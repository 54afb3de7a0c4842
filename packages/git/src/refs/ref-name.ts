/** Full ref names. A {@link RefName} passed the rules of GIT-120 and GIT-121. */

declare const refNameBrand: unique symbol;

export type RefName = string & { readonly [refNameBrand]: true };
