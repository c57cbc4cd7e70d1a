import type { BlockField, BlockFields, BlockTab } from '#schemas/flow/block-field.ts'
import { under, useForm } from './form-context.ts'
import { isShown } from './layout.ts'

/** A group stands on a tab when one of its fields does. */
export const standsOn = (field: BlockField, tab: BlockTab): boolean =>
  field.hidden !== true &&
  (field.kind === 'group' ? Object.values(field.fields).some(member => standsOn(member, tab)) : field.tab === tab)

interface FieldGroupProps {
  readonly path: readonly string[]
  readonly fields: BlockFields
}

/** All fields of a group that stand on the present tab, in the declaration's order. */
export const FieldGroup = ({ path, fields }: FieldGroupProps) => {
  const { node, tab, Field } = useForm()
  const shown = Object.entries(fields).filter(
    ([name, field]) => standsOn(field, tab) && isShown(node, [...path, name].join('.')),
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
