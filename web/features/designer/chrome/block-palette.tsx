import { chakra, HStack, Input, Kbd } from '@chakra-ui/react'
import { ChevronDown, ChevronRight, Search } from 'lucide-react'
import { Fragment, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BLOCK_CATEGORIES, type Block, type BlockCategory } from '#schemas/block.ts'
import { blocks } from '#schemas/blocks/registry.ts'
import { folded } from '#schemas/fold-text.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { DRAGGED_TYPE } from '../canvas/flow-canvas.tsx'
import { focusBlockNow } from '../canvas/focus-block.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { typeName } from '../model/block-appearance.ts'
import { recentBlockTypes } from '../model/block-text.ts'
import type { Translate } from '../model/label.ts'
import { questionEntry, rankedQuestions } from '../model/question-kinds.ts'
import { useDesigner } from '../session/designer.ts'

interface BlockGroup {
  /** `used`: suggested blocks, in any category. */
  readonly category: BlockCategory | 'used'
  readonly blocks: readonly Block[]
}

/** Searches of at most this many letters match beginnings of words only: most texts contain "se" or "if". */
const SHORT = 2

/**
 * Rank of a block in a search: 0 for its whole name, from 1 for a synonym, the block's main synonyms before its others,
 * 2 for a name that begins with it, 3 for any word that begins with it, 4 for text within a word; undefined where
 * nothing matches.
 */
export const searchRank = ({ type }: Pick<Block, 'type'>, search: string, t: Translate): number | undefined => {
  const wanted = folded(search.trim())
  const text = (key: string) => folded(t(`block:${key}.${type}`, { defaultValue: '' }))
  const name = folded(typeName(type, t))
  if (name === wanted || wanted === '') return 0
  const synonyms = text('synonym').split(' ')
  const place = synonyms.indexOf(wanted)
  if (place >= 0) return 1 + place / synonyms.length
  if (name.startsWith(wanted)) return 2
  const all = [name, type, synonyms.join(' '), text('description')].join(' ')
  if (` ${all}`.includes(` ${wanted}`)) return 3
  return wanted.length > SHORT && all.includes(wanted) ? 4 : undefined
}

/** The palette by category; a search looks at names in the person's language, types, synonyms and descriptions. */
export const blockGroups = (search: string, t: Translate): readonly BlockGroup[] =>
  BLOCK_CATEGORIES.map(category => ({
    category,
    blocks: Object.values<Block>(blocks).filter(
      block => block.category === category && searchRank(block, search, t) !== undefined,
    ),
  })).filter(group => group.blocks.length > 0)

/** Blocks of a search, the best match first. */
export const rankedBlocks = (search: string, t: Translate): readonly Block[] =>
  blockGroups(search, t)
    .flatMap(group => group.blocks)
    .map(block => ({ block, rank: searchRank(block, search, t) ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ block }) => block)

interface FoundEntry {
  /** Type of a block, or a kind of question. */
  readonly entry: string
  readonly type: string
  readonly label: string
  readonly rank: number
}

/** Puts the kinds of questions that a search finds among its blocks, a better match first. */
export const withQuestions = (blocks: readonly Block[], search: string, t: Translate): readonly FoundEntry[] => {
  const questions = search.trim() === '' ? [] : rankedQuestions(search, t)
  const found = blocks.map(({ type }) => ({
    entry: type,
    type,
    label: typeName(type, t),
    rank: searchRank({ type }, search, t) ?? 0,
  }))
  const entries = questions.map(({ kind, rank }) => ({
    entry: questionEntry(kind),
    type: 'prompt',
    label: t(`block:question.${kind}`),
    rank,
  }))
  return [...entries, ...found].sort((a, b) => a.rank - b.rank)
}

/** The group above the others while nothing is searched for. */
const usedGroup = (): BlockGroup => ({
  category: 'used',
  blocks: recentBlockTypes().flatMap(type => Object.values<Block>(blocks).filter(block => block.type === type)),
})

interface ChoiceProps {
  /** Type of a block, or a kind of question. */
  readonly entry: string
  readonly type: string
  readonly label: string
  readonly hint: string
}

/** An entry of the palette: dragged onto the canvas, or pressed. */
const Choice = ({ entry, type, label, hint }: ChoiceProps) => {
  const commands = useCommands()
  return (
    <button
      type="button"
      className="pl-choice"
      draggable
      title={hint || undefined}
      onDragStart={event => {
        event.dataTransfer.setData(DRAGGED_TYPE, entry)
        event.dataTransfer.effectAllowed = 'copy'
      }}
      onClick={() => commands.add(entry)}
    >
      <Tile type={type} size={22} />
      {label}
    </button>
  )
}

interface GroupProps {
  /** Key of its title. */
  readonly name: string
  readonly entries: readonly ChoiceProps[]
  readonly searching: boolean
}

const Group = ({ name, entries, searching }: GroupProps) => {
  const t = useWords()
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
          {t(`block:category.${name}`)}
          <chakra.span fontWeight="normal" color="fg.subtle">
            {entries.length}
          </chakra.span>
          <chakra.span flex="1" />
          <Chevron size={14} aria-hidden />
        </chakra.button>
      </chakra.h2>
      {shown ? entries.map(entry => <Choice key={entry.entry} {...entry} />) : null}
    </section>
  )
}

const blockEntries = (group: BlockGroup, t: Translate): readonly ChoiceProps[] =>
  group.blocks.map(({ type }) => ({
    ...{ entry: type, type, label: typeName(type, t) },
    hint: t(`block:description.${type}`, { defaultValue: '' }),
  }))

/** Kinds of questions, below the blocks that a person meets. */
const Questions = ({ search }: { readonly search: string }) => {
  const t = useWords()
  const entries = rankedQuestions(search, t).map(({ kind }) => ({
    ...{ entry: questionEntry(kind), type: 'prompt', label: t(`block:question.${kind}`) },
    hint: '',
  }))
  return entries.length === 0 ? null : <Group name="questions" entries={entries} searching={search !== ''} />
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
      focusBlockNow(canvas.focus.get())
    }
    if (event.key !== 'Enter' || search.trim() === '') return
    const [first] = withQuestions(rankedBlocks(search, words), search, words)
    if (first === undefined) return
    setSearch('')
    commands.add(first.entry)
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
        {search === '' ? <Group name="used" entries={blockEntries(used, words)} searching={false} /> : null}
        {groups.map(group => (
          <Fragment key={group.category}>
            <Group name={group.category} entries={blockEntries(group, words)} searching={search !== ''} />
            {group.category === 'interaction' ? <Questions search={search} /> : null}
          </Fragment>
        ))}
        {groups.some(({ category }) => category === 'interaction') ? null : <Questions search={search} />}
        {groups.length === 0 && rankedQuestions(search, words).length === 0 ? (
          <chakra.p p="4" fontSize="sm" color="fg.muted">
            {t('palette.none')}
          </chakra.p>
        ) : null}
      </chakra.div>
    </>
  )
}
