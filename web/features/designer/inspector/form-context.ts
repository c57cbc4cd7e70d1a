import { type ComponentType, createContext, use } from 'react'
import { setField } from '#domain/flow/document/edit.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField, BlockTab } from '#schemas/flow/block-field.ts'
import { useWords } from '../canvas/translate-context.ts'
import { useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { valueAt } from './field-place.ts'

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
export const usePlace = (path: FieldPath, field: BlockField | undefined) => {
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const initial = field !== undefined && 'initial' in field ? field.initial : undefined
  const value = valueAt(room.doc, node.id, node.type, path) ?? (initial as Json | undefined)
  const set = (next: Json | undefined) => {
    if (mayEdit) setField(room.doc, node.id, path, next, OWN_EDIT)
  }
  return { value, set, mayEdit, block: node.id, type: node.type, doc: room.doc }
}
