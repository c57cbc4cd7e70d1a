import { XmlElement } from '@rgrove/parse-xml'

export const elementsIn = (parent: XmlElement, ...names: readonly string[]): readonly XmlElement[] =>
  parent.children.filter(child => child instanceof XmlElement).filter(({ name }) => names.includes(name))

/** Text of the first of these elements that has any. */
export const textIn = (parent: XmlElement, ...names: readonly string[]): string =>
  names
    .flatMap(name => elementsIn(parent, name))
    .map(({ text }) => text.trim())
    .find(text => text !== '') ?? ''

/** An http(s) address, a relative one resolved if a base is given; '' for everything else. */
export const webAddress = (text: string | undefined, base?: string): string => {
  const trimmed = text?.trim() ?? ''
  const url = trimmed === '' ? null : URL.parse(trimmed, base)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : ''
}

/** Base of relative addresses in an element: its `xml:base`, which may be relative itself, else the outer base. */
export const baseOf = ({ attributes }: XmlElement, around: string | undefined): string | undefined =>
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
export const pictureOf = (item: XmlElement, base: string | undefined, html: readonly string[]): string => {
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
