import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { isKnownRich, makeRich, readRich, simplifyRich } from './rich-fragment.ts'

const text = (insert: string, attributes: object = {}): Y.XmlText => {
  const made = new Y.XmlText()
  made.applyDelta([{ insert, attributes }])
  return made
}
const element = (name: string, ...children: (Y.XmlText | Y.XmlElement)[]): Y.XmlElement => {
  const made = new Y.XmlElement(name)
  made.insert(0, children)
  return made
}
const variable = (name: string): Y.XmlElement => {
  const made = element('variable')
  made.setAttribute('name', name)
  return made
}
const drawn = (...children: (Y.XmlText | Y.XmlElement)[]): Y.XmlFragment => {
  const fragment = new Y.Doc().getXmlFragment('text')
  fragment.insert(0, children)
  return fragment
}

/** Content from programs that know Y.XmlFragment, but not the designer's schema. */
const FOREIGN: readonly (readonly [string, () => Y.XmlFragment, string])[] = [
  ['a text in no paragraph', () => drawn(text('Olá')), 'Olá'],
  ['a variable in no paragraph', () => drawn(variable('nome')), '{{nome}}'],
  ['a mark', () => drawn(element('paragraph', text('Olá', { strike: {}, bold: true }))), '<b>Olá</b>'],
  ['a heading', () => drawn(element('heading', text('Olá')), element('paragraph', text('Oi'))), 'Olá\nOi'],
  [
    'a list',
    () =>
      drawn(
        element(
          'list',
          element('item', element('paragraph', text('um'))),
          element('item', text('dois')),
          element('item'),
        ),
      ),
    'um\ndois',
  ],
  [
    'paragraphs within one another',
    () => drawn(element('paragraph', text('um'), element('paragraph', text('dois')), text('três'))),
    'um\ndois\ntrês',
  ],
  ['a thing without a text', () => drawn(element('paragraph', text('Olá '), element('mention'), text('!'))), 'Olá !'],
  ['something in a variable', () => drawn(element('paragraph', element('variable', text('x')), text(' y'))), '{{}} y'],
]

describe('a rich text that another program drew', () => {
  it.each(FOREIGN)('with %s returns its lines, and is known once it is rebuilt from them', (_name, make, lines) => {
    const fragment = make()
    expect([readRich(fragment), isKnownRich(fragment)]).toEqual([lines, false])
    simplifyRich(fragment)
    expect([readRich(fragment), isKnownRich(fragment)]).toEqual([lines, true])
  })

  it.each([
    ['of the designer', () => makeRich('<b>Olá</b> {{nome}}\n\n<u>fim</u>')],
    ['marked with nothing but true', () => drawn(element('paragraph', text('Olá', { italic: true })))],
    ['with a mark whose name bears a hash', () => drawn(element('paragraph', text('Olá', { 'bold--aB3+/=x9': {} })))],
    ['with a line break', () => drawn(element('paragraph', text('um'), element('hardBreak'), text('dois')))],
    ['without anything', () => drawn()],
  ])('is known: %s', (_name, make) => {
    const fragment = make()
    const shared = fragment.doc === null ? new Y.Doc().getMap('x').set('text', fragment) : fragment
    expect(isKnownRich(shared)).toBe(true)
  })
})
