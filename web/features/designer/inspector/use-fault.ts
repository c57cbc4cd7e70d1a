import { passes } from '#domain/flow/check-value.ts'
import { isWhen, valueNamed } from '#domain/flow/field-when.ts'
import type { FieldPath } from '#domain/flow/location.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import { useWords } from '../canvas/words.ts'
import { useDesigner } from '../live/designer.ts'
import { checkWords } from '../model/finding.ts'
import { plainName, useForm } from './form-context.ts'
import { valueAt } from './place.ts'

/** What a field's own value does not keep of its block's rules, in words; undefined where all is well. */
export const useFault = (path: FieldPath, value: Json | undefined) => {
  const { node } = useForm()
  const { room } = useDesigner()
  const words = useWords()
  const name = plainName(node.type, path)
  const read = (field: string): Json | undefined => {
    // A rule on an item may ask about the item's other fields.
    const last = field.lastIndexOf('.')
    if (field.slice(0, last) !== name.slice(0, name.lastIndexOf('.'))) return valueNamed(node.properties, field)
    return valueAt(room.doc, node.id, node.type, [...path.slice(0, -1), field.slice(last + 1)] as unknown as FieldPath)
  }
  const rule = blockOf(node.type)?.rules.find(
    each => each.field === name && isWhen(each.when, read) && !passes(each.check, value),
  )
  if (rule === undefined || rule.check === 'atLeastOne') return undefined
  return { severity: rule.severity, text: checkWords(rule.check, node.type, name, words) }
}
