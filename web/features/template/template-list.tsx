import type { RowOf } from '#schemas/row.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { Dash } from '#web/entity/list/cell.tsx'
import { AccountFilteredList, QualityChip } from '#web/features/campaign/index.ts'
import { ReviewCell, SubmissionCell } from './template-status.tsx'

const CELLS = {
  submission: (row: Row) => <SubmissionCell row={row as RowOf<'template'>} />,
  status: (row: Row) => <ReviewCell row={row as RowOf<'template'>} />,
  quality: ({ quality }: Row) =>
    typeof quality === 'string' && quality !== 'UNKNOWN' ? <QualityChip value={quality} /> : <Dash />,
}

/** All templates, or those of a number. */
export const TemplateList = () => <AccountFilteredList cells={CELLS} />
