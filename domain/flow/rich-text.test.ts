import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { makeRich, patchRich, readRich } from './rich-fragment.ts'
import { parseRich, richText } from './rich-text.ts'
import { richRuns } from './rich-text-run.ts'

const words = fc.constantFrom(
  '<b>',
  '</b>',
  '<i>',
  '</i>',
  '{{nome}}',
  '{{',
  '}}',
  '\n',
  'Olá ',
  '😊',
  '<br>',
  '&amp;',
  '*x*',
  ' ',
  '\r\n',
  '\u0000',
)
const source = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(words, { maxLength: 12 }).map(parts => parts.join('')),
)

const inDocument = (text: string) => {
  const doc = new Y.Doc()
  doc.getMap('nodes').set('text', makeRich(text))
  const replica = new Y.Doc()
  Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc))
  const fragment = replica.getMap('nodes').get('text')
  if (!(fragment instanceof Y.XmlFragment)) throw new Error('not a fragment')
  return { replica, fragment }
}

describe('rich text in its plain-string form', () => {
  it('says the same after it was read, for every string', () => {
    fc.assert(
      fc.property(source, text => {
        expect(richText(parseRich(text))).toBe(text)
        expect(readRich(inDocument(text).fragment)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it('understands marks and variables', () => {
    expect(parseRich('<b>Olá</b> {{nome}}\n<b><i>x</i></b>')).toEqual([
      [
        { text: 'Olá', bold: true, italic: false },
        { text: ' ', bold: false, italic: false },
        { variable: 'nome', bold: false, italic: false },
      ],
      [{ text: 'x', bold: true, italic: true }],
    ])
  })

  it.each([
    '<b>{{nome}}</b>',
    '<b>Olá, {{nome}}!</b> Tudo bem?',
    'Oi <i>{{nome}}</i><b><i>{{sobrenome}} ou</i></b>',
    '<b>{{nome}}</b>{{nome}}<b>{{a}}{{b}}</b>',
  ])('gives a variable the marks it stands in: %s', text => {
    const { fragment } = inDocument(text)

    expect(JSON.stringify(parseRich(text))).not.toMatch(/[<>]/)
    expect(readRich(fragment)).toBe(text)
    expect(richRuns(text).map(({ offset, length }) => text.slice(offset, offset + length))).toEqual(
      text.split(/<[^>]*>|\{\{|\}\}/u).filter(run => run !== ''),
    )

    patchRich(fragment, text.replaceAll(/<[^>]*>/gu, ''))
    patchRich(fragment, text)

    expect(readRich(fragment)).toBe(text)
  })

  it.each(['<b>a</b><b>b</b>', '<b>{{a}}</b><b>{{b}}</b>', '<b><b>{{a}}</b></b>', '<b>{{a}}'])(
    'keeps what it would write in another way as it is: %s',
    text => {
      expect(readRich(inDocument(text).fragment)).toBe(text)
    },
  )

  it('becomes any other string in place', () => {
    fc.assert(
      fc.property(source, source, (from, to) => {
        const { fragment } = inDocument(from)

        patchRich(fragment, to)

        expect(readRich(fragment)).toBe(to)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps a cursor in a paragraph that did not change, and in the same text around a change', () => {
    const { replica, fragment } = inDocument('um\ndois\ntrês')
    const run = (paragraph: number) => {
      const element = fragment.get(paragraph)
      const text = element instanceof Y.XmlElement ? element.get(0) : undefined
      if (!(text instanceof Y.XmlText)) throw new Error('no text')
      return text
    }
    const third = Y.createRelativePositionFromTypeIndex(run(2), 2)
    const second = Y.createRelativePositionFromTypeIndex(run(1), 4)

    patchRich(fragment, 'um\num e dois\nnovo\ntrês')

    expect(readRich(fragment)).toBe('um\num e dois\nnovo\ntrês')
    expect(Y.createAbsolutePositionFromRelativePosition(third, replica)).toMatchObject({ index: 2, type: run(3) })
    expect(Y.createAbsolutePositionFromRelativePosition(second, replica)).not.toBeNull()
  })

  it('changes words between variables and marks without making the paragraph anew', () => {
    const { fragment } = inDocument('<b>Olá</b> {{nome}}, tudo bem?')
    const paragraph = fragment.get(0)
    const nodes = paragraph instanceof Y.XmlElement ? paragraph.toArray() : []

    patchRich(fragment, '<b>Olá</b> {{nome}}, tudo <i>ótimo</i> 😊?')
    patchRich(fragment, '<b>Oi</b> {{nome}}, tudo <i>ótimo</i> 😊?')

    expect(readRich(fragment)).toBe('<b>Oi</b> {{nome}}, tudo <i>ótimo</i> 😊?')
    expect(paragraph instanceof Y.XmlElement && paragraph.toArray()).toEqual(nodes)
  })
})
