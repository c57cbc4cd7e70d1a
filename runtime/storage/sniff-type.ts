import type { FileType } from '#schemas/field/file-type.ts'

type Test = (content: Buffer) => boolean

const at =
  (offset: number, text: string): Test =>
  content =>
    content.length >= offset + text.length && content.toString('latin1', offset, offset + text.length) === text

const all =
  (...tests: readonly Test[]): Test =>
  content =>
    tests.every(test => test(content))

/** A frame of MPEG audio layer III. */
const isMpegFrame: Test = content => content[0] === 0xff && ((content[1] ?? 0) & 0xe6) === 0xe2

/** First bytes of each type, as the WHATWG MIME Sniffing standard and the formats themselves give them. */
const SIGNATURES: readonly (readonly [FileType, Test])[] = [
  ['image/png', at(0, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', at(0, '\xff\xd8\xff')],
  ['image/gif', content => at(0, 'GIF87a')(content) || at(0, 'GIF89a')(content)],
  ['image/webp', all(at(0, 'RIFF'), at(8, 'WEBP'))],
  ['audio/wav', all(at(0, 'RIFF'), at(8, 'WAVE'))],
  ['audio/mpeg', content => at(0, 'ID3')(content) || isMpegFrame(content)],
  ['audio/ogg', at(0, 'OggS')],
  ['video/mp4', at(4, 'ftyp')],
  ['application/pdf', at(0, '%PDF-')],
  ['application/zip', at(0, 'PK\x03\x04')],
]

/** The type of a file by its content; the name only distinguishes kinds of text. Undefined for unaccepted types. */
export const sniffType = (content: Buffer, name: string): FileType | undefined =>
  SIGNATURES.find(([, test]) => test(content))?.[0] ?? textType(content, name)

const CONTROL = /(?![\t\n\f\r])\p{Cc}/u

const textType = (content: Buffer, name: string): FileType | undefined => {
  const text = decode(content)
  // HTML, SVG and XML start with `<`; they may contain scripts.
  if (text === undefined || CONTROL.test(text) || text.trimStart().startsWith('<')) return undefined
  if (/\.json$/i.test(name)) return isJson(text) ? 'application/json' : undefined
  return /\.csv$/i.test(name) ? 'text/csv' : 'text/plain'
}

const decode = (content: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
