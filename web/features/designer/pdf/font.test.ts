import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { faceOf, linesOf, writable } from './pdf-painter.ts'

const face = faceOf(await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica))

test('omits characters missing in the font, and keeps the others', () => {
  expect(writable('Ação 🎉 nº 1 — 日本 “fim”', face)).toBe('Ação nº 1 — “fim”')
})

test('lines are as wide as there is room, and what does not fit ends in an ellipsis', () => {
  const lines = linesOf('Para qual atendimento você quer marcar uma consulta?', face, 10, 80, 2)
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(face.font.widthOfTextAtSize(line, 10)).toBeLessThanOrEqual(80)
  expect(lines[1]).toMatch(/…$/u)
  expect(linesOf('Sim', face, 10, 80, 2)).toEqual(['Sim'])
})
