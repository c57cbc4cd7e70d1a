import { unzipSync } from 'fflate'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'

interface ZipLimits {
  readonly maxFiles: number
  /** Of all files together, inflated. */
  readonly maxBytes: number
}

const fault = (rule: string, params = {}): { ok: false; refusal: { code: 'nlu.format'; errors: FieldError[] } } => ({
  ok: false,
  refusal: { code: 'nlu.format', errors: [{ path: 'file', code: 'format', params: { rule, ...params } }] },
})

const isUnsafe = (name: string): boolean =>
  name.startsWith('/') || /^[a-z]:/iu.test(name) || name.includes('\0') || name.split(/[\\/]/u).includes('..')

class TooMuch extends Error {}

/** Whether bytes begin as a zip file does. */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 9) < 8

/**
 * Files of an archive by their paths. Sizes are bounded by what the archive declares, and no file inflates beyond the
 * size that it declares.
 */
export const unzip = (
  bytes: Uint8Array,
  { maxFiles, maxBytes }: ZipLimits,
): Result<ReadonlyMap<string, Uint8Array>> => {
  let count = 0
  let total = 0
  let unsafe: string | undefined
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (name.endsWith('/')) return false
        if (isUnsafe(name)) unsafe ??= name
        count += 1
        total += originalSize
        if (count > maxFiles || total > maxBytes) throw new TooMuch()
        return unsafe === undefined
      },
    })
    if (unsafe !== undefined) return fault('nluzippath', { name: unsafe.slice(0, 100) })
    return accepted(new Map(Object.entries(files).map(([name, content]) => [name.replaceAll('\\', '/'), content])))
  } catch (error) {
    return error instanceof TooMuch ? fault('nluzipsize', { files: maxFiles, bytes: maxBytes }) : fault('nluzip')
  }
}

/** The text of a file in UTF-8, with or without a byte order mark. */
export const decodeUtf8 = (path: string, bytes: Uint8Array): Result<string> => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? fault('nluencoding', { name: path }) : accepted(text)
  } catch {
    return refused('nlu.format', {
      errors: [{ path: 'file', code: 'format', params: { rule: 'nluencoding', name: path } }],
    })
  }
}
