import { chakra, HStack, Input, Kbd } from '@chakra-ui/react'
import { ChevronDown, ChevronRight, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DRAGGED_TYPE } from '../canvas/flow-canvas.tsx'
import { stepOutTo } from '../canvas/focus-block.ts'
import { Tile } from '../canvas/tile.tsx'
import { useWords } from '../canvas/translate-context.ts'
import { useCommands } from '../commands/commands.ts'
import { typeName } from '../model/look.ts'
import { useDesigner } from '../session/designer.ts'
import { type BlockGroup, blockGroups, rankedBlocks, usedGroup } from './block-groups.ts'

const Group = ({ group, searching }: { readonly group: BlockGroup; readonly searching: boolean }) => {
  const t = useWords()
  const commands = useCommands()
  const [open, setOpen] = useState(true)
  const shown = open || searching
  const Chevron = shown ? ChevronDown : ChevronRight
  return (
    <section>
      <chakra.h2 m="0">
        <chakra.button
          type="button"
          aria-expanded={shown}
          display="flex"
          alignItems="center"
          gap="1.5"
          w="100%"
          px="3"
          pt="9px"
          pb="1"
          fontSize="xs"
          fontWeight="semibold"
          color="fg.muted"
          cursor="pointer"
          onClick={() => setOpen(!open)}
        >
          {t(`block:category.${group.category}`)}
          <chakra.span fontWeight="normal" color="fg.subtle">
            {group.blocks.length}
          </chakra.span>
          <chakra.span flex="1" />
          <Chevron size={14} aria-hidden />
        </chakra.button>
      </chakra.h2>
      {shown
        ? group.blocks.map(({ type }) => (
            <button
              key={type}
              type="button"
              className="pl-choice"
              draggable
              title={t(`block:description.${type}`, { defaultValue: '' }) || undefined}
              onDragStart={event => {
                event.dataTransfer.setData(DRAGGED_TYPE, type)
                event.dataTransfer.effectAllowed = 'copy'
              }}
              onClick={() => commands.add(type)}
            >
              <Tile type={type} size={22} />
              {typeName(type, t)}
            </button>
          ))
        : null}
    </section>
  )
}

/** Every kind of block: drag one onto the canvas, or press it to add it after the selected one. */
export const BlockPalette = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const [search, setSearch] = useState('')
  const groups = useMemo(() => blockGroups(search, words), [search, words])
  const [used] = useState(usedGroup)
  const { canvas } = useDesigner()
  const commands = useCommands()
  /** Enter adds what is meant most likely, Escape leads back to the flow. */
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') {
      setSearch('')
      stepOutTo(canvas.focus.get())
    }
    if (event.key !== 'Enter' || search.trim() === '') return
    const [block] = rankedBlocks(search, words)
    if (block === undefined) return
    setSearch('')
    commands.add(block.type)
  }
  return (
    <>
      <HStack position="relative" px="3" pt="10px" pb="2px" color="fg.subtle">
        <chakra.span position="absolute" left="22px" zIndex="1" pointerEvents="none">
          <Search size={15} aria-hidden />
        </chakra.span>
        <Input
          data-palette
          pl="32px"
          bg="bg"
          value={search}
          placeholder={t('palette.find')}
          aria-label={t('palette.find')}
          onChange={event => setSearch(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {search === '' ? (
          <Kbd position="absolute" right="20px" pointerEvents="none">
            /
          </Kbd>
        ) : null}
      </HStack>
      <chakra.div flex="1" overflowY="auto" pb="4" px="0">
        {search === '' ? <Group group={used} searching={false} /> : null}
        {groups.map(group => (
          <Group key={group.category} group={group} searching={search !== ''} />
        ))}
        {groups.length === 0 ? (
          <chakra.p p="4" fontSize="sm" color="fg.muted">
            {t('palette.none')}
          </chakra.p>
        ) : null}
      </chakra.div>
    </>
  )
}
