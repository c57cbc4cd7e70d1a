import type { FieldTexts } from '#web/form/form-value.ts'
import type { Label } from './label.ts'

/** Texts of a field, with label and hint of one type of the entity where it has its own (`field.<name>.of.<type>`). */
export const typedTexts = (label: Label, entity: string, field: string, type: string): FieldTexts => {
  const texts = label.texts(entity, field)
  const own = (key: string) => label.message(entity, `field.${field}.of.${type}.${key}`)
  return { ...texts, label: own('label') ?? texts.label, hint: own('hint') ?? texts.hint }
}
