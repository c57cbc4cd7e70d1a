import { Box, Button, chakra, HStack, Input, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Building2, Check, ChevronDown, ChevronRight, Network } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { Floating } from '#web/components/floating.tsx'
import { type TreeRow, treeRows } from '#web/components/tree.ts'
import { isUnsaved } from '#web/form/unsaved.ts'
import { type Level, levelsQuery, useChangeLevel } from './level.ts'

interface Props {
  readonly anchor: HTMLElement | null
  onClose(): void
}

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
    bg={chosen ? 'accent.subtle' : 'transparent'}
    _hover={{ bg: chosen ? 'accent.subtle' : 'bg.subtle' }}
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

const useLevelTree = (levels: readonly Level[]) => {
  const { user } = useSession()
  const [wanted, setWanted] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState(user.hierarchylevel)
  const rows = treeRows(levels, closed, wanted)
  const at = rows.findIndex(row => row.item.id === chosen)
  const toggle = (id: string, open: boolean) => {
    const next = new Set(closed)
    if (open) next.delete(id)
    else next.add(id)
    setClosed(next)
  }
  /** The last level whose own name matches is chosen. */
  const find = (text: string) => {
    setWanted(text)
    const found = treeRows(levels, closed, text).findLast(row =>
      row.item.name.toLowerCase().includes(text.toLowerCase()),
    )
    if (text !== '' && found) setChosen(found.item.id)
  }
  return { rows, at, chosen, setChosen, wanted, find, toggle }
}

/** The tree of levels: arrows, typing finds, OK goes there. */
export const LevelPicker = ({ anchor, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const levels = useQuery(levelsQuery).data ?? []
  const change = useChangeLevel()
  const { rows, at, chosen, setChosen, wanted, find, toggle } = useLevelTree(levels)
  const confirm = () => {
    const level = levels.find(one => one.id === chosen)
    onClose()
    if (level !== undefined && level.id !== user.hierarchylevel) void change(level)
  }
  const onKey = (event: React.KeyboardEvent) => {
    const row = rows[at]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
      if (next) setChosen(next.item.id)
    } else if (event.key === 'ArrowRight' && row && wanted === '') toggle(row.item.id, true)
    else if (event.key === 'ArrowLeft' && row && wanted === '') toggle(row.item.id, false)
    else if (event.key === 'Enter') confirm()
    else return
    event.preventDefault()
  }
  return (
    <Floating anchor={anchor} align="end" onClose={onClose} role="dialog" aria-label={t('level.choose')} w="400px">
      <Box p="3" pb="2">
        <Input
          placeholder={t('level.find')}
          aria-label={t('level.find')}
          role="combobox"
          aria-expanded="true"
          aria-controls="level-tree"
          aria-activedescendant={at < 0 ? undefined : `level-${chosen}`}
          value={wanted}
          onChange={event => find(event.target.value)}
          onKeyDown={onKey}
        />
      </Box>
      <Box id="level-tree" role="tree" aria-label={t('level.choose')} px="1.5" pb="2" maxH="320px" overflow="auto">
        {rows.map(row => (
          <Row
            key={row.item.id}
            id={`level-${row.item.id}`}
            row={row}
            chosen={row.item.id === chosen}
            onChoose={() => setChosen(row.item.id)}
            onToggle={() => toggle(row.item.id, !row.open)}
          />
        ))}
        {rows.length === 0 ? (
          <Text p="3" color="fg.subtle" fontSize="sm">
            {t('nothing')}
          </Text>
        ) : null}
      </Box>
      <HStack px="4" py="3" bg="bg" borderTopWidth="1px" justify="flex-end">
        <Text flex="1" textStyle="secondary" color="fg.muted">
          {isUnsaved() ? t('level.unsaved') : ''}
        </Text>
        <Button variant="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button variant="solid" onClick={confirm} disabled={at < 0}>
          {t('ok')}
        </Button>
      </HStack>
    </Floating>
  )
}
