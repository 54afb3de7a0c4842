import type { Hosting } from '@packhouse/hosting';

/** The OpenAPI 3.1 document of the REST API. What makes it is loaded when it is first asked for. */
export async function describeRest(hosting: Pick<Hosting, 'dialect' | 'settings'>): Promise<object> {
  const { restDocument } = await import('./openapi/document.ts');
  return restDocument(hosting);
}
