import type { FileFault, FileReading } from '#domain/audience/file/fault.ts'
import { readCsv } from '#domain/audience/file/read-csv.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'

const ZIP = [0x50, 0x4b, 0x03, 0x04]
/** Signature of compound documents: workbooks of the 1990s, and encrypted workbooks. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]
/** Name of the part that contains an encrypted workbook. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

const beginsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte)

/** Detects the format by content; the file name is ignored. */
export const readFile = async (bytes: Uint8Array): Promise<FileReading> => {
  if (beginsWith(bytes, COMPOUND))
    return { ok: false, fault: { code: Buffer.from(bytes).includes(ENCRYPTED) ? 'encrypted' : 'xls' } }
  if (!beginsWith(bytes, ZIP)) return readCsv(bytes)
  const { readXlsx } = await import('#domain/audience/file/read-xlsx.ts')
  return readXlsx(bytes)
}

export interface LineFault {
  readonly line: number
  readonly error: FieldError
}

export const fileError = ({ code, line, name }: FileFault): FieldError => ({
  path: 'file',
  code: 'format',
  params: { rule: `upload${code}`, line: line ?? 0, name: name ?? '' },
})

export const lineError = (rule: string, line: number, params: JsonObject = {}): LineFault => ({
  line,
  error: { path: '', code: 'format', params: { rule, ...params } },
})
