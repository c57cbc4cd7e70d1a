import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { baseOf, elementsIn, textIn, webAddress } from './element.ts'
import { pictureOf } from './picture.ts'
import { plainText } from './plain-text.ts'
import { wellFormed } from './well-formed.ts'

interface FeedItem {
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

/** Of several links for readers, the first that leads to a page. */
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
  // An id is a link where it is a whole address.
  const id = elementsIn(item, 'guid').find(
    ({ attributes: { isPermaLink = 'true' } }) => isPermaLink.toLowerCase() !== 'false',
  )
  return webAddress(id?.text) || webAddress(item.attributes['rdf:about'])
}

/** Where an item says what it is about; the first that says something is shown. */
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

/** Where a kind of feed keeps its title, and what it calls its items; undefined where it is none. */
const partsOf = (root: XmlElement) => {
  const [channel] = elementsIn(root, 'channel')
  if (root.name === 'feed') return { head: root, items: elementsIn(root, 'entry') }
  if (root.name === 'rss' && channel !== undefined) return { head: channel, items: elementsIn(channel, 'item') }
  if (root.name === 'rdf:RDF' && channel !== undefined) return { head: channel, items: elementsIn(root, 'item') }
  return undefined
}

/** What relative addresses of items are relative to: what the feed says, the page it belongs to, or its own address. */
const baseOfFeed = (root: XmlElement, head: XmlElement, address: string | undefined): string | undefined => {
  const own = baseOf(head, baseOf(root, undefined))
  return own ?? (root.name === 'feed' ? address : alternateOf(head, address) || address)
}

/**
 * The first `most` items of RSS 2.0, RSS 1.0 or Atom; undefined for everything else. Entities that a document declares
 * are never expanded and nothing outside of it is read. `address` is where the document was found.
 */
export const readFeed = (xml: string, most: number, address?: string): Feed | undefined => {
  try {
    const { root } = parseXml(wellFormed(xml), { ignoreUndefinedEntities: true })
    const parts = root === null ? undefined : partsOf(root)
    if (root === null || parts === undefined) return undefined
    const base = baseOfFeed(root, parts.head, address)
    return {
      title: plainText(textIn(parts.head, 'title')),
      items: parts.items.slice(0, most).map(item => itemOf(item, base)),
    }
  } catch {
    // Not well-formed, or deeper than any feed.
    return undefined
  }
}
