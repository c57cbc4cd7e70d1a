import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { plainText } from './plain-text.ts'

export interface FeedItem {
  readonly title: string
  readonly description: string
  /** '' where there is none, and where it is no address of the web. */
  readonly link: string
  readonly image: string
}

export interface Feed {
  readonly title: string
  readonly items: readonly FeedItem[]
}

const elementsIn = (parent: XmlElement, ...names: readonly string[]): readonly XmlElement[] =>
  parent.children.filter(child => child instanceof XmlElement).filter(({ name }) => names.includes(name))
/** Of the first of these elements that has any. */
const textIn = (parent: XmlElement, ...names: readonly string[]): string =>
  names
    .flatMap(name => elementsIn(parent, name))
    .map(({ text }) => text.trim())
    .find(text => text !== '') ?? ''

const address = (text: string | undefined): string => {
  const url = URL.parse(text?.trim() ?? '')
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : ''
}

const isPicture = ({ attributes: { type = '', medium } }: XmlElement): boolean =>
  medium === 'image' || type.startsWith('image/')

/** Characters of HTML in which pictures are looked for. */
const MAX_HTML = 100_000
/** Pixels of a side; what is smaller counts readers and shows nothing. */
const MIN_SIDE = 3
const TRACKER =
  /(?:^|\.)(?:feedburner\.com\/~r|feedsportal\.com|pixel\.wp\.com|stats\.wordpress\.com)|\/pixel(?:\.gif|\.png|$)/i

const isTracker = (url: string): boolean => {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return TRACKER.test(`${host}${pathname}`)
}

const isTooSmall = (...sides: readonly (string | undefined)[]): boolean =>
  sides.some(side => side !== undefined && /^\d/.test(side) && Number.parseInt(side, 10) < MIN_SIDE)

const htmlAttribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  return (found?.[1] ?? found?.[2] ?? found?.[3])?.replaceAll('&amp;', '&')
}

/** Addresses of the pictures that a person would see. */
const picturesIn = (html: string): readonly (string | undefined)[] =>
  [...html.slice(0, MAX_HTML).matchAll(/<img\b[^<>]{0,3000}>/gi)]
    .map(([tag]) => tag)
    .filter(tag => !isTooSmall(htmlAttribute(tag, 'width'), htmlAttribute(tag, 'height')))
    .map(tag => htmlAttribute(tag, 'src'))

/** The first picture that an item names, by any of the ways in use. */
const imageOf = (item: XmlElement): string => {
  const groups = [item, ...elementsIn(item, 'media:group')]
  const within = (...names: readonly string[]) =>
    groups
      .flatMap(group => elementsIn(group, ...names))
      .filter(({ attributes: { width, height } }) => !isTooSmall(width, height))
  const found = [
    ...within('enclosure', 'media:content')
      .filter(isPicture)
      .map(({ attributes }) => attributes.url),
    ...elementsIn(item, 'link')
      .filter(isPicture)
      .map(({ attributes }) => attributes.href),
    ...within('media:thumbnail').map(({ attributes }) => attributes.url),
    ...elementsIn(item, 'itunes:image').map(({ attributes }) => attributes.href),
    ...elementsIn(item, ...HTML).flatMap(({ text }) => picturesIn(text)),
  ]
  return found.map(address).find(each => each !== '' && !isTracker(each)) ?? ''
}

const linkOf = (item: XmlElement): string => {
  const links = elementsIn(item, 'link')
  const chosen = links.find(({ attributes: { rel = 'alternate' } }) => rel === 'alternate')
  const named = address(chosen?.attributes.href ?? chosen?.text)
  if (named !== '') return named
  const id = elementsIn(item, 'guid').find(({ attributes: { isPermaLink = 'true' } }) => isPermaLink !== 'false')
  return address(id?.text)
}

/** Where an item says what it is about; the first that says something is shown. */
const HTML = ['description', 'summary', 'content:encoded', 'content'] as const

const itemOf = (item: XmlElement): FeedItem => {
  return {
    title: plainText(textIn(item, 'title')),
    description: plainText(textIn(item, ...HTML)),
    link: linkOf(item),
    image: imageOf(item),
  }
}

/** Where a kind of feed keeps its title, and what it calls its items; undefined where it is none. */
const partsOf = (root: XmlElement) => {
  const [channel] = elementsIn(root, 'channel')
  if (root.name === 'feed') return { head: root, items: elementsIn(root, 'entry') }
  if (root.name === 'rss' && channel !== undefined) return { head: channel, items: elementsIn(channel, 'item') }
  if (root.name === 'rdf:RDF' && channel !== undefined) return { head: channel, items: elementsIn(root, 'item') }
  return undefined
}

/** XML as its declaration begins it: white space, comments and a byte order mark before it are common mistakes. */
const fromDeclaration = (xml: string): string => {
  const start = xml.indexOf('<?xml ')
  const before = start > 0 ? xml.slice(0, start).replaceAll(/<!--[\s\S]*?-->/g, '') : ''
  return start > 0 && before.trim() === '' ? xml.slice(start) : xml.trimStart()
}

/**
 * The first `most` items of RSS 2.0, RSS 1.0 or Atom; undefined for everything else. Entities that a document declares
 * are never expanded and nothing outside of it is read.
 */
export const readFeed = (xml: string, most: number): Feed | undefined => {
  try {
    const { root } = parseXml(fromDeclaration(xml), { ignoreUndefinedEntities: true })
    const parts = root === null ? undefined : partsOf(root)
    if (parts === undefined) return undefined
    return { title: plainText(textIn(parts.head, 'title')), items: parts.items.slice(0, most).map(itemOf) }
  } catch {
    // Not well-formed, or deeper than any feed.
    return undefined
  }
}
