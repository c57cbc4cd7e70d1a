import { type ComponentType, createContext, use } from 'react'
import * as Y from 'yjs'
import { propertiesOf } from '#domain/flow/document/document.ts'
import { setField } from '#domain/flow/document/edit.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { escapeKey } from '#domain/flow/document/shape.ts'
import { fromShared, itemIds } from '#domain/flow/document/shared.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockTab } from '#schemas/flow/block-field.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'

const isItem = (type: string, path: readonly string[], index: number): boolean =>
  index > 0 && fieldAt(type, path.slice(0, index))?.kind === 'list'

/** Shared value at a path, without creating it: viewing a block must not write to it. */
const sharedAt = (doc: Y.Doc, id: string, type: string, path: FieldPath): unknown => {
  let held: unknown = propertiesOf(doc, id)
  let inItem = false
  for (const [index, name] of path.entries()) {
    const item = isItem(type, path, index)
    held = held instanceof Y.Map ? held.get(item ? name : escapeKey(name, inItem)) : undefined
    inItem = item
  }
  return held
}

/** A plain value, or a text as its plain string; undefined if empty. */
export const valueAt = (doc: Y.Doc, id: string, type: string, path: FieldPath): Json | undefined => {
  const held = sharedAt(doc, id, type, path)
  if (held === undefined) return undefined
  const content = fromShared(held)
  return content.kind === 'value' || content.kind === 'text' || content.kind === 'rich' ? content.value : undefined
}

/** Ids of a list's items in their order; undefined where a list cannot be read. */
export const itemsAt = (doc: Y.Doc, id: string, type: string, path: FieldPath): readonly string[] | undefined => {
  const held = sharedAt(doc, id, type, path)
  if (held === undefined) return []
  return held instanceof Y.Map ? itemIds(held) : undefined
}

/** The block whose form is shown; a new one with each change of it, so that fields read what is there now. */
interface BlockForm {
  readonly node: NodeModel
  readonly tab: BlockTab
  /** Draws one field by its kind; groups and lists draw theirs with it. */
  readonly Field: ComponentType<FieldProps>
}

export interface FieldProps {
  readonly path: FieldPath
  /** Instead of the catalogue's label. */
  readonly label?: string
  /** The label is for screen readers alone. */
  readonly bare?: boolean
  readonly rows?: number
}

/** A path one step further down. */
export const under = (path: readonly string[], ...more: readonly string[]): FieldPath =>
  [...path, ...more] as unknown as FieldPath

export const FormContext = createContext<BlockForm | undefined>(undefined)

export const useForm = (): BlockForm => {
  const form = use(FormContext)
  if (form === undefined) throw new Error('outside of a form')
  return form
}

/** Catalogue keys are names without item ids. */
export const plainName = (type: string, path: FieldPath): string =>
  path.filter((_, index) => index === 0 || fieldAt(type, path.slice(0, index))?.kind !== 'list').join('.')

export const useLabel = (path: FieldPath): string => {
  const { node } = useForm()
  const t = useWords()
  const last = path.at(-1) ?? ''
  const general = t(`block:field.${last}`, { defaultValue: last })
  return t(`block:field.${node.type}.${plainName(node.type, path)}`, { defaultValue: general })
}

/** A field's value and how to set it; undefined `set` for those who may only look. */
export const useFieldValue = (path: FieldPath, field: BlockField | undefined) => {
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const initial = field !== undefined && 'initial' in field ? field.initial : undefined
  const value = valueAt(room.doc, node.id, node.type, path) ?? (initial as Json | undefined)
  const set = (next: Json | undefined) => {
    if (mayEdit) setField(room.doc, node.id, path, next, OWN_EDIT)
  }
  return { value, set, mayEdit, block: node.id, type: node.type, doc: room.doc }
}

/** Of the form of the block that is open. */
export const FORM = 'pl-inspector'

/** Values of the variables where an expression stands, if they are not those that a person made up for the flow. */
export const VariableValuesContext = createContext<JsonObject | undefined>(undefined)
