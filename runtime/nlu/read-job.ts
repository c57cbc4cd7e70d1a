import type { NluFile, NluFileContent } from '#domain/nlu/format/nlu-file-content.ts'
import { readNlu } from '#domain/nlu/format/read-nlu.ts'
import { decodeUtf8, isZip, unzip } from '#domain/nlu/format/unzip.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'

/** Limits of one inflated archive. */
const LIMITS = { maxFiles: 5000, maxBytes: 64_000_000 }

/** Values of all files together: lists, objects and members, counted before anything is built of them. */
const MAX_VALUES = 3_000_000
const VALUE_MARKS: ReadonlySet<number> = new Set(Buffer.from('[{,\n'))

const valuesIn = (content: Uint8Array): number => {
  let count = 0
  for (const byte of content) if (VALUE_MARKS.has(byte)) count += 1
  return count
}

const costly = (name: string) =>
  refused('nlu.format', { errors: [{ path: 'file', code: 'format', params: { rule: 'nlucost', name } }] })

const filesOf = (name: string, bytes: Uint8Array): Result<readonly NluFile[]> => {
  const found = isZip(bytes) ? unzip(bytes, LIMITS) : accepted(new Map([[name, bytes]]))
  if (!found.ok) return found
  const files: NluFile[] = []
  let values = 0
  for (const [path, content] of found.value) {
    values += valuesIn(content)
    if (values > MAX_VALUES) return costly(path)
    if (isZip(bytes) && !/\.(?:json|jsonl|ya?ml|md|csv|txt)$/iu.test(path)) continue
    const text = decodeUtf8(path, content)
    if (!text.ok) return text
    files.push({ path, text: text.value })
  }
  return accepted(files)
}

interface NluFileInput {
  readonly name: string
  readonly bytes: Uint8Array
  readonly locale: string
}

export const run = ({ name, bytes, locale }: NluFileInput): Result<NluFileContent> => {
  const files = filesOf(name, bytes)
  return files.ok ? readNlu(files.value, locale) : files
}
