import { isLanguage } from '#schemas/language.ts'
import en from '#schemas/locales/en/webchat.json' with { type: 'json' }
import es from '#schemas/locales/es/webchat.json' with { type: 'json' }
import pt from '#schemas/locales/pt/webchat.json' with { type: 'json' }

type Child = Node | string | null | undefined | false
type Props = Readonly<Record<string, unknown>>

/** An element. `on…` are listeners, booleans are attributes without a value, everything else is an attribute. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== false))
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** Paths of lucide icons (ISC), 24 by 24. */
const PATHS = {
  chat: 'M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2zM8 8h8M8 12h5',
  close: 'M18 6 6 18M6 6l12 12',
  minimize: 'M5 12h14',
  menu: 'M5 12h.01M12 12h.01M19 12h.01',
  send: 'M3.7 3.3 21 12 3.7 20.7 7 12zM7 12h14',
  clip: 'm21.4 11.1-9.2 9.2a6 6 0 0 1-8.5-8.5l9.2-9.2a4 4 0 0 1 5.7 5.7l-9.2 9.2a2 2 0 0 1-2.8-2.8l8.5-8.5',
  file: 'M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6',
  left: 'm15 18-6-6 6-6',
  right: 'm9 18 6-6-6-6',
  down: 'm6 9 6 6 6-6',
  pin: 'M20 10c0 5-8 12-8 12s-8-7-8-12a8 8 0 0 1 16 0zM12 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  agent: 'M3 11a9 9 0 0 1 18 0v5a2 2 0 0 1-2 2h-2v-6h4M3 12h4v6H5a2 2 0 0 1-2-2zM19 18a4 4 0 0 1-4 3h-2',
  offline:
    'M2 2l20 20M5.8 5.8A7 7 0 0 0 9 19h8.5c.8 0 1.5-.2 2.1-.5M21.5 16.5A4.5 4.5 0 0 0 17.5 10h-1.8A7 7 0 0 0 10 5.1',
  play: 'M6 3l14 9-14 9z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  restart: 'M3 12a9 9 0 1 0 9-9 9.8 9.8 0 0 0-6.7 2.7L3 8M3 3v5h5',
} as const

type IconName = keyof typeof PATHS

/** Decoration: the button or the text beside it says what it means. */
export const icon = (name: IconName, size = 20): SVGSVGElement => {
  const svg = document.createElementNS(SVG, 'svg')
  const attributes = { viewBox: '0 0 24 24', width: size, height: size, fill: 'none', stroke: 'currentColor' }
  const line = { 'stroke-width': name === 'menu' ? 3 : 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }
  for (const [key, value] of Object.entries({ ...attributes, ...line, 'aria-hidden': true }))
    svg.setAttribute(key, String(value))
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}

/** A picture that goes where it cannot be loaded: a broken one says nothing. */
export const pictureView = (props: Props): HTMLImageElement => {
  const picture = h('img', { ...props, onerror: () => picture.remove() })
  return picture
}

/** An address that a message may lead to; undefined for a scheme that runs something. */
export const safeLink = (address: string | undefined): string | undefined => {
  const url = URL.parse(address ?? '')
  return url !== null && ['https:', 'http:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : undefined
}

/** An address that a picture or a film may come from, absolute or on the origin of the API. */
export const safeMedia = (address: string | null | undefined, base = ''): string | undefined => {
  const url = URL.parse(address ?? '', base || location.href)
  if (!address || url === null) return undefined
  return ['https:', 'http:', 'blob:'].includes(url.protocol) || /^data:image\//.test(address) ? url.href : undefined
}

type TextName = keyof typeof en
const TEXTS = { en, pt, es }

/** The first of these languages that the chat has; Portuguese for none. */
export const chatLanguage = (wanted: readonly (string | null | undefined)[]): keyof typeof TEXTS => {
  for (const each of wanted) {
    const language = each?.toLowerCase().split('-')[0]
    if (isLanguage(language)) return language
  }
  return 'pt'
}

/** The first language that the person wants and the bot has words in, else the bot's own. */
export const spokenLanguage = (
  wanted: readonly (string | null | undefined)[],
  languages: readonly string[],
): string => {
  const tags = wanted.map(each => each?.toLowerCase().split('-')[0] ?? '')
  return tags.find(tag => languages.includes(tag)) ?? languages[0] ?? ''
}

/** Texts of the chat in one language, with double braces filled in. */
export const createTexts =
  (language: keyof typeof TEXTS) =>
  (name: TextName, values: Readonly<Record<string, string | number>> = {}): string =>
    TEXTS[language][name].replace(/\{\{(\w+)\}\}/g, (_whole, key: string) => String(values[key] ?? ''))

export type ChatTexts = ReturnType<typeof createTexts>
