import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Value } from '#web/entity/entity-query.ts'
import type { FormValues } from '#web/form/form-value.ts'

/** What a control of a whole section works on: the values of the form, by field. */
export interface SectionControlProps {
  /** Of the thing; absent while it is created. */
  readonly id: string | undefined
  readonly values: FormValues
  /** As they are stored. */
  readonly saved: FormValues
  readonly readOnly: boolean
  onChange(field: string, value: readonly string[] | string | null): void
}

/** What a preview of a section shows, and where a value that it proposes goes. */
export interface SectionPreviewProps {
  readonly entity: EntityDeclaration
  /** Of the thing; absent while it is created. */
  readonly id: string | undefined
  readonly values: FormValues
  readonly readOnly: boolean
  onChange(field: string, value: Value): void
}
