import type { RowOf } from '#schemas/row.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { AccountFilteredList } from '#web/features/campaign/index.ts'
import { SubmissionCell } from './template-status.tsx'

const CELLS = { submission: (row: Row) => <SubmissionCell row={row as RowOf<'template'>} /> }

/** All templates, or those of a number. */
export const TemplateList = () => <AccountFilteredList cells={CELLS} />
