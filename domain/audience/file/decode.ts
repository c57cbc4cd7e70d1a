import type { FileFault } from './fault.ts'

type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

type Decoded =
  | { readonly ok: true; readonly text: string; readonly encoding: TextEncoding }
  | { readonly ok: false; readonly fault: FileFault }

const LF = 0x0a

/** Length of a correct sequence of several bytes, 0 where none begins. */
const sequenceAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] ?? 0
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/** Whether any of the bytes are UTF-8 beyond ASCII, and the line of the first that are not. */
const lookAt = (bytes: Uint8Array): { readonly hasSequence: boolean; readonly line: number } => {
  let hasSequence = false
  let line = 1
  let wrong = 0
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    if (byte === LF) line += 1
    const length = byte < 0x80 ? 1 : sequenceAt(bytes, at)
    if (length > 1) hasSequence = true
    if (length === 0 && wrong === 0) wrong = line
    at += Math.max(1, length)
  }
  return { hasSequence, line: wrong }
}

const strict = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const UTF_16LE = [0xff, 0xfe]
const UTF_16BE = [0xfe, 0xff]
const beginsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte)

/**
 * Decodes by byte order mark, else as UTF-8, else as windows-1252. Rejects UTF-8 with some invalid bytes: half of its
 * names would be garbled.
 */
export const decodeText = (bytes: Uint8Array): Decoded => {
  const wide = beginsWith(bytes, UTF_16LE) ? 'utf-16le' : beginsWith(bytes, UTF_16BE) ? 'utf-16be' : undefined
  const encoding = wide ?? 'utf-8'
  const text = strict(bytes, encoding)
  if (text !== undefined) return { ok: true, text, encoding }
  const { hasSequence, line } = lookAt(bytes)
  if (wide !== undefined || hasSequence)
    return { ok: false, fault: { code: 'encoding', line: wide === undefined ? line : 1 } }
  return { ok: true, text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}
