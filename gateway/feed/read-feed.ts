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
const textIn = (parent: XmlElement, ...names: readonly string[]): string => {
  const [first] = names.flatMap(name => elementsIn(parent, name))
  return first?.text.trim() ?? ''
}

const address = (text: string | undefined): string => {
  const url = URL.parse(text?.trim() ?? '')
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : ''
}

const isPicture = ({ attributes: { type = '', medium } }: XmlElement): boolean =>
  medium === 'image' || type.startsWith('image/')

/** The first picture that an item names, by any of the ways in use. */
const imageOf = (item: XmlElement, html: string): string => {
  const groups = [item, ...elementsIn(item, 'media:group')]
  const within = (...names: readonly string[]) => groups.flatMap(group => elementsIn(group, ...names))
  const found = [
    ...within('enclosure', 'media:content')
      .filter(isPicture)
      .map(({ attributes }) => attributes.url),
    ...elementsIn(item, 'link')
      .filter(isPicture)
      .map(({ attributes }) => attributes.href),
    ...within('media:thumbnail').map(({ attributes }) => attributes.url),
    ...elementsIn(item, 'itunes:image').map(({ attributes }) => attributes.href),
    /<img [^<>]{0,500}?src="([^"<>]{1,2000})"/i.exec(html)?.[1],
  ]
  return found.map(address).find(each => each !== '') ?? ''
}

const linkOf = (item: XmlElement): string => {
  const links = elementsIn(item, 'link')
  const chosen = links.find(({ attributes: { rel = 'alternate' } }) => rel === 'alternate')
  return address(chosen?.attributes.href ?? chosen?.text)
}

const itemOf = (item: XmlElement): FeedItem => {
  const html = textIn(item, 'description', 'summary', 'content:encoded', 'content')
  return {
    title: plainText(textIn(item, 'title')),
    description: plainText(html),
    link: linkOf(item),
    image: imageOf(item, html),
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

/**
 * The first `most` items of RSS 2.0, RSS 1.0 or Atom; undefined for everything else. Entities that a document declares
 * are never expanded and nothing outside of it is read.
 */
export const readFeed = (xml: string, most: number): Feed | undefined => {
  try {
    const { root } = parseXml(xml, { ignoreUndefinedEntities: true })
    const parts = root === null ? undefined : partsOf(root)
    if (parts === undefined) return undefined
    return { title: plainText(textIn(parts.head, 'title')), items: parts.items.slice(0, most).map(itemOf) }
  } catch {
    // Not well-formed, or deeper than any feed.
    return undefined
  }
}
