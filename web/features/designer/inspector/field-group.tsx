import { chakra } from '@chakra-ui/react'
import { isWhen } from '#domain/field/stored-items.ts'
import { fieldAt } from '#domain/flow/document/location.ts'
import { type NodeModel, valueNamed } from '#domain/flow/document/model.ts'
import type { BlockField, BlockFields, BlockTab } from '#schemas/flow/block-field.ts'
import { under, useForm } from './form-context.ts'

/** Whether a field, named by its dotted path, has a place on the form of this block now. */
export const isShown = (node: NodeModel, name: string): boolean => {
  const field = fieldAt(node.type, name.split('.'))
  return field?.hidden !== true && isWhen(field?.when, other => valueNamed(node.properties, other))
}

/** A group stands on a tab when one of its fields does. */
export const isOnTab = (field: BlockField, tab: BlockTab): boolean =>
  field.hidden !== true &&
  (field.kind === 'group' ? Object.values(field.fields).some(member => isOnTab(member, tab)) : field.tab === tab)

interface FieldGroupProps {
  readonly path: readonly string[]
  readonly fields: BlockFields
}

/** All fields of a group that stand on the present tab, in the declaration's order. */
export const FieldGroup = ({ path, fields }: FieldGroupProps) => {
  const { node, tab, Field } = useForm()
  const shown = Object.entries(fields).filter(
    ([name, field]) => isOnTab(field, tab) && isShown(node, [...path, name].join('.')),
  )
  return (
    <div className="pl-fields">
      {shown.map(([name, field]) => (
        <div key={name} data-half={field.half}>
          <Field path={under(path, name)} />
        </div>
      ))}
    </div>
  )
}

interface FieldLabelProps {
  /** Of the control. */
  readonly id: string
  readonly label: string
  /** It is for screen readers alone. */
  readonly bare: boolean
}

export const FieldLabel = ({ id, label, bare }: FieldLabelProps) => (
  <chakra.label htmlFor={id} id={`${id}-label`} className={bare ? 'pl-said' : 'pl-label-text'}>
    {label}
  </chakra.label>
)
