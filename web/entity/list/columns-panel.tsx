import { Box, Button, chakra, HStack, type HTMLChakraProps, Text } from '@chakra-ui/react'
import { GripVertical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { columnsOf, defaultColumns, leadColumn, useColumnLabel } from './list-field.ts'
import { chosenColumns } from './list-state.ts'
import { Tick } from './unlabelled-checkbox.tsx'

/** The items in the order that moving one of them to a place makes. */
const moveItem = (items: readonly string[], item: string, to: number): readonly string[] => {
  const rest = items.filter(one => one !== item)
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** Reorders a list by dragging a grip, or with the up and down keys on it. */
const useReorder = (items: readonly string[], onChange: (items: readonly string[]) => void) => {
  const list = useRef<HTMLUListElement>(null)
  const [drag, setDrag] = useState<{ readonly item: string; readonly gap: number }>()
  const gapAt = (y: number): number => {
    const rows = [...(list.current?.querySelectorAll('[data-item]') ?? [])]
    const below = rows.findIndex(row => {
      const box = row.getBoundingClientRect()
      return y < box.top + box.height / 2
    })
    return below === -1 ? rows.length : below
  }
  const drop = () => {
    if (drag === undefined) return
    const from = items.indexOf(drag.item)
    const to = drag.gap > from ? drag.gap - 1 : drag.gap
    setDrag(undefined)
    if (to !== from) onChange(moveItem(items, drag.item, to))
  }
  const grip = (item: string) => ({
    onKeyDown: (event: React.KeyboardEvent) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      const to = items.indexOf(item) + (step ?? 0)
      if (step === undefined || to < 0 || to >= items.length) return
      event.preventDefault()
      onChange(moveItem(items, item, to))
    },
    onPointerDown: (event: React.PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ item, gap: items.indexOf(item) })
    },
    onPointerMove: (event: React.PointerEvent) => {
      if (drag !== undefined) setDrag({ item: drag.item, gap: gapAt(event.clientY) })
    },
    onPointerUp: drop,
    onPointerCancel: () => setDrag(undefined),
  })
  return { list, drag, grip }
}

interface Props {
  readonly entity: EntityDeclaration
  /** Empty: those of the declaration. */
  readonly columns: readonly string[]
  onChange(columns: readonly string[]): void
}

const Grip = (props: HTMLChakraProps<'button'>) => (
  <chakra.button
    type="button"
    boxSize={{ base: '11', md: '8' }}
    display="grid"
    placeItems="center"
    color="fg.subtle"
    cursor="grab"
    touchAction="none"
    borderRadius="sm"
    focusVisibleRing="outside"
    _hover={{ color: 'fg', bg: 'bg.subtle' }}
    {...props}
  >
    <GripVertical size={15} aria-hidden="true" />
  </chakra.button>
)

type Reorder = ReturnType<typeof useReorder>

interface ColumnProps extends Pick<Reorder, 'drag'> {
  readonly label: string
  readonly at: number
  readonly shown: readonly string[]
  /** It cannot be hidden. */
  readonly isFixed: boolean
  readonly grip: ReturnType<Reorder['grip']>
  onChange(checked: boolean): void
}

const Column = ({ label, at, shown, isFixed, drag, grip, onChange }: ColumnProps) => {
  const { t } = useTranslation('list')
  const isShown = at < shown.length
  return (
    <Box
      as="li"
      {...(isShown ? { 'data-item': '' } : {})}
      display="flex"
      alignItems="center"
      {...(at === shown.length ? { borderTopWidth: '1px', mt: '1', pt: '1' } : { borderRadius: 'sm' })}
      bg={isShown && drag?.item === shown[at] ? 'bg.sunken' : 'transparent'}
      boxShadow={isShown && drag?.gap === at ? '0 -2px 0 0 {colors.accent.solid}' : 'none'}
    >
      <Tick label={label} checked={isShown} disabled={isFixed} onChange={onChange} />
      <Text flex="1" minW="0" fontSize="sm" color={isShown ? 'fg' : 'fg.muted'} truncate>
        {label}
      </Text>
      {isShown ? (
        <Grip
          aria-label={t('columns.move', { name: label })}
          aria-description={t('columns.place', { place: at + 1, count: shown.length })}
          {...grip}
        />
      ) : null}
    </Box>
  )
}

/** Which columns a list shows, and in which order. */
export const ColumnsPanel = ({ entity, columns: given, onChange }: Props) => {
  const { t } = useTranslation('list')
  const label = useColumnLabel(entity)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector<HTMLElement>('input:not(:disabled)')?.focus(), [])
  // The address changes later than the checkbox: the panel shows its own state.
  const [columns, setColumns] = useState(given)
  const shown = columns.length === 0 ? defaultColumns(entity) : columns
  const lead = leadColumn(entity)
  const hidden = columnsOf(entity)
    .map(({ field }) => field)
    .filter(field => !shown.includes(field))
  const set = (next: readonly string[]) => {
    const chosen = chosenColumns(entity, next)
    setColumns(chosen)
    onChange(chosen)
  }
  const { list, drag, grip } = useReorder(shown, set)
  const isLast = shown.length === 1
  return (
    <Box ref={panel} role="group" aria-label={t('columns.title')} w="280px" maxW="100%" px="1.5" pt="1.5">
      <Text px="2" pt="1" textStyle="secondary" color="fg.muted">
        {t('columns.hint')}
      </Text>
      <Box as="ul" ref={list} listStyleType="none" mt="1">
        {/* One list, so that a column that is switched on or off moves with the focus on it. */}
        {[...shown, ...hidden].map((field, at) => (
          <Column
            key={field}
            label={label(field)}
            at={at}
            shown={shown}
            isFixed={field === lead || (at < shown.length && isLast)}
            drag={drag}
            grip={grip(field)}
            onChange={checked => set(checked ? [...shown, field] : shown.filter(one => one !== field))}
          />
        ))}
      </Box>
      <HStack position="sticky" bottom="0" bg="bg.raised" borderTopWidth="1px" mt="1" py="1.5" justify="flex-end">
        <Button size="sm" variant="ghost" disabled={columns.length === 0} onClick={() => set([])}>
          {t('columns.reset')}
        </Button>
      </HStack>
    </Box>
  )
}
