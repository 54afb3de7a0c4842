import { isScalarText } from '@packhouse/tag-filter';
import { countCharacters } from '@packhouse/base';

/** Maximum length of an id or a parent in characters (TAG-140). */
const resourceTextMax = 1024;

/** Tests if a text is valid as a resource id or parent (TAG-134, TAG-140). */
export function isResourceText(text: string): boolean {
  return text !== '' && countCharacters(text) <= resourceTextMax && isScalarText(text);
}
