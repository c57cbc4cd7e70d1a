import { chakra, Input } from '@chakra-ui/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeModel } from '#domain/flow/document/model.ts'
import type { Block } from '#schemas/block.ts'
import { OptionRow } from '#web/components/option-row.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { recentBlockTypes } from '../model/block-text.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { rankedBlocks, searchRank, withQuestions } from './block-palette.tsx'
import { OutputChoice } from './link-picker.tsx'

interface BlockSearchProps {
  /** Screen position of the request; absent: the middle. */
  readonly at: { readonly x: number; readonly y: number } | undefined
  /** The block it comes after, and the output of it that is meant. */
  readonly after: { readonly source: NodeModel; readonly output: string | undefined } | undefined
  readonly onChoose: (type: string, output: string | undefined) => void
  readonly onClose: () => void
}

const WIDTH = 300
const HEIGHT = 340

/** Entries of the palette that a search finds, the best match first. */
const useFoundEntries = (search: string, isAfter: boolean) => {
  const words = useWords()
  const { canvas } = useDesigner()
  const hasStart = useStoreValue(canvas.flow, ({ nodes }) => [...nodes.values()].some(({ type }) => type === 'start'))
  return useMemo(() => {
    const matchOf = (block: Block) => searchRank(block, search, words) ?? 0
    // A flow has one start, and what nothing leads to comes after nothing: they stay, below the rest.
    const comes = ({ inputs, runs }: Block) => inputs.length > 0 || !(runs && (hasStart || isAfter))
    const used = search.trim() === '' ? recentBlockTypes() : []
    const rank = ({ type }: Block) => (used.includes(type) ? used.indexOf(type) : used.length)
    const sorted = [...rankedBlocks(search, words)].sort(
      (a, b) => matchOf(a) - matchOf(b) || Number(comes(b)) - Number(comes(a)) || rank(a) - rank(b),
    )
    return withQuestions(sorted, search, words)
  }, [search, words, hasStart, isAfter])
}

/** Type to find a block, Enter to add it. */
export const BlockSearch = ({ at, after, onChoose, onClose }: BlockSearchProps) => {
  const { t } = useTranslation('designer')
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const [output, setOutput] = useState(after?.output)
  const box = useRef<HTMLDivElement>(null)
  const found = useFoundEntries(search, after !== undefined)
  useEffect(() => {
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', away, true)
    return () => document.removeEventListener('pointerdown', away, true)
  }, [onClose])
  const place =
    at === undefined
      ? { left: `calc(50vw - ${WIDTH / 2}px)`, top: '22vh' }
      : { left: Math.min(at.x, innerWidth - WIDTH - 12), top: Math.min(at.y, innerHeight - HEIGHT - 12) }
  const onKeyDown = (event: React.KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive((active + step + found.length) % Math.max(1, found.length))
    }
    const way = search === '' ? after?.source.outputs[Number(event.key) - 1] : undefined
    if (way !== undefined) {
      event.preventDefault()
      setOutput(way.id)
    }
    const chosen = found[active]
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      onChoose(chosen.entry, output)
    }
  }
  return (
    <chakra.div
      ref={box}
      role="dialog"
      aria-label={t('search.label')}
      position="fixed"
      zIndex="popover"
      display="flex"
      flexDirection="column"
      bg="bg.raised"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="overlay"
      overflow="hidden"
      style={{ ...place, width: WIDTH, maxHeight: HEIGHT }}
      onKeyDown={onKeyDown}
    >
      <Input
        autoFocus
        m="2"
        w="auto"
        flex="none"
        value={search}
        role="combobox"
        aria-expanded="true"
        aria-controls="pl-found"
        aria-activedescendant={found.length === 0 ? undefined : `pl-found-${active}`}
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        onChange={event => {
          setSearch(event.target.value)
          setActive(0)
        }}
      />
      {after === undefined || after.source.outputs.length < 2 ? null : (
        <chakra.div px="2" pb="2" maxH="33%" overflowY="auto" flex="none">
          <OutputChoice node={after.source} label={t('link.output')} chosen={output} onChoose={setOutput} />
        </chakra.div>
      )}
      <chakra.div id="pl-found" role="listbox" aria-label={t('search.label')} overflowY="auto" pb="2">
        {found.map(({ entry, type, label }, index) => (
          <OptionRow
            key={entry}
            list="pl-found"
            index={index}
            active={active}
            onPoint={setActive}
            onChoose={() => onChoose(entry, output)}
          >
            <Tile type={type} size={22} />
            {label}
          </OptionRow>
        ))}
        {found.length === 0 ? (
          <chakra.p px="4" py="2" fontSize="sm" color="fg.muted">
            {t('palette.none')}
          </chakra.p>
        ) : null}
      </chakra.div>
    </chakra.div>
  )
}
