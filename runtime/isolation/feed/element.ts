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
