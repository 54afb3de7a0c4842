import type { Hosting } from '@packhouse/hosting';

/**
 * The OpenAPI 3.1 document of the REST API, as data for JSON. What makes it, a library of schemas, is loaded when it is
 * first asked for. Each call makes a new document: keep it.
 */
export async function describeRest(hosting: Pick<Hosting, 'dialect' | 'settings'>): Promise<object> {
  const { restDocument } = await import('./openapi/document.ts');
  return restDocument(hosting);
}
