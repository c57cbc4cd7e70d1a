import { Box, chakra, Input, Text } from '@chakra-ui/react'
import { Building2, Check, ChevronDown, ChevronRight, Network } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { folded } from '#schemas/fold-text.ts'
import { type TreeRow, treeRows } from '#web/components/tree.ts'
import { highlight } from '#web/theme/highlight.ts'
import type { Level } from './level.ts'

interface RowProps {
  readonly row: TreeRow<Level>
  readonly chosen: boolean
  readonly id: string
  onChoose(): void
  onToggle(): void
}

const Row = ({ row, chosen, id, onChoose, onToggle }: RowProps) => (
  <chakra.div
    id={id}
    role="treeitem"
    aria-level={row.depth + 1}
    aria-selected={chosen}
    {...(row.children > 0 ? { 'aria-expanded': row.open } : {})}
    tabIndex={-1}
    display="flex"
    alignItems="center"
    gap="2"
    minH={{ base: '11', md: '8' }}
    pe="2.5"
    borderRadius="md"
    cursor="pointer"
    fontSize="sm"
    fontWeight={chosen ? 'semibold' : 'normal'}
    _hover={{ bg: 'bg.muted' }}
    {...(chosen ? highlight : {})}
    onClick={onChoose}
    style={{ paddingInlineStart: 6 + row.depth * 20 }}
  >
    <chakra.span
      display="inline-flex"
      boxSize="4"
      color="fg.subtle"
      onClick={event => {
        event.stopPropagation()
        onToggle()
      }}
    >
      {row.children === 0 ? null : row.open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
    </chakra.span>
    {row.children > 0 ? <Network size={15} aria-hidden="true" /> : <Building2 size={15} aria-hidden="true" />}
    <Text as="span" flex="1" truncate>
      {row.item.name}
    </Text>
    {chosen ? <Check size={15} aria-hidden="true" /> : null}
  </chakra.div>
)

interface Props {
  readonly levels: readonly Level[]
  readonly chosen: string
  readonly label: string
  /** Room around the field that finds a level. */
  readonly inset?: string
  readonly autoFocus?: boolean
  onChoose(id: string): void
  /** Enter; without it, Enter is left to the form around it. */
  onEnter?(): void
}

/** The rows, what is typed, and the keys. */
const useLevelTree = ({ levels, chosen, onChoose, onEnter }: Props) => {
  const [wanted, setWanted] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = treeRows(levels, closed, wanted)
  const at = rows.findIndex(row => row.item.id === chosen)
  const toggle = (id: string, open: boolean) => {
    const next = new Set(closed)
    if (open) next.delete(id)
    else next.add(id)
    setClosed(next)
  }
  /** Selects the deepest level that contains the text; clears a selection that is no longer visible. */
  const find = (text: string) => {
    setWanted(text)
    if (text === '') return
    const sought = folded(text)
    onChoose(treeRows(levels, closed, text).findLast(({ item }) => folded(item.name).includes(sought))?.item.id ?? '')
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const row = rows[at]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
      if (next) onChoose(next.item.id)
    } else if (event.key === 'ArrowRight' && row && wanted === '') toggle(row.item.id, true)
    else if (event.key === 'ArrowLeft' && row && wanted === '') toggle(row.item.id, false)
    else if (event.key === 'Enter' && onEnter !== undefined) onEnter()
    else return
    event.preventDefault()
  }
  return { wanted, rows, at, toggle, find, onKeyDown }
}

/** The tree of levels to choose one from: arrows walk, typing finds. */
export const LevelTree = (props: Props) => {
  const { chosen, label, inset = '0', autoFocus = false, onChoose } = props
  const { t } = useTranslation('shell')
  const tree = useId()
  const box = useRef<HTMLDivElement>(null)
  const { wanted, rows, at, toggle, find, onKeyDown } = useLevelTree(props)
  useEffect(() => {
    if (at >= 0) box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <>
      <Box p={inset} pb="2">
        <Input
          {...(autoFocus ? { 'data-autofocus': '' } : {})}
          placeholder={t('level.find')}
          aria-label={t('level.find')}
          role="combobox"
          aria-expanded="true"
          aria-controls={tree}
          aria-activedescendant={at < 0 ? undefined : `${tree}-${chosen}`}
          value={wanted}
          onChange={event => find(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </Box>
      <Box ref={box} id={tree} role="tree" aria-label={label} px={inset === '0' ? '0' : '1.5'} pb="2" {...SCROLLED}>
        {rows.map(row => (
          <Row
            key={row.item.id}
            id={`${tree}-${row.item.id}`}
            row={row}
            chosen={row.item.id === chosen}
            onChoose={() => onChoose(row.item.id)}
            onToggle={() => toggle(row.item.id, !row.open)}
          />
        ))}
        {rows.length === 0 ? (
          <Text p="3" color="fg.subtle" fontSize="sm">
            {t('nothing')}
          </Text>
        ) : null}
      </Box>
    </>
  )
}

const SCROLLED = { maxH: '320px', overflow: 'auto' } as const
