import { Box, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Languages } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { type ListControl, type ListPlace, useListState } from '#web/entity/list/use-list-state.ts'
import { AddCode } from './add-code.tsx'
import { type MatrixRow, MISSING, matrixQuery, useGridFocus, useMatrixParams } from './matrix-query.ts'
import { MessageCell } from './message-cell.tsx'

interface Props {
  readonly place: ListPlace
  readonly control: ListControl
}

interface Editing {
  readonly cell: string
  readonly isDirty: boolean
}

/** Which cell is edited. Text that is not saved keeps its editor: another cell is opened when it is saved or left. */
const useEditing = () => {
  const [editing, setEditing] = useState<Editing>()
  return {
    cell: editing?.cell,
    /** Whether the cell may be edited now. */
    begin: (cell: string): boolean => {
      if (editing?.isDirty === true) return false
      setEditing({ cell, isDirty: false })
      return true
    },
    mark: (cell: string, isDirty: boolean) =>
      setEditing(before => (before?.cell === cell && before.isDirty !== isDirty ? { cell, isDirty } : before)),
    end: () => setEditing(undefined),
  }
}

const columnsOf = (locales: readonly string[]) => `minmax(150px, 240px) repeat(${locales.length}, minmax(0, 1fr))`

interface HeadProps {
  readonly locales: readonly string[]
  readonly languageOf: (locale: string) => string
}

/** Column headers. On a phone each cell shows its own. */
const Head = ({ locales, languageOf }: HeadProps) => {
  const label = useLabel()
  return (
    <Box
      role="row"
      aria-rowindex={1}
      display={{ base: 'none', md: 'grid' }}
      gridTemplateColumns={columnsOf(locales)}
      gap="1"
      px="3"
      py="2"
      position="sticky"
      top="0"
      zIndex="1"
      bg="bg.surface"
      borderTopRadius="lg"
      borderBottomWidth="1px"
      textStyle="label"
      color="fg.muted"
    >
      <Box role="columnheader">{label.field('localemessage', 'code')}</Box>
      {locales.map(locale => (
        <Box key={locale} role="columnheader" px="2.5">
          {languageOf(locale)}
        </Box>
      ))}
    </Box>
  )
}

const RowHead = ({ row: { namespace, code } }: { readonly row: MatrixRow }) => (
  <Box role="rowheader" py="2.5" minW="0">
    {namespace === null ? null : (
      <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
        {namespace}
        <VisuallyHidden> · </VisuallyHidden>
      </Text>
    )}
    <Text fontFamily="mono" fontSize="sm" fontWeight="medium" overflowWrap="anywhere">
      {code}
    </Text>
  </Box>
)

interface LineProps extends HeadProps {
  readonly place: ListPlace
  readonly row: MatrixRow
  readonly at: number
  /** From 1, over all pages, below the head. */
  readonly index: number
  readonly focus: ReturnType<typeof useGridFocus>
  readonly editing: ReturnType<typeof useEditing>
}

const Line = ({ place, row, at, index, locales, languageOf, focus, editing }: LineProps) => (
  <Box
    role="row"
    aria-rowindex={index + 1}
    display="grid"
    gridTemplateColumns={{ base: '1fr', md: columnsOf(locales) }}
    gap="1"
    px="3"
    py="1.5"
    borderTopWidth={at === 0 ? '0' : '1px'}
    borderColor="border.muted"
  >
    <RowHead row={row} />
    {locales.map((locale, column) => {
      const here = { row: at, column }
      const cell = JSON.stringify([row.namespace, row.code, locale])
      return (
        <MessageCell
          key={locale}
          place={place}
          row={row}
          locale={locale}
          language={languageOf(locale)}
          at={here}
          isCurrent={focus.current.row === at && focus.current.column === column}
          isEditing={editing.cell === cell}
          onEdit={() => {
            if (editing.begin(cell)) focus.setPlace(here)
          }}
          onDirty={isDirty => editing.mark(cell, isDirty)}
          onClose={() => {
            editing.end()
            // After the cell has taken its place in the tab order again.
            requestAnimationFrame(() => focus.focus(here))
          }}
        />
      )
    })}
  </Box>
)

