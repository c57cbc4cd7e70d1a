import { Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, Clock, Loader, PencilLine, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { hindranceOf, isSendable, isUnderReview, registrationOf, templateOf } from '#domain/template/template.ts'
import type { RowOf } from '#schemas/row.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import { StatusCard } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { useLabel } from '#web/entity/label.ts'
import { Dash, StatusChip } from '#web/entity/list/cell.tsx'
import { AccountMark } from '#web/features/simulatednumber/index.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'

type Tone = 'positive' | 'danger' | 'warning' | 'gray'

/** Whether a person registered it at a provider that lists no templates. */
const isByHand = ({ provider }: RowOf<'template'>): boolean => templateProvider(provider ?? '')?.review === 'hand'

/** The part of it that its provider cannot send. */
const hindrance = (row: RowOf<'template'>) => hindranceOf(templateOf(row), registrationOf(row))

/** Look of the state: submission to Meta first, then the review. */
const lookOf = (row: RowOf<'template'>): { readonly tone: Tone; readonly icon: typeof Clock } => {
  const { submission, status } = row
  if (submission === 'submitting') return { tone: 'gray', icon: Loader }
  if (submission === 'failed') return { tone: 'danger', icon: CircleAlert }
  if (submission === 'unknown') return { tone: 'warning', icon: TriangleAlert }
  if (isByHand(row))
    return hindrance(row) === undefined
      ? { tone: 'positive', icon: CircleCheck }
      : { tone: 'danger', icon: CircleAlert }
  if (submission !== 'submitted') return { tone: 'gray', icon: PencilLine }
  if (isUnderReview(status)) return { tone: 'gray', icon: Clock }
  if (status === 'FLAGGED') return { tone: 'warning', icon: TriangleAlert }
  return isSendable(status) ? { tone: 'positive', icon: CircleCheck } : { tone: 'danger', icon: CircleAlert }
}

/** Why it did not get to Meta: in Meta's words, or in ours where Meta said nothing. */
const useErrorText = (error: string): string => {
  const { t } = useTranslation('entity/template')
  const problem = useProblemText()
  if (error === 'template.other') return t('standing.other')
  if (error === 'template.lost') return t('standing.lost')
  const own = /^[a-z]+\.[a-z]+$/u.test(error) ? problem(error) : error
  return problem('template.create', { errMessage: own })
}

/** State of Meta's review in one word. */
const useReviewWord = () => {
  const { t } = useTranslation('entity/template')
  return ({ status }: Pick<RowOf<'template'>, 'status'>): string =>
    status === null || status === '' ? '' : (t(`status.${status}`, { defaultValue: status }).split(':')[0] ?? '')
}

/** State of a template in one word: the review once it is at Meta, else its submission. */
export const TemplateChip = ({ row }: { readonly row: RowOf<'template'> }) => {
  const { t } = useTranslation('entity/template')
  const label = useLabel()
  const reviewWord = useReviewWord()
  const { tone, icon: Icon } = lookOf(row)
  const { submission } = row
  const word = isByHand(row)
    ? t('standing.byhand')
    : submission === 'submitted'
      ? reviewWord(row)
      : label.option('template', 'submission', submission)
  return (
    <>
      <Chip tone={tone === 'gray' ? 'neutral' : tone} icon={Icon}>
        {word}
      </Chip>
      <AccountMark account={row.metaaccount} />
    </>
  )
}

/** Submission in the list. */
export const SubmissionCell = ({ row }: { readonly row: RowOf<'template'> }) => {
  const { t } = useTranslation('entity/template')
  return isByHand(row) ? (
    <Chip>{t('standing.byhand')}</Chip>
  ) : (
    <StatusChip entity="template" field="submission" value={row.submission} />
  )
}

/** State of Meta's review in the list; nothing before the submission. */
export const ReviewCell = ({ row }: { readonly row: RowOf<'template'> }) => {
  const word = useReviewWord()(row)
  const { tone, icon: Icon } = lookOf(row)
  if (word === '' || isByHand(row)) return <Dash />
  return (
    <Chip tone={tone === 'gray' ? 'neutral' : tone} icon={Icon}>
      {word}
    </Chip>
  )
}

/** Reasons that Meta names by a word in capitals, in the reader's language; others as they are. */
const useReasonText = () => {
  const { t } = useTranslation('entity/template')
  return (reason: string): string =>
    /^[A-Z_]+$/u.test(reason) ? t(`reason.${reason}`, { defaultValue: reason }) : reason
}

/** State of a template: submission and review. */
export const Standing = ({ row }: { readonly row: RowOf<'template'> }) => {
  const { t } = useTranslation('entity/template')
  const { t: tc } = useTranslation('campaign')
  const label = useLabel()
  const { tone, icon: Icon } = lookOf(row)
  const error = useErrorText(row.submission_error ?? '')
  const { submission, status } = row
  const isIn = submission === 'submitted'
  const word = t(`status.${status ?? ''}`, { defaultValue: status ?? '' })
  const found = hindrance(row)
  const problem = useProblemText()
  const reasonText = useReasonText()
  const head = isByHand(row) ? t('standing.byhand') : isIn ? word : t(`standing.${submission}`)
  const lines = [
    ...(submission === 'failed' || (submission === 'unknown' && row.submission_error?.startsWith('template.'))
      ? [error]
      : []),
    ...(submission === 'draft' && !isByHand(row)
      ? []
      : [t('standing.at', { place: label.option('template', 'provider', row.provider ?? 'whatsapp_meta') })]),
    ...(found === undefined ? [] : [problem('field.format', { rule: `template${found}` })]),
    ...(row.reason ? [reasonText(row.reason)] : []),
    ...(isIn && !isSendable(status) && !isUnderReview(status) ? [t('standing.notsendable')] : []),
    ...(row.modified_since ? [t('standing.changed')] : []),
    ...(row.old_category
      ? [
          t('standing.category', {
            before: label.option('template', 'category', row.old_category),
            after: label.option('template', 'category', row.category),
          }),
        ]
      : []),
  ]
  const quality = isIn && row.quality !== 'UNKNOWN' ? row.quality : null
  return (
    <StatusCard
      isWide
      role="status"
      tone={tone}
      icon={Icon}
      title={
        <>
          {head}
          {quality ? (
            <Text as="span" fontWeight="normal" color="fg.muted">
              {` · ${tc(`quality.${quality}`, { defaultValue: quality })}`}
            </Text>
          ) : null}
        </>
      }
      lines={lines}
    />
  )
}
