import { isObject } from '#domain/flow/document/json.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { WrittenText } from './use-read-variables.ts'

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A block's texts with placeholders: fields of text, of JSON, and the values of its lists of pairs. */
export const writtenTexts = (
  properties: JsonObject,
  fields: { readonly text?: readonly string[]; readonly json?: readonly string[]; readonly pairs?: readonly string[] },
): readonly WrittenText[] => {
  const pairs = (fields.pairs ?? []).flatMap(name => {
    const held = properties[name]
    if (Array.isArray(held)) return held.filter(isObject).map(({ value }) => value)
    return isObject(held) ? Object.values(held) : []
  })
  return [
    ...(fields.text ?? []).map((name): WrittenText => ({ text: asText(properties[name]), kind: 'text' })),
    ...(fields.json ?? []).map((name): WrittenText => ({ text: asText(properties[name]), kind: 'json' })),
    ...pairs.map((value): WrittenText => ({ text: asText(value), kind: 'text' })),
  ]
}
