/**
 * Content of the page's only `script` element: the filters, whose state is in the hash of the URL, and buttons to copy.
 * The page shows everything without it. It makes no markup from texts, and no request.
 */
export const script = `
'use strict';
const form = document.forms.filters;
const cases = [...document.querySelectorAll('.case')];
const sections = [...document.querySelectorAll('section.status')];
const boxes = [...form.querySelectorAll('input[name=status]')];
const usual = boxes.map(({ checked }) => checked);
const shownText = document.getElementById('shown');
const none = document.getElementById('none');

const readHash = () => new URLSearchParams(location.hash.startsWith('#?') ? location.hash.slice(2) : '');

function toForm() {
  const state = readHash();
  const wanted = state.get('status')?.split(',');
  boxes.forEach((box, index) => {
    box.checked = wanted === undefined ? usual[index] || ['area', 'requirement', 'text'].some((name) => state.has(name)) : wanted.includes(box.value);
  });
  for (const name of ['area', 'requirement', 'text']) form.elements[name].value = state.get(name) ?? '';
}

function toHash() {
  const state = new URLSearchParams();
  if (boxes.some(({ checked }, index) => checked !== usual[index])) {
    state.set('status', boxes.filter(({ checked }) => checked).map(({ value }) => value).join(','));
  }
  for (const name of ['area', 'requirement', 'text']) {
    const value = form.elements[name].value.trim();
    if (value !== '') state.set(name, value);
  }
  const text = state.toString();
  history.replaceState(null, '', text === '' ? location.pathname + location.search : '#?' + text);
}

function apply() {
  const wanted = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value));
  const area = form.elements.area.value;
  const requirement = form.elements.requirement.value.trim().toUpperCase();
  const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  let count = 0;
  for (const one of cases) {
    const { status, area: its, requirements, find } = one.dataset;
    const fits =
      wanted.has(status) &&
      (area === '' || its === area) &&
      (requirement === '' || requirements.split(' ').some((id) => id.startsWith(requirement))) &&
      words.every((word) => find.includes(word));
    one.hidden = !fits;
    if (fits) count += 1;
  }
  for (const section of sections) section.hidden = section.querySelector('.case:not([hidden])') === null;
  shownText.textContent = count === cases.length ? 'All ' + count + ' cases' : count + ' of ' + cases.length + ' cases';
  none.hidden = count > 0;
}

function openCase() {
  const id = decodeURIComponent(location.hash.slice(1));
  const one = id.startsWith('case/') ? document.getElementById(id) : null;
  if (one === null) return;
  one.hidden = false;
  one.closest('section').hidden = false;
  one.open = true;
  one.scrollIntoView();
}

function onHash() {
  toForm();
  apply();
  openCase();
}

form.addEventListener('input', () => {
  toHash();
  apply();
});
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(() => {
  toHash();
  onHash();
}));
for (const [id, open] of [['open-all', true], ['close-all', false]]) {
  document.getElementById(id).addEventListener('click', () => {
    for (const one of cases) if (!one.hidden) one.open = open;
  });
}
addEventListener('hashchange', () => {
  onHash();
  if (location.hash.startsWith('#?')) document.getElementById('cases').scrollIntoView();
});
addEventListener('beforeprint', () => {
  for (const one of cases) if (!one.hidden && one.dataset.status !== 'pass') one.open = true;
});
document.addEventListener('toggle', ({ target }) => {
  if (!target.open || navigator.clipboard === undefined) return;
  for (const place of target.querySelectorAll('.command:not(:has(button))')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(place.querySelector('pre').textContent);
      button.textContent = 'Copied';
    });
    place.append(button);
  }
}, true);
form.hidden = false;
onHash();
`;
