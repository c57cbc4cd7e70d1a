import { parseXml, XmlElement } from '@rgrove/parse-xml'

const elementsIn = (parent: XmlElement, ...names: readonly string[]): readonly XmlElement[] =>
  parent.children.filter(child => child instanceof XmlElement).filter(({ name }) => names.includes(name))

/** Text of the first of these elements that has any. */
const textIn = (parent: XmlElement, ...names: readonly string[]): string =>
  names
    .flatMap(name => elementsIn(parent, name))
    .map(({ text }) => text.trim())
    .find(text => text !== '') ?? ''

/** An http(s) address, a relative one resolved if a base is given; '' for everything else. */
const webAddress = (text: string | undefined, base?: string): string => {
  const trimmed = text?.trim() ?? ''
  const url = trimmed === '' ? null : URL.parse(trimmed, base)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : ''
}

/** Base of relative addresses in an element: its `xml:base`, which may be relative itself, else the outer base. */
const baseOf = ({ attributes }: XmlElement, around: string | undefined): string | undefined =>
  webAddress(attributes['xml:base'], around) || around

/** Limit of HTML searched for pictures, in characters. */
const MAX_HTML = 100_000
/** Pixels of a side; smaller pictures are tracking pixels and show nothing. */
const MIN_SIDE = 3
const TRACKER_HOST =
  /(?:^|\.)(?:feedsportal\.com|pixel\.wp\.com|stats\.wordpress\.com|doubleclick\.net|google-analytics\.com|scorecardresearch\.com|quantserve\.com)$/i
const TRACKER_PATH =
  /(?:^|\.)(?:feedburner\.com\/~r|facebook\.com\/tr\b|feeds\.wordpress\.com\/1\.0)|\/(?:pixel|1x1|spacer|blank|transparent|tracker|tracking|beacon)(?:\.gif|\.png|$)/i
const PICTURE_PATH = /\.(?:jpe?g|png|gif|webp|avif)$/i

const isTracker = (address: string): boolean => {
  const { hostname = '', host = '', pathname = '' } = URL.parse(address) ?? {}
  return TRACKER_HOST.test(hostname) || TRACKER_PATH.test(`${host}${pathname}`)
}

const isTooSmall = (...sides: readonly (string | undefined)[]): boolean =>
  sides.some(side => side !== undefined && /^\d/.test(side) && Number.parseInt(side, 10) < MIN_SIDE)

/** True for an element whose style hides it or makes it one or two pixels large. */
const isHidden = (style = ''): boolean =>
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:max-)?(?:width|height)\s*:\s*[0-2](?:px)?\s*(?:;|!|$))/i.test(
    style,
  )

const htmlAttribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.replaceAll('&amp;', '&')
}

type Attribute = (name: string) => string | undefined

/** The address of a picture that is visible to a person. */
const seenSource = (attribute: Attribute): readonly string[] => {
  const source = attribute('src')
  const isSeen = !isTooSmall(attribute('width'), attribute('height')) && !isHidden(attribute('style'))
  return source !== undefined && isSeen ? [source] : []
}

const picturesIn = (html: string): readonly string[] =>
  [...html.slice(0, MAX_HTML).matchAll(/<img\b[^<>]{0,3000}>/gi)].flatMap(([tag]) =>
    seenSource(name => htmlAttribute(tag, name)),
  )

/** Pictures of XHTML, whose elements belong to the document. */
const picturesBelow = (element: XmlElement): readonly string[] =>
  element.children
    .filter(child => child.type === 'element')
    .map(child => child as XmlElement)
    .flatMap(child => [
      ...(/^(?:\w+:)?img$/.test(child.name) ? seenSource(name => child.attributes[name]) : []),
      ...picturesBelow(child),
    ])

