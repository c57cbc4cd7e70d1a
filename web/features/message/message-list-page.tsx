import { Box, chakra, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  CircleCheck,
  CircleDashed,
  EyeOff,
  Globe,
  Languages,
  type LucideIcon,
  MessageSquareText,
  PowerOff,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { type ListControl, type ListPlace, useListState } from '#web/entity/list/use-list-state.ts'
import { AddCode } from './add-code.tsx'
import { CellEditor } from './cell-editor.tsx'
import {
  type GridPlace,
  type MatrixCell,
  type MatrixRow,
  MISSING,
  matrixQuery,
  useGridFocus,
  useMatrixParams,
} from './matrix-query.ts'

interface CellProps {
  readonly place: ListPlace
  readonly row: MatrixRow
  readonly locale: string
  readonly language: string
  readonly at: GridPlace
  /** Whether it is the one in the tab order. */
  readonly isCurrent: boolean
  readonly isEditing: boolean
  onEdit(): void
  onDirty(isDirty: boolean): void
  onClose(): void
}

interface Source {
  readonly key: string
  readonly icon: LucideIcon
  readonly tone: 'warning' | 'accent' | 'neutral'
}

/** Source of a cell's text, as label and icon. */
const sourceOf = ({ source }: MatrixCell, isBot: boolean): Source => {
  switch (source) {
    case null:
      return { key: 'missing', icon: CircleDashed, tone: 'warning' }
    case 'own':
      return isBot
        ? { key: 'bot', icon: MessageSquareText, tone: 'accent' }
        : { key: 'level', icon: MessageSquareText, tone: 'neutral' }
    case 'hidden':
      return { key: 'hidden', icon: EyeOff, tone: 'neutral' }
    case 'general':
      return { key: isBot ? 'general' : 'above', icon: Globe, tone: 'neutral' }
  }
}

const sourcesOf = (cell: MatrixCell, isBot: boolean): readonly Source[] => [
  ...(cell.own?.enabled === false
    ? [{ key: isBot ? 'offbot' : 'offlevel', icon: PowerOff, tone: 'neutral' as const }]
    : []),
  sourceOf(cell, isBot),
]

const CellText = ({ cell, isBot }: { readonly cell: MatrixCell; readonly isBot: boolean }) => {
  const { t } = useTranslation('entity/localemessage')
  const text = cell.text ?? (cell.own?.enabled === false ? cell.own.message : '')
  return (
    <>
      {text === '' ? null : (
        <Text
          textStyle="dense"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          lineClamp={4}
          color={cell.source === 'own' ? 'fg' : 'fg.muted'}
        >
          {text}
        </Text>
      )}
      <chakra.span display="flex" flexWrap="wrap" gap="1.5" mt={text === '' ? '0' : '1.5'}>
        {sourcesOf(cell, isBot).map(({ key, icon: Icon, tone }) => (
          <Chip
            key={key}
            tone={tone}
            h="20px"
            fontWeight="medium"
            {...(tone === 'neutral' ? { bg: 'transparent', px: '0' } : {})}
          >
            <Icon size={12} aria-hidden="true" />
            {t(`matrix.source.${key}`)}
          </Chip>
        ))}
      </chakra.span>
    </>
  )
}

/** Border of a cell: while editing, and when its text is missing. */
const frameOf = (isEditing: boolean, isMissing: boolean, mayEdit: boolean) => {
  if (isEditing) return { borderStyle: 'solid', borderColor: 'border.emphasized' }
  const look = isMissing
    ? { borderStyle: 'dashed', borderColor: 'border.warning', bg: 'warning.subtle' }
    : { borderStyle: 'solid', borderColor: 'transparent' }
  return mayEdit ? { ...look, cursor: 'text', _hover: { borderColor: 'border.emphasized' } } : look
}

/** Message in one language, and its source. */
const MessageCell = (props: CellProps) => {
  const { place, row, locale, language, at, isCurrent, isEditing, onEdit, onDirty, onClose } = props
  const { can } = useSession()
  const cell = row.messages[locale]
  if (cell === undefined) return null
  const mayEdit = can(`${cell.own === null ? 'create' : 'update'}${place.entity.name}`)
  const start = () => {
    if (mayEdit && !isEditing) onEdit()
  }
  return (
    <Box
      role="gridcell"
      data-cell={`${at.row},${at.column}`}
      tabIndex={isCurrent && !isEditing ? 0 : -1}
      aria-readonly={!mayEdit}
      minW="0"
      p="2.5"
      borderRadius="md"
      borderWidth="1px"
      focusVisibleRing="inside"
      {...frameOf(isEditing, cell.source === null, mayEdit)}
      onClick={start}
      onKeyDown={event => {
        if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== 'F2')) return
        event.preventDefault()
        start()
      }}
    >
      <Text hideFrom="md" textStyle="label" mb="1">
        {language}
      </Text>
      {isEditing ? (
        <CellEditor
          place={place}
          row={row}
          locale={locale}
          cell={cell}
          name={`${row.code}, ${language}`}
          onDirty={onDirty}
          onClose={onClose}
        />
      ) : (
        <CellText cell={cell} isBot={place.entity.name !== 'localemessage'} />
      )}
    </Box>
  )
}

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
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
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
