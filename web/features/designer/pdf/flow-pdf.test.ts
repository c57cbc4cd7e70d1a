import { decodePDFRawStream, PDFDocument, PDFRawStream } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addLink, addNode } from '#domain/flow/document/edit.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { flowPdf } from './flow-pdf.ts'

const heading = {
  title: 'Marcar consulta ✅',
  beside: (blocks: number) => `${blocks} blocos · 21 de novembro`,
  language: 'pt',
  page: (number: number, of: number) => `Página ${number} de ${of}`,
  goesOn: (page: number) => `continua na página ${page}`,
  elsewhere: (page: number) => `está na página ${page}`,
  sections: 'Seções',
}
const words = (key: string) => key

test('a flow becomes a document with its title and as many pages as it takes [D-2.08]', async () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'start', title: 'Início', x: 0, y: 0 }, 'me')
  const small = await PDFDocument.load(await flowPdf(readFlow(doc), heading, words))
  expect(small.getPageCount()).toBe(1)
  expect(small.getTitle()).toBe(heading.title)
  for (let n = 0; n < 60; n++) {
    const title = `Ação nº ${n} 🎉 — 日本 “fim”`
    addNode(doc, { id: `b${n}`, type: n % 2 ? 'text' : 'marker', title, x: (n % 8) * 400, y: n * 100 }, 'me')
  }
  const large = await PDFDocument.load(await flowPdf(readFlow(doc), heading, words))
  expect(large.getPageCount()).toBeGreaterThan(4)
})

/** All that stands on the pages, as the document encodes it: WinAnsi in hexadecimal. */
const writtenIn = async (bytes: Uint8Array): Promise<string> => {
  const document = await PDFDocument.load(bytes)
  const streams = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream ? [decodePDFRawStream(object).decode()] : []))
  const text = streams.map(stream => new TextDecoder('latin1').decode(stream)).join('\n')
  return [...text.matchAll(/<([\dA-F]+)> Tj/gu)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n')
}

test('draws notes and groups with their text, within the page breaks, and not as blocks', async () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'start', title: 'Começo daqui', x: 0, y: 0 }, 'me')
  const group = { width: 400, height: 300, tint: 'green' }
  addNode(doc, { id: 'g', type: 'group', title: 'Saudação', x: -60, y: -60, properties: group }, 'me')
  for (let n = 0; n < 60; n++)
    addNode(doc, { id: `b${n}`, type: 'text', title: '', x: (n % 8) * 400, y: n * 100 }, 'me')
  const note = { text: 'Falta o <b>texto de <u>{{nome}}</u></b>.', width: 240, height: 140 }
  addNode(doc, { id: 'n', type: 'note', title: 'Combinado', x: 3000, y: 2000, properties: note }, 'me')

  const bytes = await flowPdf(readFlow(doc), heading, words)

  expect(await writtenIn(bytes)).toMatch(/Saudação[\s\S]*Falta o texto de \{\{nome\}\}\./u)
  const document = await PDFDocument.load(bytes)
  expect(document.getPageCount()).toBeGreaterThan(1)
  expect(document.getSubject()).toBe('61 blocos · 21 de novembro')
})

test('a block that no page’s end can pass by is read on one page alone; the other says where it stands', async () => {
  const doc = createFlow()
  for (let n = 0; n < 40; n++) {
    const said = { properties: { text: `dito ${n}.` } }
    addNode(doc, { id: `b${n}`, type: 'text', title: `Bloco ${n}`, x: (n % 2) * 300, y: n * 50, ...said }, 'me')
  }

  const text = await writtenIn(await flowPdf(readFlow(doc), heading, words))

  expect(text).toContain('está na página 2')
  for (let n = 0; n < 40; n++) expect(text.split(`dito ${n}.`)).toHaveLength(2)
})

test('the overview names each section in its marker and in a list with the pages', async () => {
  const doc = createFlow()
  for (let n = 0; n < 60; n++) {
    const isMarker = n % 20 === 0
    const title = isMarker ? `Etapa ${n}` : ''
    const at = { x: (n % 6) * 300, y: Math.floor(n / 6) * 170 }
    addNode(doc, { id: `b${n}`, type: isMarker ? 'marker' : 'text', title, ...at }, 'me')
  }

  const text = await writtenIn(await flowPdf(readFlow(doc), heading, words))

  const [, list = ''] = text.split('Seções')
  expect(list).toMatch(/^\nEtapa 0\n2\nEtapa 20\n\d\nEtapa 40\n\d\n/u)
  for (const name of ['Etapa 0\n', 'Etapa 20\n', 'Etapa 40\n']) expect(text.split(name)).toHaveLength(4)
})

test('numbers each of several pages, marks where the flow continues, and names target pages on tags', async () => {
  const doc = createFlow()
  for (let n = 0; n < 30; n++) addNode(doc, { id: `b${n}`, type: 'text', title: `Bloco ${n}`, x: n * 280, y: 0 }, 'me')
  addLink(doc, { id: 'back', from: 'b29', fromConnector: 'output_1', to: 'b0', toConnector: 'input_1' }, 'me')

  const text = await writtenIn(await flowPdf(readFlow(doc), heading, words))

  const times = (written: string) => text.split('\n').filter(line => line === written).length
  const last = Math.max(...Array.from(text.matchAll(/Página (\d+) de/gu), ([, number]) => Number(number)))
  expect(last).toBeGreaterThan(3)
  for (let page = 1; page <= last; page++) expect(times(`Página ${page} de ${last}`)).toBe(1)
  expect(times('continua na página 2')).toBe(1)
  for (let page = 3; page < last; page++) expect(times(`continua na página ${page}`)).toBe(2)
  expect(times(`continua na página ${last}`)).toBe(1)
  expect(text).toMatch(/» Bloco 0 \(2\)/u)
})

test('no paper is spent on what is empty between blocks', async () => {
  const doc = createFlow()
  addNode(doc, { id: 'a', type: 'start', title: '', x: 0, y: 0 }, 'me')
  addNode(doc, { id: 'b', type: 'text', title: '', x: 0, y: 20_000 }, 'me')
  const document = await PDFDocument.load(await flowPdf(readFlow(doc), heading, words))
  expect(document.getPageCount()).toBe(1)
})

test('an empty flow is an empty page', async () => {
  const empty = await PDFDocument.load(await flowPdf(readFlow(createFlow()), heading, words))
  expect(empty.getPageCount()).toBe(1)
})
