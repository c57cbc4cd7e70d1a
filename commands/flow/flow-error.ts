import { DEEPEST_PROPERTY } from '#schemas/flow/nesting.ts'
import { FIELD_ERROR_CODES, type FieldError, type FieldErrorCode } from '#schemas/refusal.ts'

/** A fault of a flow file as a line of `errors[]`. */
export const flowError = ({ path, code, max }: { path: string; code: string; max?: number }): FieldError => {
  if (code === 'depth') return { path, code: 'toodeep', params: { max: DEEPEST_PROPERTY } }
  return { path, code: codeOf(code), ...(max === undefined ? {} : { params: { max } }) }
}

const codeOf = (code: string): FieldErrorCode => FIELD_ERROR_CODES.find(known => known === code) ?? 'format'
