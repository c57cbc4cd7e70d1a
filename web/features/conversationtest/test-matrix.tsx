import { Box, chakra, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { durationOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import type { Outcome, TestMoment } from './test-query.ts'
import { Mark, stepsOf, type Verdict, verdictOf } from './verdict-mark.tsx'

/** Outcomes of a column by test; undefined while loading. */
export interface Column {
  readonly moment: TestMoment
  readonly outcomes: ReadonlyMap<string, Outcome> | undefined
}

interface MatrixProps {
  readonly tests: readonly RowOf<'conversationtest'>[]
  /** The oldest first; the last one is the draft. */
  readonly columns: readonly Column[]
  readonly open: string | undefined
  addressOf(test: string): string
}

interface HeadProps {
  readonly moment: TestMoment
  /** Name of the flow below its revision. */
  readonly hasName: boolean
}

const Head = ({ moment, hasName }: HeadProps) => {
  const { t } = useTranslation('conversationtest')
  const { at, flow } = moment
  const isDraft = at === 'draft'
  const revision = flow === null ? undefined : `r${flow.revision}`
  const below = isDraft ? t('draft') : at === 'published' ? t('live') : hasName ? flow?.name : undefined
  return (
    <chakra.th
      scope="col"
      w="58px"
      minW="52px"
      px="1"
      py="1.5"
      textAlign="center"
      fontWeight="semibold"
      textStyle="secondary"
      color={isDraft ? 'fg' : 'fg.muted'}
      hideBelow={isDraft ? undefined : 'sm'}
      title={flow === null ? undefined : `${flow.name} ${revision}`}
    >
      {revision ?? (at === 'published' ? '—' : '')}
      <chakra.span display="block" fontWeight="normal" fontSize="2xs" maxW="58px" truncate>
        {below}
      </chakra.span>
    </chakra.th>
  )
}

/** A test did not exist yet at the moments before it was made. */
const isThere = (test: RowOf<'conversationtest'>, moment: TestMoment): boolean =>
  moment.at === 'draft' || moment.at === 'published' || Date.parse(test.created_at) <= Date.parse(moment.at)

interface CellProps {
  readonly test: RowOf<'conversationtest'>
  readonly column: Column
}

const Cell = ({ test, column: { moment, outcomes } }: CellProps) => {
  const { t } = useTranslation('conversationtest')
  const isKnown = outcomes !== undefined
  const verdict = isThere(test, moment) ? verdictOf(outcomes?.get(test.id)) : undefined
  const isBlank = !isThere(test, moment) || (isKnown && verdict === undefined)
  return (
    <chakra.td px="1" textAlign="center" hideBelow={moment.at === 'draft' ? undefined : 'sm'}>
      {isBlank ? <chakra.span srOnly>{t('notyet')}</chakra.span> : <Mark verdict={verdict} />}
    </chakra.td>
  )
}

/** Verdict of the last run, until the tests run. */
const knownVerdict = (test: RowOf<'conversationtest'>, draft: Column | undefined): Verdict => {
  if (draft?.outcomes !== undefined) return verdictOf(draft.outcomes.get(test.id))
  const last = test.last as { readonly passed?: boolean } | null
  return last === null || last.passed === undefined ? undefined : last.passed ? 'passed' : 'failed'
}

const NameCell = ({
  test,
  draft,
  isOpen,
  to,
}: {
  readonly test: RowOf<'conversationtest'>
  readonly draft: Column | undefined
  readonly isOpen: boolean
  readonly to: string
}) => {
  const { t } = useTranslation('conversationtest')
  const begins = draft?.outcomes?.get(test.id)?.path[0]?.dialog
  const count = stepsOf(test.file).length
  return (
    <chakra.th scope="row" textAlign="start" fontWeight="normal" p="0">
      <RouterLink
        to={to}
        replace
        aria-current={isOpen ? 'true' : undefined}
        display="flex"
        alignItems="center"
        gap="3"
        minH="52px"
        ps="4"
        pe="2"
        py="1.5"
        outlineOffset="-2px"
      >
        <Mark verdict={knownVerdict(test, draft)} isRound />
        <Box minW="0">
          <Text textStyle="card" lineClamp={2} overflowWrap="anywhere">
            {test.name}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {begins === undefined ? null : (
              <>
                <ReferenceName to="dialog" id={begins} /> ·{' '}
              </>
            )}
            {t('stepcount', { count })}
            {test.gating ? null : ` · ${t('notgating')}`}
          </Text>
        </Box>
      </RouterLink>
    </chakra.th>
  )
}

/** Tests by moments of the drawings: which one held when. */
export const TestMatrix = ({ tests, columns, open, addressOf }: MatrixProps) => {
  const { t } = useTranslation('conversationtest')
  const draft = columns.at(-1)
  const isMixed = new Set(columns.flatMap(({ moment: { flow } }) => flow?.id ?? [])).size > 1
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflowX="auto">
      <chakra.table w="100%" borderCollapse="collapse" aria-label={t('matrix')}>
        <chakra.thead>
          <tr>
            <chakra.th
              scope="col"
              textAlign="start"
              ps="4"
              textStyle="secondary"
              color="fg.muted"
              fontWeight="semibold"
            >
              {t('test')}
            </chakra.th>
            {columns.map(({ moment }) => (
              <Head key={moment.at} moment={moment} hasName={isMixed} />
            ))}
            <chakra.th scope="col" textAlign="end" pe="4" textStyle="secondary" color="fg.muted" fontWeight="semibold">
              {t('time')}
            </chakra.th>
          </tr>
        </chakra.thead>
        <tbody>
          {tests.map(test => {
            const ms = draft?.outcomes?.get(test.id)?.ms
            return (
              <chakra.tr
                key={test.id}
                borderTopWidth="1px"
                bg={test.id === open ? 'accent.subtle' : undefined}
                boxShadow={test.id === open ? 'inset 3px 0 0 var(--chakra-colors-accent-solid)' : undefined}
                _hover={test.id === open ? {} : { bg: 'bg.subtle' }}
              >
                <NameCell test={test} draft={draft} isOpen={test.id === open} to={addressOf(test.id)} />
                {columns.map(column => (
                  <Cell key={column.moment.at} test={test} column={column} />
                ))}
                <chakra.td textAlign="end" pe="4" textStyle="dense" color="fg.muted" whiteSpace="nowrap">
                  {ms === undefined ? '' : durationOf(ms)}
                </chakra.td>
              </chakra.tr>
            )
          })}
        </tbody>
      </chakra.table>
    </Box>
  )
}
