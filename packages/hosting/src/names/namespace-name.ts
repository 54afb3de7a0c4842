declare const namespaceNameBrand: unique symbol;

/** A name that {@link parseNamespaceName} let through. */
export type NamespaceName = string & { readonly [namespaceNameBrand]: true };

/** Reads the name of a namespace to create; `undefined` if it breaks a rule (REPO-060, LIM-005). */
export function parseNamespaceName(
  text: string,
  limits: { readonly namespace_name_min: number; readonly namespace_name_max: number },
): NamespaceName | undefined {
  const fits = text.length >= limits.namespace_name_min && text.length <= limits.namespace_name_max;
  return fits && /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(text) && !text.endsWith('-') ? (text as NamespaceName) : undefined;
}
