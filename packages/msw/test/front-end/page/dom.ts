/** The element that a selector finds, which the page has. */
export function find<E extends Element>(within: ParentNode, selector: string, type: new () => E): E {
  const found = within.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** A copy of what is in a template of the page. */
export function copyOf(template: string): DocumentFragment {
  return document.importNode(find(document, template, HTMLTemplateElement).content, true);
}
