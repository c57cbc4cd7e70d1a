import type { ReferenceField } from '#schemas/field/kind.ts'
import type { Value } from '#web/entity/entity-query.ts'
import type { ControlProps } from './control-props.ts'
import { ReferencePicker, ReferencesPicker } from './reference-picker.tsx'

interface ReferenceProps extends ControlProps<Value | undefined, Value> {
  readonly field: ReferenceField
  /** Values of the form that are text, by field: a parent among them narrows the choice to its own. */
  readonly within: Readonly<Record<string, string>>
}

/** One thing of an entity, or several. */
export const ReferenceControl = ({ field, value, onChange, within, ...props }: ReferenceProps) => {
  const common = {
    id: props.id,
    to: field.to,
    within,
    disabled: props.disabled === true || props.readOnly === true,
    invalid: props.invalid === true,
  }
  return field.kind === 'references' ? (
    <ReferencesPicker {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
  ) : (
    <ReferencePicker
      {...common}
      required={field.required}
      value={typeof value === 'string' ? value : null}
      onChange={onChange}
    />
  )
}
