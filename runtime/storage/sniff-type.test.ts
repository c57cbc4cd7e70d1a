import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { sniffType } from './sniff-type.ts'

const brand = (name: string) => Buffer.from(`\0\0\0\x18ftyp${name.padEnd(4)}\0\0\0\0mif1`, 'latin1')
const archive = (...files: readonly (readonly [string, string])[]) =>
  Buffer.from(zipSync(Object.fromEntries(files.map(([name, text]) => [name, Buffer.from(text)])), { level: 0 }))
const office = (kind: string, main: string) =>
  archive(
    ['[Content_Types].xml', `<Types><Override PartName="/a" ContentType="application/vnd.${kind}.main+xml"/></Types>`],
    ['_rels/.rels', ''],
    [main, '<a/>'],
  )
const WORD = 'openxmlformats-officedocument.wordprocessingml.document'
const SHEET = 'openxmlformats-officedocument.spreadsheetml.sheet'
const OPEN_TEXT = 'application/vnd.oasis.opendocument.text'

test.each([
  ['a picture of a phone', brand('heic'), 'image/heic'],
  ['a picture with a general brand', brand('mif1'), 'image/heic'],
  ['a picture in AVIF', brand('avif'), 'image/avif'],
  ['a film', brand('isom'), 'video/mp4'],
  ['a film of a phone', brand('qt'), 'video/quicktime'],
  ['a film of an old phone', brand('3gp4'), 'video/3gpp'],
  ['a recording', brand('M4A'), 'audio/mp4'],
  ['a document', office(WORD, 'word/document.xml'), `application/vnd.${WORD}`],
  ['a workbook', office(SHEET, 'xl/workbook.xml'), `application/vnd.${SHEET}`],
  ['an open document', archive(['mimetype', OPEN_TEXT], ['content.xml', '']), OPEN_TEXT],
  [
    'a song with a large picture',
    Buffer.concat([Buffer.from('ID3\x03\0\0\0\x7f\x7f\x7f', 'latin1'), Buffer.alloc(90_000)]),
    'audio/mpeg',
  ],
  ['an archive', archive(['a.txt', 'a'], ['b.txt', 'b']), 'application/zip'],
])('%s has its own type', async (_title, content, type) => {
  expect(await sniffType(content, 'any.bin')).toBe(type)
})

test.each([
  ['a document with macros', office('ms-word.document.macroEnabled', 'word/document.xml')],
  ['a Java archive', archive(['META-INF/MANIFEST.MF', 'Manifest-Version: 1.0'], ['A.class', ''])],
  ['a program', Buffer.from('MZ\0\0', 'latin1')],
  ['HTML', Buffer.from('<script>alert(1)</script>')],
])('%s is refused', async (_title, content) => {
  expect(await sniffType(content, 'any.txt')).toBeUndefined()
})

test('a text that begins like a program is a text', async () => {
  expect(await sniffType(Buffer.from('MZ is a prefix'), 'a.txt')).toBe('text/plain')
  expect(await sniffType(Buffer.from('a;b'), 'a.csv')).toBe('text/csv')
  expect(await sniffType(Buffer.from('{"a":1}'), 'a.json')).toBe('application/json')
})