const Empty = ({ isComplete }: { readonly isComplete: boolean }) => {
  const { t } = useTranslation('entity/localemessage')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      {isComplete ? (
        <EmptyState icon={CircleCheck} title={t('matrix.complete')} text={t('matrix.completetext')} />
      ) : (
        <EmptyState title={t('matrix.empty')} text={t('matrix.emptytext')} />
      )}
    </Box>
  )
}

/** A row for each code and a column for each language. On a phone the languages stand below each other. */
const MessageMatrix = ({ place, control }: Props) => {
  const label = useLabel()
  const params = useMatrixParams(control)
  const { data, error, refetch } = useQuery(matrixQuery(place, params))
  const locales = data?.locales ?? []
  const focus = useGridFocus(data?.items.length ?? 0, locales.length)
  const editing = useEditing()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton />
  const pagination = <Pagination state={control.state} total={data.total} onChange={control.set} />
  if (data.items.length === 0 && data.total > 0) return pagination
  if (data.items.length === 0) return <Empty isComplete={params.missing !== '' && params.search === ''} />
  const columns = { locales, languageOf: (locale: string) => label.option('localemessage', 'locale', locale) }
  return (
    <>
      <Box
        ref={focus.grid}
        role="grid"
        aria-label={label.plural(place.entity.name)}
        aria-rowcount={data.total + 1}
        aria-colcount={locales.length + 1}
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.surface"
        onKeyDown={focus.onKeyDown}
      >
        <Head {...columns} />
        {data.items.map((row, at) => (
          <Line
            {...columns}
            key={JSON.stringify([row.namespace, row.code])}
            place={place}
            row={row}
            at={at}
            index={(data.page - 1) * data.size + at + 1}
            focus={focus}
            editing={editing}
          />
        ))}
      </Box>
      {pagination}
    </>
  )
}

/** All codes, or those without a text: in any language, or in one. */
const MessageFilter = ({ place }: { readonly place: ListPlace }) => {
  const { t } = useTranslation('entity/localemessage')
  const label = useLabel()
  const params = useMatrixParams(useListState(place))
  const { data } = useQuery(matrixQuery(place, params))
  const [, setSearch] = useSearchParams()
  const show = (value: string) =>
    setSearch(
      before => {
        const next = new URLSearchParams(before)
        next.delete('page')
        if (value === '') next.delete(MISSING)
        else next.set(MISSING, value)
        return next
      },
      { replace: true },
    )
  const count = (name: string) => (data === undefined ? '' : ` ${data.missing[name] ?? 0}`)
  return (
    <Segments
      label={t('matrix.filter')}
      value={params.missing}
      onChange={show}
      options={[
        { value: '', label: t('matrix.all') },
        { value: 'any', label: t('matrix.missingonly') + count('any') },
        ...(data?.locales ?? []).map(locale => ({
          value: locale,
          label: t('matrix.missingin', { language: label.option('localemessage', 'locale', locale) }) + count(locale),
        })),
      ]}
    />
  )
}

/** The list of locale messages, which can also be shown with a column for each language. */
export const MessageListPage = () => {
  useEntityTexts(['localemessage', 'botspecificlocalemessage'])
  const { t } = useTranslation('entity/localemessage')
  return (
    <EntityListPage
      matrix={{
        label: t('matrix.view'),
        icon: Languages,
        // A bot's messages are a matrix within one bot.
        isOffered: ({ entity, fixed }) => entity.name === 'localemessage' || fixed.bot !== undefined,
        filter: place => <MessageFilter place={place} />,
        action: place => <AddCode place={place} />,
        content: (place, control) => <MessageMatrix place={place} control={control} />,
      }}
    />
  )
}
