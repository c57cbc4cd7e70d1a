import type { FormValues } from '#web/form/form-value.ts'

/** What a control of a whole section works on: the values of the form, by field. */
export interface SectionControlProps {
  readonly values: FormValues
  /** As they are stored. */
  readonly saved: FormValues
  readonly readOnly: boolean
  onChange(field: string, value: readonly string[] | string | null): void
}
