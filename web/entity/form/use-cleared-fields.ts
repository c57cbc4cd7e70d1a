import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { clearedFields } from '#domain/field/validate.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useLabel } from '#web/entity/label.ts'
import { type FormValues, initialValues, shownValues } from '#web/form/form-value.ts'
import { announceCleared } from './announce-cleared.ts'

const DIRTY = { shouldDirty: true } as const

/**
 * Clears the fields that a change leaves out (`when`) or narrows (`per`), as the server does on saving, and says so with
 * a way to undo it.
 */
export const useClearedFields = (entity: EntityDeclaration, form: UseFormReturn<FormValues>): void => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const before = useRef<FormValues>({})
  before.current = structuredClone(form.getValues())
  useEffect(() => {
    const isConditional = Object.values(entity.fields).some(
      field => field.when !== undefined || field.per !== undefined,
    )
    if (!isConditional) return
    const { unsubscribe } = form.watch((_, { name }) => {
      if (name === undefined) return
      const values = form.getValues()
      const shown = shownValues(entity, values)
      const cleared = clearedFields(entity.fields, shown, { [name]: shown[name] ?? null })
      const names = Object.keys(cleared)
      if (names.length === 0) return
      const undone = { [name]: before.current[name], ...Object.fromEntries(names.map(each => [each, values[each]])) }
      const initial = initialValues(entity, undefined)
      for (const each of names)
        form.setValue(each, entity.fields[each]?.kind === 'json' ? initial[each] : cleared[each], DIRTY)
      announceCleared(
        t,
        names.map(each => label.field(entity.name, each)),
        () => {
          for (const [each, value] of Object.entries(undone)) form.setValue(each, value, DIRTY)
        },
      )
    })
    return unsubscribe
  }, [entity, form, label, t])
}
