import { Controller, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field, ListField } from '#schemas/field/kind.ts'
import type { LocalizedFieldProblem } from '#web/api/failure.ts'
import { nameOf } from '#web/components/person-avatar.tsx'
import type { HistoryItem, Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { usePerson } from '#web/entity/person-query.ts'
import { ValueText } from '#web/entity/value-text.tsx'
import { FormField } from '#web/form/form-field.tsx'
import {
  bodyValue,
  controlValue,
  type FieldFault,
  type FormValues,
  faultOf,
  isSecret,
  nestedFaults,
} from '#web/form/form-value.ts'
import { ItemTexts } from './conflict-dialog.tsx'
import { announceClearedFields, chosenItems } from './use-entity-form.ts'

interface EntityFieldProps {
  readonly entity: EntityDeclaration
  readonly form: UseFormReturn<FormValues>
  readonly name: string
  readonly field: Field
  /** Values of the form as a record would hold them. */
  readonly values: JsonObject
  readonly creating: boolean
  readonly readOnly: boolean
  readonly dirty: boolean
  readonly faults: readonly FieldFault[]
  readonly conflict: LocalizedFieldProblem | undefined
  readonly changedBy: string | undefined
  readonly chosen: HistoryItem | undefined
  readonly onHistory: ((field: string) => void) | undefined
  readonly onLeave: (field: string) => void
}

const ChangedBy = ({ user }: { user: string }) => {
  const { t } = useTranslation('shell')
  const person = usePerson(user)
  return <>{t('form.changedby', { name: nameOf(person ?? null) })}</>
}

const wordOf = (value: unknown, empty: string): string =>
  value === null || value === undefined || value === '' ? empty : typeof value === 'object' ? '…' : String(value)

/** The value of a field before the chosen change, in words. */
const useWas = (chosen: HistoryItem | undefined, name: string): string | undefined => {
  const { t } = useTranslation('history')
  const change = chosen?.changes.find(one => one.path.split('.')[0] === name)
  if (change === undefined) return undefined
  if (change.words) return t('words')
  return change.secret ? t('secret') : wordOf(change.before, t('empty'))
}

/** One field of an entity's form. */
export const EntityField = (props: EntityFieldProps) => {
  const { entity, form, name, field, values, creating, faults, conflict, changedBy, onHistory, onLeave } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  const was = useWas(props.chosen, name)
  const fault = faultOf(name, field, faults)
  const drawn = (value: unknown) => <ValueText entity={entity.name} path={name} value={(value ?? null) as Value} />
  const takeTheirItems = (list: ListField, error: LocalizedFieldProblem) => {
    const yours = bodyValue(list, form.getValues(name)) ?? null
    const items = chosenItems(list, { error, yours, theirs: error.theirs ?? null, own: new Set() })
    form.setValue(name, controlValue(list, items), { shouldDirty: true })
  }
  const conflictOf = (error: LocalizedFieldProblem) => {
    const { items } = error
    if (field.kind !== 'list' || items === undefined)
      return {
        before: drawn(error.before),
        theirs: drawn(error.theirs),
        onUseTheirs: () => form.resetField(name, { defaultValue: error.theirs ?? null }),
      }
    return {
      before: undefined,
      theirs: <ItemTexts entity={entity.name} path={name} field={field} items={items} />,
      onUseTheirs: () => takeTheirItems(field, error),
    }
  }
  const conflictShown = conflict && conflictOf(conflict)
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field: control }) => (
        <FormField
          name={name}
          field={field}
          texts={label.texts(entity.name, name, String(values.type ?? ''))}
          value={control.value as Value | undefined}
          secret={isSecret(field, values)}
          readOnly={props.readOnly || field.readonly || (field.fixed && !creating)}
          values={values}
          onChange={next => {
            control.onChange(next)
            if (fault !== undefined || nestedFaults(faults, name).length > 0) onLeave(name)
          }}
          onLeave={() => onLeave(name)}
          onCleared={labels => announceClearedFields(t, labels)}
          faults={nestedFaults(faults, name)}
          error={fault?.message}
          dirty={!creating && props.dirty}
          was={was}
          changedBy={changedBy === undefined ? undefined : { user: changedBy, text: <ChangedBy user={changedBy} /> }}
          conflict={conflictShown}
          onHistory={onHistory && !creating ? () => onHistory(name) : undefined}
        />
      )}
    />
  )
}
