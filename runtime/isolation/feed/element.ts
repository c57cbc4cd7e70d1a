import { XmlElement } from '@rgrove/parse-xml'

export const elementsIn = (parent: XmlElement, ...names: readonly string[]): readonly XmlElement[] =>
  parent.children.filter(child => child instanceof XmlElement).filter(({ name }) => names.includes(name))

/** Of the first of these elements that has any. */
export const textIn = (parent: XmlElement, ...names: readonly string[]): string =>
  names
    .flatMap(name => elementsIn(parent, name))
    .map(({ text }) => text.trim())
    .find(text => text !== '') ?? ''

/** An address of the web, a relative one resolved where a base is given; '' for everything else. */
export const webAddress = (text: string | undefined, base?: string): string => {
  const trimmed = text?.trim() ?? ''
  const url = trimmed === '' ? null : URL.parse(trimmed, base)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : ''
}

/** What addresses in an element are relative to: its own `xml:base`, which may be relative itself, else that of around it. */
export const baseOf = ({ attributes }: XmlElement, around: string | undefined): string | undefined =>
  webAddress(attributes['xml:base'], around) || around
