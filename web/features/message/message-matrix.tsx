import { Box, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useLabel } from '#web/entity/label.ts'
import { Pagination } from '#web/entity/list/pagination.tsx'
import type { ListPlace } from '#web/entity/list/use-list-place.ts'
import type { ListControl } from '#web/entity/list/use-list-state.ts'
import { matrixQuery, useMatrixParams } from './matrix-query.ts'
import { MessageCell } from './message-cell.tsx'
import { useGridFocus } from './use-grid-focus.ts'

interface Props {
  readonly place: ListPlace
  readonly control: ListControl
}

interface Editing {
  readonly cell: string
  readonly isDirty: boolean
}

/** A row for each code and a column for each language. On a phone the languages stand below each other. */
export const MessageMatrix = ({ place, control }: Props) => {
  const { t } = useTranslation('entity/localemessage')
  const label = useLabel()
  const params = useMatrixParams(control)
  const { data, error, refetch } = useQuery(matrixQuery(place, params))
  const locales = data?.locales ?? []
  const { grid, current, setPlace, focus, onKeyDown } = useGridFocus(data?.items.length ?? 0, locales.length)
  const [editing, setEditing] = useState<Editing>()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton />
  if (data.items.length === 0) {
    const isComplete = params.missing !== '' && params.search === ''
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
  const columns = `minmax(150px, 240px) repeat(${locales.length}, minmax(0, 1fr))`
  const languageOf = (locale: string) => label.option('localemessage', 'locale', locale)
  return (
    <>
      <Box
        ref={grid}
        role="grid"
        aria-label={label.plural(place.entity.name)}
        aria-rowcount={data.total + 1}
        aria-colcount={locales.length + 1}
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.surface"
        onKeyDown={onKeyDown}
      >
        <Box
          role="row"
          aria-rowindex={1}
          display={{ base: 'none', md: 'grid' }}
          gridTemplateColumns={columns}
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
        {data.items.map((row, at) => (
          <Box
            role="row"
            key={JSON.stringify([row.namespace, row.code])}
            aria-rowindex={(data.page - 1) * data.size + at + 2}
            display="grid"
            gridTemplateColumns={{ base: '1fr', md: columns }}
            gap="1"
            px="3"
            py="1.5"
            borderTopWidth={at === 0 ? '0' : '1px'}
            borderColor="border.muted"
          >
            <Box role="rowheader" py="2.5" minW="0">
              {row.namespace === null ? null : (
                <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
                  {row.namespace}
                  <VisuallyHidden> · </VisuallyHidden>
                </Text>
              )}
              <Text fontFamily="mono" fontSize="sm" fontWeight="medium" overflowWrap="anywhere">
                {row.code}
              </Text>
            </Box>
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
                  isCurrent={current.row === at && current.column === column}
                  isEditing={editing?.cell === cell}
                  onEdit={() => {
                    // Text that is not saved keeps its editor: another cell is opened when it is saved or left.
                    if (editing?.isDirty === true) return
                    setPlace(here)
                    setEditing({ cell, isDirty: false })
                  }}
                  onDirty={isDirty =>
                    setEditing(before =>
                      before?.cell === cell && before.isDirty !== isDirty ? { cell, isDirty } : before,
                    )
                  }
                  onClose={() => {
                    setEditing(undefined)
                    // After the cell has taken its place in the tab order again.
                    requestAnimationFrame(() => focus(here))
                  }}
                />
              )
            })}
          </Box>
        ))}
      </Box>
      <Pagination state={control.state} total={data.total} onChange={control.set} />
    </>
  )
}
