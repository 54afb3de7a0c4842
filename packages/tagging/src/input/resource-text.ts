import { isScalarText } from '@packhouse/tag-filter';
import { countCharacters } from '@packhouse/base';

/** Most characters of an id and of a parent (TAG-140). */
const resourceTextMax = 1024;

/** Whether a text may be the id of a resource or its parent (TAG-134, TAG-140). */
export function isResourceText(text: string): boolean {
  return text !== '' && countCharacters(text) <= resourceTextMax && isScalarText(text);
}
