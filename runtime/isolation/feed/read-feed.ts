import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { baseOf, elementsIn, textIn, webAddress } from './element.ts'
import { pictureOf } from './picture.ts'
import { plainText } from './plain-text.ts'
import { wellFormed } from './well-formed.ts'

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