/** Decides by the element's type, else by the name of the file. */
const isPicture = ({ attributes: { type, medium, url = '' } }: XmlElement): boolean =>
  medium === 'image' ||
  type?.startsWith('image/') === true ||
  (medium === undefined && type === undefined && PICTURE_PATH.test(url.replace(/[?#].*$/u, '')))

/** The first picture that an item names, in any of the common ways. */
const pictureOf = (item: XmlElement, base: string | undefined, html: readonly string[]): string => {
  const media = elementsIn(item, 'media:group', 'media:content')
  const groups = [item, ...media, ...media.flatMap(group => elementsIn(group, 'media:content'))]
  const within = (...names: readonly string[]) =>
    groups
      .flatMap(group => elementsIn(group, ...names))
      .filter(({ attributes: { width, height } }) => !isTooSmall(width, height))
  const texts = elementsIn(item, ...html)
  const found = [
    ...within('enclosure', 'media:content')
      .filter(isPicture)
      .map(({ attributes }) => attributes.url),
    ...elementsIn(item, 'link')
      .filter(isPicture)
      .map(({ attributes }) => attributes.href),
    ...within('media:thumbnail').map(({ attributes }) => attributes.url),
    ...elementsIn(item, 'itunes:image').map(({ attributes }) => attributes.href),
    ...elementsIn(item, 'image').map(image => elementsIn(image, 'url')[0]?.text ?? image.text),
  ].map(address => webAddress(address, base))
  const inTexts = texts.flatMap(text =>
    [...picturesIn(text.text), ...picturesBelow(text)].map(address => webAddress(address, baseOf(text, base))),
  )
  return [...found, ...inTexts].find(address => address !== '' && !isTracker(address)) ?? ''
}

const OPAQUE: readonly (readonly [open: string, close: string])[] = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
]

/** XML from its declaration on: white space, comments and a byte order mark before it are common mistakes. */
const fromDeclaration = (xml: string): string => {
  const space = /\s*/y
  let at = 0
  for (;;) {
    space.lastIndex = at
    at += space.exec(xml)?.[0].length ?? 0
    const end = xml.startsWith('<!--', at) ? xml.indexOf('-->', at + 4) : -1
    if (end === -1) break
    at = end + 3
  }
  return xml.startsWith('<?xml ', at) ? xml.slice(at) : xml.trimStart()
}

/** Escapes each `&` that begins no reference, as in addresses. */
const withReferences = (text: string): string => text.replaceAll(/&(?!#?\w{1,40};)/g, '&amp;')

/** Applies a change to a document except inside CDATA and comments. */
const outsideOpaque = (xml: string, change: (text: string) => string): string => {
  const parts: string[] = []
  const opening = /<!\[CDATA\[|<!--/g
  for (let at = 0; ; ) {
    opening.lastIndex = at
    const found = opening.exec(xml)
    parts.push(change(xml.slice(at, found?.index)))
    if (found === null) return parts.join('')
    const [open, close = ''] = OPAQUE.find(([each]) => each === found[0]) ?? ['']
    const end = xml.indexOf(close, found.index + open.length)
    at = end === -1 ? xml.length : end + close.length
    parts.push(xml.slice(found.index, at))
  }
}

/** Repairs mistakes in a feed's text that feed readers tolerate and a strict XML parser refuses. */
const wellFormed = (xml: string): string => {
  // XML allows only these three control characters.
  const allowed = fromDeclaration(xml).replaceAll(/[^\t\n\r -\ufffd]/g, '')
  return outsideOpaque(allowed, withReferences)
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  bull: '•',
  hellip: '…',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™',
  minus: '−',
  rarr: '→',
  larr: '←',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
}
/** Names of the characters from U+00A0 on, in their order. */
const LATIN_NAMES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const FIRST_LATIN = 0xa0
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(NAMED),
  ...LATIN_NAMES.split(' ').map((name, index) => [name, String.fromCodePoint(FIRST_LATIN + index)] as const),
])
/** Limits of the text that is read and of the text that is returned, in characters. */
const MAX_INPUT_LENGTH = 20_000
const MAX_OUTPUT_LENGTH = 2_000

const windows1252 = new TextDecoder('windows-1252')

/** As in HTML, numbers from 128 to 159 are those of windows-1252. */
const characterOf = (point: number): string =>
  point >= 0x80 && point <= 0x9f ? windows1252.decode(Uint8Array.of(point)) : String.fromCodePoint(point).toWellFormed()

const entity = (whole: string, name: string): string => {
  const code = /^#x([\da-f]{1,6})$/i.exec(name)?.[1]
  const point = code === undefined ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(code, 16)
  if (Number.isInteger(point) && point > 0 && point <= 0x10ffff) return characterOf(point)
  return ENTITIES.get(name) ?? whole
}

/** Visible text of HTML: no tags, no scripts, one space between words. */
const plainText = (html: string): string =>
  html
    .slice(0, MAX_INPUT_LENGTH)
    .replace(/<(script|style)\b[^<>]*>[^<]*/gi, ' ')
    .replace(/<!--[^<>]*-->|<[^<>]*>/g, ' ')
    .replace(/&(#?\w{1,8});/g, entity)
    .replace(/[\u0080-\u009f]/g, control => characterOf(control.charCodeAt(0)))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_OUTPUT_LENGTH)

interface FeedItem {
  readonly title: string
  readonly description: string
  /** '' if there is none, or if it is not a web address. */
  readonly link: string
  readonly image: string
}

export interface Feed {
  readonly title: string
  readonly items: readonly FeedItem[]
}

/** Of several links for readers, returns the first that leads to a page. */
const alternateOf = (item: XmlElement, base: string | undefined): string => {
  const links = elementsIn(item, 'link', 'atom:link').filter(
    ({ attributes: { rel = 'alternate' } }) => rel === 'alternate',
  )
  const isPage = ({ attributes: { type = 'text/html' } }: XmlElement) => /html/i.test(type)
  return (
    [...links.filter(isPage), ...links]
      .map(link => webAddress(link.attributes.href ?? link.text, baseOf(link, base)))
      .find(address => address !== '') ?? ''
  )
}

const linkOf = (item: XmlElement, base: string | undefined): string => {
  const named = alternateOf(item, base)
  if (named !== '') return named
  // An id is a link if it is a complete address.
  const id = elementsIn(item, 'guid').find(
    ({ attributes: { isPermaLink = 'true' } }) => isPermaLink.toLowerCase() !== 'false',
  )
  return webAddress(id?.text) || webAddress(item.attributes['rdf:about'])
}

/** Elements with the description of an item, by priority: the first with a text is shown. */
const HTML = ['description', 'summary', 'content:encoded', 'content'] as const

const itemOf = (item: XmlElement, around: string | undefined): FeedItem => {
  const base = baseOf(item, around)
  return {
    title: plainText(textIn(item, 'title')),
    description: plainText(textIn(item, ...HTML)),
    link: linkOf(item, base),
    image: pictureOf(item, base, HTML),
  }
}

/** Elements with the time of an item, by priority. */
const TIMES = ['pubDate', 'published', 'dc:date', 'updated'] as const

/** Newest first. Items of the same time, and those without a time at the end, keep the order of the document. */
const newestFirst = (items: readonly XmlElement[]): readonly XmlElement[] => {
  const timed = items.map(item => {
    const time = Date.parse(textIn(item, ...TIMES))
    return { item, time: Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time }
  })
  return timed.toSorted((a, b) => (a.time === b.time ? 0 : b.time - a.time)).map(({ item }) => item)
}

/** The element with a feed's title, and its items; undefined for other documents. */
const partsOf = (root: XmlElement) => {
  const [channel] = elementsIn(root, 'channel')
  if (root.name === 'feed') return { head: root, items: elementsIn(root, 'entry') }
  if (root.name === 'rss' && channel !== undefined) return { head: channel, items: elementsIn(channel, 'item') }
  if (root.name === 'rdf:RDF' && channel !== undefined) return { head: channel, items: elementsIn(root, 'item') }
  return undefined
}

/** Base of relative addresses of items: the one that the feed states, the page it belongs to, or its own address. */
const baseOfFeed = (root: XmlElement, head: XmlElement, address: string | undefined): string | undefined => {
  const own = baseOf(head, baseOf(root, undefined))
  return own ?? (root.name === 'feed' ? address : alternateOf(head, address) || address)
}

/**
 * The newest `most` items of RSS 2.0, RSS 1.0 or Atom; undefined for everything else. Entities declared in a document
 * are never expanded, and no external resource is read. `address` is the URL of the document.
 */
export const readFeed = (xml: string, most: number, address?: string): Feed | undefined => {
  try {
    const { root } = parseXml(wellFormed(xml), { ignoreUndefinedEntities: true })
    const parts = root === null ? undefined : partsOf(root)
    if (root === null || parts === undefined) return undefined
    const base = baseOfFeed(root, parts.head, address)
    const items = newestFirst(parts.items)
    return {
      title: plainText(textIn(parts.head, 'title')),
      items: items.slice(0, most).map(item => itemOf(item, base)),
    }
  } catch {
    // Not well-formed, or nested deeper than any feed.
    return undefined
  }
}

export interface FeedInput {
  readonly xml: string
  readonly most: number
  readonly address: string
}

/** Job of a process. */
export const run = ({ xml, most, address }: FeedInput): Feed | undefined => readFeed(xml, most, address)
