import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createSniffer, sniffType } from './sniff-type.ts'

const brand = (name: string) => Buffer.from(`\0\0\0\x18ftyp${name.padEnd(4)}\0\0\0\0mif1`, 'latin1')
const archive = (...files: readonly (readonly [string, string])[]) =>
  Buffer.from(zipSync(Object.fromEntries(files.map(([name, text]) => [name, Buffer.from(text)])), { level: 0 }))
const office = (kind: string, main: string) =>
  archive(
    ['[Content_Types].xml', `<Types><Override PartName="/a" ContentType="application/vnd.${kind}.main+xml"/></Types>`],
    ['_rels/.rels', ''],
    [main, '<a/>'],
  )
/** The same archive with another name in its local header: readers go by the directory. */
function renamed(content: Buffer): Buffer {
  const copy = Buffer.from(content)
  copy.write('[Content_Typez].xml', copy.indexOf('[Content_Types].xml'), 'latin1')
  return copy
}
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

const types = (kind: string) =>
  `<Types><Override PartName="/a" ContentType="application/vnd.${kind}.main+xml"/></Types>`
const MACROS = 'ms-word.document.macroEnabled'
/** An archive whose content types come after so many bytes. */
const late = (
  text: string | Uint8Array,
  options: { level?: 0 | 6; bytes?: number; after?: number; folder?: string } = {},
) => {
  const { level = 0, bytes = 200_000, after = 0, folder = 'word' } = options
  const files = {
    [`${folder}/a.bin`]: Buffer.alloc(bytes, 7),
    '[Content_Types].xml': Buffer.from(text),
    [`${folder}/b.bin`]: Buffer.alloc(after, 7),
  }
  return Buffer.from(zipSync(files, { level }))
}
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const sniffed = async (content: Buffer, chunk: number) => {
  const sniffer = createSniffer('a.bin')
  for (let at = 0; at < content.length; at += chunk) sniffer.add(content.subarray(at, at + chunk))
  return sniffer.end()
}

describe.each([3, 1_000, 65_536, 10_000_000])('an archive in chunks of %i bytes', chunk => {
  const wide = { bytes: chunk === 3 ? 66_000 : 200_000 }
  test.each([
    ['stored', late(types(MACROS), wide)],
    ['in a folder of no document', late(types(MACROS), { ...wide, folder: 'a' })],
    ['packed', late(types(MACROS), { ...wide, level: 6 })],
    ['before other entries', late(types(MACROS), { ...wide, after: 90_000 })],
    ['in UTF-16', late(utf16(types(MACROS)), wide)],
    ['with hidden letters', late(types('ms-word.document.macro&#69;nabled'), wide)],
    ['of a spreadsheet', late(types('ms-excel.sheet.macroEnabled'), { ...wide, level: 6 })],
  ])('with macros is refused, its content types after 64 kB: %s [P-2007]', async (_title, content) => {
    expect(await sniffed(content, chunk)).toBeUndefined()
  })

  test('without macros has the type that it declares after 64 kB [P-2007]', async () => {
    expect(await sniffed(late(types(WORD), { ...wide, level: 6 }), chunk)).toBe(`application/vnd.${WORD}`)
    expect(await sniffed(late(types(SHEET), { ...wide, folder: 'a' }), chunk)).toBe(`application/vnd.${SHEET}`)
  })
})

test.each([
  ['a program of Java', archive(['a.bin', 'a'.repeat(80_000)], ['META-INF/MANIFEST.MF', ''], ['A.class', ''])],
  ['content types under another name in the file', renamed(late(types(MACROS)))],
  ['content types that cannot be unpacked', late(Buffer.alloc(2_000_000, 32), { level: 6 })],
])('%s is refused after 64 kB [P-2007]', async (_title, content) => {
  expect(await sniffType(content, 'a.zip')).toBeUndefined()
})

test('an archive that contains a document with macros is an archive [P-2007]', async () => {
  const nested = Buffer.from(zipSync({ 'a.bin': Buffer.alloc(80_000), 'b.docm': late(types(MACROS)) }, { level: 0 }))
  expect(await sniffType(nested, 'a.zip')).toBe('application/zip')
})

test('a text that begins like a program is a text', async () => {
  expect(await sniffType(Buffer.from('MZ is a prefix'), 'a.txt')).toBe('text/plain')
  expect(await sniffType(Buffer.from('a;b'), 'a.csv')).toBe('text/csv')
  expect(await sniffType(Buffer.from('{"a":1}'), 'a.json')).toBe('application/json')
})
