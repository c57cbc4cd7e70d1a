import { chakra, HStack } from '@chakra-ui/react'
import { TriangleAlert, X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { isMarker } from '../model/block-appearance.ts'
import { plainTitle } from '../model/label.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { readingOrder } from '../model/reading-order.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

/** The blocks under their sections, sections in the order in which they are reached. */
const grouped = (order: readonly NodeModel[], sections: ReadonlyMap<string, NodeModel>) => {
  const groups = new Map<NodeModel | undefined, NodeModel[]>()
  for (const node of order) {
    const section = sections.get(node.id)
    const group = groups.get(section) ?? []
    if (section !== node) group.push(node)
    groups.set(section, group)
  }
  return [...groups]
}

const move = (event: React.KeyboardEvent<HTMLElement>) => {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  items[Math.min(items.length - 1, Math.max(0, next))]?.focus()
}

interface EntryProps {
  readonly node: NodeModel
  readonly level: 1 | 2
  /** The one entry in the tab order. */
  readonly isStop: boolean
}

const Entry = ({ node, level, isStop }: EntryProps) => {
  const { canvas } = useDesigner()
  const commands = useCommands()
  const words = useWords()
  const selected = useStoreValue(canvas.selection, ({ blocks }) => blocks.has(node.id))
  const badge = useStoreValue(canvas.badges, badges => badges.get(node.id))
  const marker = isMarker(node)
  const preview = marker ? '' : previewText(previewOf(node, words))
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={selected}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => canvas.focus.set(node.id)}
      className="pl-choice"
      data-active={selected || undefined}
      style={{ paddingInlineStart: level === 1 ? 6 : 26 }}
      onClick={() => commands.show(node.id)}
      onKeyDown={event => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault()
          commands.show(node.id)
        }
      }}
    >
      <Tile type={node.type} size={22} />
      <chakra.span flex="1" truncate fontWeight={level === 1 ? 'semibold' : 'normal'}>
        {plainTitle(node, words)} <chakra.span color="fg.muted">{preview.slice(0, 70)}</chakra.span>
      </chakra.span>
      {badge === undefined ? null : (
        <chakra.span color={badge === 'error' ? 'danger.fg' : 'warning.fg'}>
          <TriangleAlert size={14} aria-hidden />
        </chakra.span>
      )}
    </div>
  )
}

/** The flow as a list with the same selection: for screen readers, phones, and reading users. */
export const Outline = () => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const { send } = useMode()
  const flow = useStoreValue(canvas.flow)
  const focus = useStoreValue(canvas.focus)
  const tree = useRef<HTMLDivElement>(null)
  useEffect(() => tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(), [])
  const groups = useMemo(() => {
    const order = readingOrder(flow).flatMap(id => flow.nodes.get(id) ?? [])
    return grouped(order, sectionsOf(flow))
  }, [flow])
  return (
    <section className="pl-sheet" aria-label={t('outline.title')}>
      <HStack px="3.5" py="2" borderBottomWidth="1px">
        <chakra.h2 fontSize="md" flex="1">
          {t('outline.title')}
        </chakra.h2>
        <IconButton icon={X} label={t('close')} size="xs" onClick={() => send({ type: 'CLOSE' })} />
      </HStack>
      <chakra.div ref={tree} role="tree" aria-label={t('outline.title')} overflowY="auto" py="1.5" onKeyDown={move}>
        {groups.map(([section, nodes]) => (
          <div key={section?.id ?? ''} role="none">
            {section === undefined ? null : <Entry node={section} level={1} isStop={section.id === focus} />}
            {nodes.map(node => (
              <Entry key={node.id} node={node} level={section === undefined ? 1 : 2} isStop={node.id === focus} />
            ))}
          </div>
        ))}
      </chakra.div>
    </section>
  )
}
