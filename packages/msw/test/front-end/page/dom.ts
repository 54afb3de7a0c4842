/** Returns the element that a selector finds; the page must have it. */
export function find<E extends Element>(within: ParentNode, selector: string, type: new () => E): E {
  const found = within.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Returns a copy of the content of a template in the page. */
export function copyOf(template: string): DocumentFragment {
  return document.importNode(find(document, template, HTMLTemplateElement).content, true);
}
