import { isWhen } from '#domain/field/when.ts'
import { valueNamed } from '#domain/flow/document/field-when.ts'
import { fieldAt } from '#domain/flow/document/location.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'

/** Whether a field, named by its dotted path, has a place on the form of this block now. */
export const isShown = (node: NodeModel, name: string): boolean => {
  const field = fieldAt(node.type, name.split('.'))
  return field?.hidden !== true && isWhen(field?.when, other => valueNamed(node.properties, other))
}
