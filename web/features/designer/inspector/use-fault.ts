import { isWhen } from '#domain/field/when.ts'
import { initialNamed } from '#domain/flow/document/default-properties.ts'
import { valueNamed } from '#domain/flow/document/field-when.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { passes } from '#domain/flow/lint/check-value.ts'
import { valueFault } from '#domain/flow/lint/value-fault.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import { useWords } from '../canvas/translate-context.ts'
import { checkWords } from '../model/finding.ts'
import { useDesigner } from '../session/designer.ts'
import { valueAt } from './field-place.ts'
import { plainName, useForm } from './form-context.ts'
import { asksForMore, useFresh } from './use-fresh.ts'

/** Rule that a field's own value violates, as text; undefined if valid. */
export const useFault = (path: FieldPath, value: Json | undefined) => {
  const { node } = useForm()
  const { room } = useDesigner()
  const words = useWords()
  const isFresh = useFresh(node.id)
  const name = plainName(node.type, path)
  const inItem = path.length > name.split('.').length
  const before = name.slice(0, name.lastIndexOf('.') + 1)
  // A rule on an item may ask about the item's other fields.
  const read = (field: string): Json | undefined => {
    const member = field.slice(before.length)
    const said =
      !inItem || !field.startsWith(before) || member.includes('.')
        ? valueNamed(node.properties, field)
        : valueAt(room.doc, node.id, node.type, [...path.slice(0, -1), member] as unknown as FieldPath)
    return said ?? initialNamed(blockOf(node.type)?.fields ?? {}, field)
  }
  const field = fieldAt(node.type, path)
  const own =
    field === undefined || field.kind === 'list' || field.kind === 'group'
      ? undefined
      : valueFault(field, value, node.properties)
  if (own !== undefined && own.code !== 'required') {
    return { severity: 'warning' as const, text: words(`block:value.${own.code}`, { limit: own.limit }) }
  }
  // JSON is typed as text and meant as what it says.
  const meant = field?.kind === 'json' ? valueNamed(node.properties, name) : value
  const rule = blockOf(node.type)?.rules.find(
    each => each.field === name && isWhen(each.when, read) && !passes(each.check, meant),
  )
  if (isFresh && (rule === undefined || asksForMore(rule.check))) return undefined
  if (rule === undefined && own !== undefined) {
    // A missing reference blocks publishing.
    const severity = field?.kind === 'reference' ? ('error' as const) : ('warning' as const)
    return { severity, text: checkWords('required', node.type, name, words) }
  }
  if (rule === undefined || rule.check === 'atLeastOne') return undefined
  return { severity: rule.severity, text: checkWords(rule.check, node.type, name, words) }
}
