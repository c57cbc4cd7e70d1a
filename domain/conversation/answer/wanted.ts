import { isObject, own } from '#domain/flow/document/json.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { AnswerOption, WantedAnswer } from './read-answer.ts'

/** What a prompt takes, from its properties; odd ones make it a free text. */
export const wantedOf = (
  properties: JsonObject,
  { options, fuzzy }: { readonly options: readonly AnswerOption[]; readonly fuzzy: boolean },
): WantedAnswer => {
  const held = own(properties, 'data')
  const data = isObject(held) ? held : {}
  const said = (name: string): string => {
    const value = own(data, name)
    return typeof value === 'string' ? value : ''
  }
  switch (said('type')) {
    case 'number':
      return { kind: 'number', validation: said('validationType'), unit: said('unit') }
    case 'time':
      return { kind: 'time', part: said('dateExtractType') || 'date' }
    case 'confirm':
      return { kind: 'confirm' }
    case 'choice':
      return { kind: 'choice', options, fuzzy }
    case 'location':
      return { kind: 'location' }
    case 'attachment':
      return { kind: 'attachment' }
    default:
      return { kind: 'text', validation: said('validationType') }
  }
}
