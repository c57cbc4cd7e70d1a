import type { FileFault } from '#domain/audience/file/fault.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'

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
