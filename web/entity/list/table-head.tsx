import { chakra } from '@chakra-ui/react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { isSortable, useColumnLabel } from './list-field.ts'
import { nextSort } from './list-state.ts'
import { Tick } from './unlabelled-checkbox.tsx'
import type { Selection } from './use-selection.ts'

const HeadCell = chakra('th', {
  base: {
    h: '36px',
    px: '2',
    textAlign: 'start',
    textStyle: 'label',
    color: 'fg.muted',
    whiteSpace: 'nowrap',
    borderBottomWidth: '1px',
  },
})

interface Props {
  readonly entity: EntityDeclaration
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly sort: string
  /** Undefined where there is nothing to do with several. */
  readonly selection: Selection | undefined
  onSort(sort: string): void
}

/** Headers: a click sorts. The first checkbox is that of the page. */
export const TableHead = ({ entity, columns, rows, sort, selection, onSort }: Props) => {
  const { t } = useTranslation('shell')
  const { t: tl } = useTranslation('list')
  const label = useColumnLabel(entity)
  const selected = selection === undefined ? 0 : rows.filter(({ id }) => selection.has(id)).length
  const direction = (field: string) => (sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none')
  return (
    <chakra.thead bg="bg">
      <tr>
        {selection === undefined ? null : (
          <HeadCell scope="col" w="44px" px="1.5">
            <Tick
              label={tl('select.page')}
              checked={selected === rows.length}
              isPartly={selected > 0 && selected < rows.length}
              onChange={isSelected => selection.set(rows, isSelected)}
            />
          </HeadCell>
        )}
        {columns.map(field =>
          isSortable(entity, field) ? (
            <HeadCell key={field} scope="col" aria-sort={direction(field)}>
              <chakra.button
                type="button"
                display="inline-flex"
                alignItems="center"
                gap="1"
                cursor="pointer"
                borderRadius="xs"
                focusVisibleRing="outside"
                _hover={{ color: 'fg' }}
                onClick={() => onSort(nextSort(sort, field))}
              >
                {label(field)}
                {direction(field) === 'ascending' ? <ArrowUp size={12} aria-hidden="true" /> : null}
                {direction(field) === 'descending' ? <ArrowDown size={12} aria-hidden="true" /> : null}
              </chakra.button>
            </HeadCell>
          ) : (
            <HeadCell key={field} scope="col">
              {label(field)}
            </HeadCell>
          ),
        )}
        <HeadCell scope="col" position="sticky" right="0" bg="bg">
          <chakra.span srOnly>{t('list.actions')}</chakra.span>
        </HeadCell>
      </tr>
    </chakra.thead>
  )
}
