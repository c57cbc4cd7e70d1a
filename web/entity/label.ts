import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldTexts } from '#web/form/field-texts.ts'

/** The words of the entities, by their names in the declarations; a word without translation is shown as its name. */
export const useLabel = () => {
  const { t } = useTranslation('entity')
  return useMemo(() => {
    const word = (key: string, fallback: string) => String(t(key, { defaultValue: fallback }))
    const optional = (key: string) => word(key, '') || undefined
    const textsAt = (key: string, name: string): FieldTexts => ({
      label: word(`${key}.label`, word(`common.field.${name}.label`, name)),
      hint: optional(`${key}.hint`),
      option: value => word(`${key}.option.${value}`, value),
      member: member => textsAt(`${key}.item.${member}`, member),
    })
    return {
      name: (entity: string) => word(`${entity}.name`, entity),
      plural: (entity: string) => word(`${entity}.plural`, entity),
      purpose: (entity: string) => optional(`${entity}.purpose`),
      section: (entity: string, id: string) => word(`${entity}.section.${id}.title`, id),
      sectionPurpose: (entity: string, id: string) => optional(`${entity}.section.${id}.purpose`),
      field: (entity: string, path: string) => {
        const field = path.split('.')[0] ?? path
        return word(`${entity}.field.${field}.label`, word(`common.field.${field}.label`, field))
      },
      /** Of a field and, in a list, of the fields of its items (`<entity>.field.<list>.item.<name>`). */
      texts: (entity: string, field: string): FieldTexts => textsAt(`${entity}.field.${field}`, field),
      option: (entity: string, field: string, value: string) => word(`${entity}.field.${field}.option.${value}`, value),
      action: (entity: string, action: string) =>
        word(`${entity}.action.${action}.do`, word(`common.action.${action}.do`, action)),
      verb: (entity: string, verb: string) => word(`${entity}.verb.${verb}`, word(`common.verb.${verb}`, verb)),
    }
  }, [t])
}

export type Label = ReturnType<typeof useLabel>
