import type { JsonObject } from '#schemas/event.ts'
import { isObject, own, textAt } from '#schemas/json.ts'
import type { AttachmentLimits } from './attachment-answer.ts'
import type { AnswerOption } from './choice-answer.ts'

/** Answer to a question (RUNTIME 39). The names are those of a prompt's `data`. */
export type AnswerSpec =
  | { readonly kind: 'text'; readonly validationType: string }
  | { readonly kind: 'number'; readonly validationType: string; readonly unit: string }
  | { readonly kind: 'time'; readonly dateExtractType: string }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'choice'; readonly options: readonly AnswerOption[]; readonly fuzzy: boolean }
  | { readonly kind: 'location' }
  | ({ readonly kind: 'attachment' } & Partial<AttachmentLimits>)

/** Data from the flow and the channel. */
interface AnswerContext extends Partial<AttachmentLimits> {
  /** Options of a choice, their placeholders filled in. */
  readonly options: readonly AnswerOption[]
  readonly fuzzy: boolean
}

const NONE = 'none'

/** Answer to a prompt, from its properties in file form; odd ones make it a free text. */
export const wantedOf = (
  properties: JsonObject,
  { options, fuzzy, denied = [], maxBytes }: AnswerContext,
): AnswerSpec => {
  const held = own(properties, 'data')
  const data = isObject(held) ? held : {}
  const validationType = textAt(data, 'validationType') || NONE
  switch (textAt(data, 'type')) {
    case 'number':
      return { kind: 'number', validationType, unit: textAt(data, 'unit') }
    case 'time':
      return { kind: 'time', dateExtractType: textAt(data, 'dateExtractType') || 'date' }
    case 'confirm':
      return { kind: 'confirm' }
    case 'choice':
      return { kind: 'choice', options, fuzzy }
    case 'location':
      return { kind: 'location' }
    case 'attachment':
      return { kind: 'attachment', denied, ...(maxBytes === undefined ? {} : { maxBytes }) }
    default:
      return { kind: 'text', validationType }
  }
}
