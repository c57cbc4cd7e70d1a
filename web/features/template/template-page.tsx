import { Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { lintTemplate } from '#domain/template/lint.ts'
import { isFixedField, isGone, isUnderReview, templateOf } from '#domain/template/template.ts'
import { template } from '#schemas/entities/template.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import type { MenuAction } from '#web/components/action-menu.tsx'
import { ConfirmDialog } from '#web/components/modal.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { Dash } from '#web/entity/list/cell.tsx'
import { AccountFilteredList, QualityChip } from '#web/features/campaign/index.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { notice } from '#web/notice/notice.ts'
import { Redirect } from '#web/page/redirect.tsx'
import { ReviewCell, Standing, SubmissionCell } from './template-status.tsx'

const NONE: ReadonlySet<string> = new Set()
const LIST = '/campaignmanagement/channel/app/template/search'

/** A template: form, preview, status at Meta, and its withdrawal from there. */
export const TemplatePage = () => {
  const { id = '' } = useParams()
  const { t } = useTranslation('entity/template')
  const { can } = useSession()
  const problem = useProblemText()
  const client = useQueryClient()
  const [withdrawing, setWithdrawing] = useState(false)
  const withdraw = async () => {
    await http.post('/template/{id}/withdraw', { params: { id }, body: {} })
    await client.invalidateQueries({ queryKey: ['template'] })
    notice.snack(t('action.withdraw.done'), { tone: 'positive' })
  }
  const entry: MenuAction = {
    id: 'withdraw',
    label: t('action.withdraw.do'),
    icon: CloudOff,
    danger: true,
    run: () => setWithdrawing(true),
  }
  const blockedBy = (row: RowOf<'template'>, isDirty: boolean) => {
    if (row.provider === 'whatsapp_meta' && row.metaaccount === null) return problem('template.unsubmittable')
    if (isDirty) return t('standing.unsaved')
    if (isUnderReview(row.status)) return problem('template.review')
    if (row.status === 'APPROVED' && !row.modified_since) return t('standing.unchanged')
    const isFaulty = lintTemplate(templateOf(row)).some(({ level }) => level !== 'warning')
    return isFaulty ? t('standing.faulty') : undefined
  }
  const isThere = (row: RowOf<'template'>) => Boolean(row.external_id) && !isGone(row.status)
  return (
    <EntityDetail
      entity={template}
      id={id}
      listAt={LIST}
      hidden={NONE}
      menu={row => (can('withdrawtemplate') && isThere(row) ? [entry] : [])}
      blocked={blockedBy}
      isFixed={isFixedField}
      above={row => <Standing row={row} />}
      below={() =>
        withdrawing ? (
          <ConfirmDialog
            title={t('action.withdraw.do')}
            action={t('action.withdraw.do')}
            onConfirm={withdraw}
            onClose={() => setWithdrawing(false)}
          >
            <Text>{t('action.withdraw.question')}</Text>
          </ConfirmDialog>
        ) : null
      }
    />
  )
}

/** /campaignmanagement/channel/app/template/{id}: another address of a template; without an id that of a new one. */
export const TemplateAddress = () => {
  const { id } = useParams()
  const { search } = useLocation()
  const pathname = id === undefined ? '/template' : `/template/${encodeURIComponent(id)}`
  return <Redirect to={{ pathname, search }} />
}

const CELLS = {
  submission: (row: Row) => <SubmissionCell row={row as RowOf<'template'>} />,
  status: (row: Row) => <ReviewCell row={row as RowOf<'template'>} />,
  quality: ({ quality }: Row) =>
    typeof quality === 'string' && quality !== 'UNKNOWN' ? <QualityChip value={quality} /> : <Dash />,
}

/** All templates, or those of a number. */
export const TemplateList = () => <AccountFilteredList cells={CELLS} />
