import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Value } from '#web/entity/entity-query.ts'
import type { FormValues } from '#web/form/form-value.ts'

/** Props of a control for a whole section: form values by field. */
export interface SectionControlProps {
  /** Of the thing; absent while it is created. */
  readonly id: string | undefined
  readonly values: FormValues
  /** As they are stored. */
  readonly saved: FormValues
  readonly readOnly: boolean
  onChange(field: string, value: readonly string[] | string | null): void
}

/** Props of a section preview: values, and a callback for proposed ones. */
export interface SectionPreviewProps {
  readonly entity: EntityDeclaration
  /** Of the thing; absent while it is created. */
  readonly id: string | undefined
  readonly values: FormValues
  readonly readOnly: boolean
  onChange(field: string, value: Value): void
}
