import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document.ts'
import { addNode } from '#domain/flow/edit.ts'
import { readFlow } from '#domain/flow/read-flow.ts'
import { flowPdf } from './flow-pdf.ts'

const heading = {
  title: 'Marcar consulta ✅',
  beside: '3 blocos · 21 de novembro',
  language: 'pt',
  page: (number: number, of: number) => `Página ${number} de ${of}`,
  goesOn: (page: number) => `continua na página ${page}`,
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

test('an empty flow is an empty page', async () => {
  const empty = await PDFDocument.load(await flowPdf(readFlow(createFlow()), heading, words))
  expect(empty.getPageCount()).toBe(1)
})
