import type { Json } from '#schemas/event.ts'
import type { FieldWhen } from '#schemas/field/core.ts'

/** Whether all fields of a condition have one of its values; true without a condition. */
export const isWhen = (when: FieldWhen | undefined, read: (field: string) => Json | undefined): boolean =>
  Object.entries(when ?? {}).every(([field, values]) => values.some(value => value === read(field)))
