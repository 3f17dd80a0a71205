// The script of the REST reference: buttons that copy examples, and forms that send requests with the token of a login.
import { authorization, canLogin, completeLogin, login, username, wasLoggedIn } from './login.js';

/** An element with its attributes and what it contains. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Partial<HTMLElementTagNameMap[Tag]>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...content);
  return made;
}

/** Puts a button beside a text, which copies it. */
function addCopyButton(place: Element): void {
  const button = element('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(place.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
  });
  place.append(button);
}

/** Leaves for the login page, and returns to an operation. */
function loginAt(place: HTMLElement, silently = false): Promise<void> {
  history.replaceState(null, '', `#${place.closest('section')?.getAttribute('aria-labelledby')}`);
  return login(silently);
}

/** Makes the form of an operation, once it is opened. A login of before is repeated. */
async function openForm(place: HTMLDetailsElement): Promise<void> {
  if (!place.open || place.querySelector('form')) return;
  if (username() === undefined) {
    if (wasLoggedIn()) return loginAt(place, true);
    const button = element('button', { type: 'button' }, 'Log in');
    button.addEventListener('click', () => loginAt(place));
    place.append(element('form', {}, button));
    return;
  }
  place.append(requestForm(place));
}

/** The form that sends an operation and shows the answer. */
function requestForm(place: HTMLElement): HTMLFormElement {
  const { method = '', path = '', queries = '', type = '', body } = place.dataset;
  const inputFor = (name: string, required: boolean) => element('input', { name, required });
  const ofPath = [...path.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => inputFor(name, true));
  const ofQuery = queries
    .split(' ')
    .filter(Boolean)
    .map((name) => inputFor(name, false));
  const text = body === undefined ? undefined : element('textarea', { name: 'body', rows: 8, value: body });
  const fields = [...ofPath, ...ofQuery, ...(text ? [text] : [])];
  const answer = element('pre', { tabIndex: 0, hidden: true });
  answer.setAttribute('role', 'status');
  const form = element(
    'form',
    {},
    ...fields.map((field) => element('label', {}, field.required ? `${field.name} (required)` : field.name, field)),
    element('button', {}, `Send ${method} as ${username()}`),
    answer,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const values = new Map(ofPath.map(({ name, value }) => [name, encodeURIComponent(value)]));
    const query = new URLSearchParams(
      ofQuery.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]),
    );
    const address = path.replace(/\{([\w-]+)\}/g, (_, name: string) => values.get(name) ?? '');
    const token = await authorization();
    // the session is over
    if (token === undefined) return loginAt(place);
    const headers = new Headers({ authorization: token });
    if (text) headers.set('content-type', type);
    const url = query.size > 0 ? `${address}?${query}` : address;
    answer.textContent = '';
    answer.hidden = false;
    answer.textContent = await answerTo(url, { method, headers, body: text?.value ?? null });
  });
  return form;
}

/** What became of a request, to be read. */
async function answerTo(url: string, request: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, request);
    return `${response.status} ${response.statusText}\n${readable(await response.text())}`;
  } catch (error) {
    return `There is no answer: ${error instanceof Error ? error.message : error}`;
  }
}

/** A JSON text with indentation, and others as they are. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

// browsers have a clipboard for secure origins only
if (navigator.clipboard) for (const place of document.querySelectorAll('.copied')) addCopyButton(place);
const hasReturned = await completeLogin();
for (const place of document.querySelectorAll<HTMLDetailsElement>('.try')) {
  place.hidden = !canLogin;
  place.addEventListener('toggle', () => void openForm(place));
}
if (hasReturned && location.hash) {
  const section = document.getElementById(location.hash.slice(1))?.closest('section');
  section?.scrollIntoView();
  const place = section?.querySelector<HTMLDetailsElement>('.try');
  if (place) place.open = true;
}
