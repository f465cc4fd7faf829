// What a careful eye would not let pass, as far as a program can see it: things that are wider than
// the window, text that is hard to read against what is behind it, sizes that are not of the scale, things that
// a finger cannot hit, and things that a screen reader cannot name.
import assert from 'node:assert/strict';

/** Runs in the page: complaints about what is to be seen now. */
function see({ phone, least }) {
  const found = [];
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !element.closest('.unseen, .skip');
  const say = (element, what) => found.push(`${what}: <${element.localName} class="${element.getAttribute('class') ?? ''}"> “${
    (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`);
  if (document.documentElement.scrollWidth > window.innerWidth)
    found.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${window.innerWidth}`);

  const channel = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  /** Any colour that CSS can write, as four numbers. */
  function numbers(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }
  const over = ([r, g, b, a], below) => [r, g, b].map((one, i) => one * a + below[i] * (1 - a));
  const light = (rgb) => rgb.map((one) => channel(one / 255)).reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
  function behind(element) {
    if (!element) return [255, 255, 255];
    const colour = numbers(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour.slice(0, 3) : over(colour, behind(element.parentElement));
  }
  function solid(element) {
    let opacity = 1;
    for (let one = element; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
    return opacity;
  }
  const texts = [...document.querySelectorAll('body *:not(script):not(style)')].filter((element) => shown(element) && !element.closest('svg, .uplot, option, :disabled')
    && [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue.trim() !== ''));
  const scale = ['--text-s', '--text', '--text-l', '--text-xl'].map((name) => parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) * 16);
  for (const element of texts) {
    const style = getComputedStyle(element), below = behind(element);
    const [r, g, b, a] = numbers(style.color);
    const ink = light(over([r, g, b, a * solid(element)], below)), ground = light(below);
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (contrast < 4.5) say(element, `contrast of ${contrast.toFixed(2)}`);
    const size = parseFloat(style.fontSize);
    // What is in one type for code looks larger, and is a little smaller.
    if (!scale.some((one) => Math.abs(one - size) < 0.1 || Math.abs(0.92 * one - size) < 0.1)) say(element, `type of ${size} px`);
    const box = element.getBoundingClientRect();
    if (style.overflowX === 'visible' && element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline' && box.right > window.innerWidth && !element.closest('.scroll, .cm-editor, pre'))
      say(element, 'text beyond the edge');
  }
  for (const element of document.querySelectorAll('button, a[href], input, select, summary, [role="switch"]')) {
    if (!phone || !shown(element) || element.closest('.board, .cm-editor, .uplot')) continue;
    const target = element.closest('label') ?? element;
    const { width, height } = target.getBoundingClientRect();
    if (width > 1 && Math.min(width, height) < least - 0.5) say(element, `a target of ${Math.round(width)} by ${Math.round(height)}`);
  }
  return found;
}

const NAMED = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'slider', 'spinbutton', 'radio', 'checkbox', 'switch', 'option', 'image',
  'img', 'dialog', 'group', 'listbox', 'progressbar', 'heading', 'alert', 'timer', 'navigation']);
const ALOUD = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'slider', 'spinbutton', 'radio', 'checkbox', 'switch', 'option', 'image',
  'img', 'listbox', 'progressbar', 'heading', 'dialog']);

/** What a screen reader is told: the tree of what has a role and a name. */
export async function heard(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.filter((node) => !node.ignored && NAMED.has(node.role?.value))
    .map((node) => ({ role: node.role.value, name: node.name?.value ?? '' }));
}

/** Complaints about the page as it is now, in the scheme that it has now. */
export async function complaints(page, phone) {
  const unnamed = (await heard(page)).filter(({ role, name }) => ALOUD.has(role) && name.trim() === '').map(({ role }) => `a ${role} without a name`);
  return [...new Set([...await page.evaluate(see, { phone, least: 40 }), ...unnamed])];
}

/** Nobody has anything to complain about. */
export async function looksRight(page, name, phone = false) {
  assert.deepEqual(await complaints(page, phone), [], name);
}
