import { find } from './dom.ts';
import { startPage } from './page.ts';

const { content } = find(document, 'meta[name=api-url]', HTMLMetaElement);
await startPage(new URL(content, location.href).href);
