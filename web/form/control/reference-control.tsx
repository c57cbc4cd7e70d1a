import { Text } from '@chakra-ui/react'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { ReferenceField } from '#schemas/field/kind.ts'
import type { Value } from '#web/entity/entity-query.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { type ControlProps, type FormOwner, FormOwnerContext } from './control-props.ts'
import { ReferencePicker, ReferencesPicker } from './reference-picker.tsx'

interface ReferenceProps extends ControlProps<Value | undefined, Value> {
  readonly field: ReferenceField
  /** Values of the form that are text, by field: a parent among them narrows the choice to its own. */
  readonly within: Readonly<Record<string, string>>
}

/** The form's row if it is the reference's parent. */
const parentOwner = (owner: FormOwner | undefined, to: string) => {
  const target: EntityDeclaration | undefined = isEntityName(to) ? entityOf(to) : undefined
  return owner !== undefined && target !== undefined && parentField(target) === owner.entity ? owner : undefined
}

/** Children can be selected only after the parent exists. */
const ChosenLater = ({ id, to }: { readonly id: string; readonly to: string }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (
    <Text id={id} color="fg.muted" textStyle="dense" py="1.5">
      {t('form.chosenlater', { things: inSentence(label.plural(to)) })}
    </Text>
  )
}

/** One thing of an entity, or several. */
export const ReferenceControl = ({ field, value, onChange, within, ...props }: ReferenceProps) => {
  const form = useContext(FormOwnerContext)
  const owner = parentOwner(form, field.to)
  if (owner !== undefined && owner.id === undefined) return <ChosenLater id={props.id} to={field.to} />
  const common = {
    id: props.id,
    to: field.to,
    within: owner?.id === undefined ? within : { ...within, [owner.entity]: owner.id },
    self: form?.entity === field.to ? form.id : undefined,
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
