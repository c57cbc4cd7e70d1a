import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { makeRich, patchRich, readRich } from '../document/rich-fragment.ts'
import { lineText, parseRich, richRuns, spellRich } from './rich-text.ts'

const words = fc.constantFrom(
  '<b>',
  '</b>',
  '<i>',
  '</i>',
  '<strong>',
  '</strong>',
  '<u>',
  '</u>',
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

const PLAIN = { bold: false, italic: false, underline: false }

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
        const spelled = spellRich(text).map(line => line.map(piece => piece.text).join(''))
        expect(spelled.join('\n')).toBe(text)
        const written = parseRich(text).map(lineText)
        // One line with nothing in it, as `<i></i>` is, is written as the empty text, which has no line.
        expect(parseRich(written.join('\n')).map(lineText)).toEqual(written.join('\n') === '' ? [] : written)
        expect(readRich(inDocument(text).fragment)).toBe(text)
      }),
      { numRuns: 500, examples: [['<i></i>'], ['\n'], ['<b></b>\n']] },
    )
  })

  it('understands marks and variables', () => {
    expect(parseRich('<b>Olá</b> {{nome}}\n<b><i>x</i></b>')).toEqual([
      [
        { text: 'Olá', ...PLAIN, bold: true },
        { text: ' ', ...PLAIN },
        { variable: 'nome', ...PLAIN },
      ],
      [{ text: 'x', ...PLAIN, bold: true, italic: true }],
    ])
  })

  it.each([
    '<b>{{nome}}</b>',
    '<b>Olá, {{nome}}!</b> Tudo bem?',
    'Oi <i>{{nome}}</i><b><i>{{sobrenome}} ou</i></b>',
    '<b>{{nome}}</b>{{nome}}<b>{{a}}{{b}}</b>',
  ])('gives a variable the marks around it: %s', text => {
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

  it.each([
    ['<strong>Olá</strong>', 'Olá', { bold: true }],
    ['<i><b>Olá</b></i>', 'Olá', { bold: true, italic: true }],
    ['<em><u>Olá</u></em>', 'Olá', { italic: true, underline: true }],
  ])('understands markup that it would write in another way: %s', (text, words, marks) => {
    expect(parseRich(text)).toEqual([[{ text: words, ...PLAIN, ...marks }]])
    const { fragment } = inDocument(`antes\n${text}`)
    const paragraph = fragment.get(1)
    const held = paragraph instanceof Y.XmlElement ? paragraph.get(0) : undefined
    if (!(held instanceof Y.XmlText)) throw new Error('no text')

    // the original spelling until an edit, then the normal spelling, and the original one after undo
    held.insert(0, '¡', held.toDelta()[0].attributes)
    expect(parseRich(readRich(fragment).split('\n')[1] ?? '')).toEqual([[{ text: `¡${words}`, ...PLAIN, ...marks }]])
    held.delete(0, 1)
    expect(readRich(fragment)).toBe(`antes\n${text}`)
    expect(richRuns(text)).toEqual([{ offset: text.indexOf(words), length: words.length, isVariable: false }])
  })

  it('keeps what is bold within and beyond what is italic', () => {
    const text = '<b>Um <i>dois</i></b> <i>três</i>'
    expect(parseRich(text)[0]?.map(part => ('text' in part ? part.text : ''))).toEqual(['Um ', 'dois', ' ', 'três'])
    expect(readRich(inDocument(text).fragment)).toBe(text)
  })

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

  it('changes words between variables and marks without recreating the paragraph', () => {
    const { fragment } = inDocument('<b>Olá</b> {{nome}}, tudo bem?')
    const paragraph = fragment.get(0)
    const nodes = paragraph instanceof Y.XmlElement ? paragraph.toArray() : []

    patchRich(fragment, '<b>Olá</b> {{nome}}, tudo <i>ótimo</i> 😊?')
    patchRich(fragment, '<b>Oi</b> {{nome}}, tudo <i>ótimo</i> 😊?')

    expect(readRich(fragment)).toBe('<b>Oi</b> {{nome}}, tudo <i>ótimo</i> 😊?')
    expect(paragraph instanceof Y.XmlElement && paragraph.toArray()).toEqual(nodes)
  })
})
