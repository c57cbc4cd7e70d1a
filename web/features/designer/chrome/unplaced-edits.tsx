import { Button, chakra, HStack } from '@chakra-ui/react'
import { Download, PackageOpen, RotateCcw, X } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldName } from '#domain/flow/diff/summarize.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { isPlaced, showUnplaced, type UnplacedEdit } from '#domain/flow/document/unplaced-edits.ts'
import { IconButton } from '#web/components/hint.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import type { Moment } from '#web/entity/flow/read-revisions.ts'
import { momentOf } from '#web/format/time.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { downloadFlow } from '../file/download.ts'
import { fieldLabel } from '../history/diff-texts.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useRecentEdits } from '../session/edit-history/use-recent-edits.ts'
import { useNames } from '../session/flow-names.ts'

/** Moments that are looked through for who took a block away. */
const FAR = 2000

const useWhat = () => {
  const { t } = useTranslation('designer')
  const { t: past, i18n } = useTranslation('history')
  const words = useWords()
  return ({ places, drawn }: UnplacedEdit, node: NodeModel): string => {
    const fields = new Set(places.flatMap(place => fieldName(node.type, place) ?? []))
    const named = [...fields].map(field => fieldLabel(node.type, { names: field.split('.'), places: [] }, words, past))
    const links = drawn.length === 0 ? [] : [t('unplaced.links', { count: drawn.length })]
    return new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format([...new Set(named), ...links])
  }
}

/** The latest moment that removed or recreated a block; undefined while unknown. */
const goneIn = (moments: readonly Moment[], block: string): Moment | undefined =>
  moments.findLast(({ summary: { added, removed } }) => [...removed, ...added].some(({ id }) => id === block))

interface LineProps {
  readonly edit: UnplacedEdit
  readonly node: NodeModel
  readonly gone: Moment | undefined
  readonly onPutBack: (() => void) | undefined
  readonly onDiscard: () => void
}

const useGone = () => {
  const { t, i18n } = useTranslation('designer')
  return (moment: Moment | undefined, how: 'removed' | 'renewed'): string => {
    if (moment === undefined) return t(`unplaced.${how}`)
    const people = new Intl.ListFormat(i18n.language).format(moment.authors.map(nameOf))
    return t(`unplaced.${how}By`, { people, time: momentOf(moment.time) })
  }
}

const Line = ({ edit, node, gone, onPutBack, onDiscard }: LineProps) => {
  const { t } = useTranslation('designer')
  const how = useGone()
  const words = useWords()
  const what = useWhat()
  const { canvas } = useDesigner()
  const present = useStoreValue(canvas.flow, flow => flow.nodes.has(edit.block))
  const title = plainTitle(node, words)
  return (
    <chakra.li display="flex" alignItems="center" gap="2.5" px="3.5" py="2" borderTopWidth="1px" fontSize="sm">
      <Tile type={node.type} size={30} />
      <chakra.span flex="1" minW="0">
        <chakra.b display="block" truncate>
          {title}
        </chakra.b>
        <chakra.span display="block" color="fg.muted" fontSize="xs">
          {how(gone, present ? 'renewed' : 'removed')} {t('unplaced.yours', { what: what(edit, node) })}
        </chakra.span>
      </chakra.span>
      {onPutBack === undefined ? null : (
        <Button
          size="xs"
          onClick={onPutBack}
          aria-label={t(present ? 'unplaced.placeOne' : 'unplaced.putBackOne', { title })}
        >
          <RotateCcw size={13} aria-hidden />
          {t(present ? 'unplaced.place' : 'unplaced.putBack')}
        </Button>
      )}
      <IconButton icon={X} size="xs" label={t('unplaced.discardOne', { title })} onClick={onDiscard} />
    </chakra.li>
  )
}

const Offer = ({ edits }: { readonly edits: readonly UnplacedEdit[] }) => {
  const { t } = useTranslation('designer')
  const { room, canvas, actions, mayEdit, notice, said } = useDesigner()
  const commands = useCommands()
  const names = useNames()
  const shown = useMemo(() => showUnplaced(edits), [edits])
  const { moments = [], hasOlder, busy, older } = useRecentEdits()
  const gone = new Map(edits.map(({ block }) => [block, goneIn(moments, block)]))
  const unknown = hasOlder && !busy && moments.length < FAR && [...gone.values()].includes(undefined)
  useEffect(() => {
    if (unknown) older()
  }, [unknown, older])
  const present = useStoreValue(canvas.flow, ({ nodes }) => edits.every(({ block }) => nodes.has(block)))
  useEffect(() => {
    const look = () => {
      const isLeft = (edit: UnplacedEdit) => !isPlaced(room.doc, edit)
      if (!edits.every(isLeft)) room.unplaced.set(before => before.filter(isLeft))
    }
    look()
    return canvas.flow.subscribe(look)
  }, [room, canvas, edits])
  const settle = (settled: readonly UnplacedEdit[]) =>
    room.unplaced.set(before => before.filter(edit => !settled.includes(edit)))
  const putBack = (chosen: readonly UnplacedEdit[]) => {
    actions.putBack(chosen)
    settle(chosen)
    const text = t('unplaced.done', { count: chosen.length })
    said.set(text)
    notice.set({ text, undo: true })
    const [first] = chosen
    // Once the offer no longer lies over the canvas, its whole width is free to show the block in.
    if (first !== undefined) requestAnimationFrame(() => commands.show(first.block))
  }
  const discard = (chosen: readonly UnplacedEdit[]) => {
    settle(chosen)
    const again = () => room.unplaced.set(before => [...before, ...chosen])
    notice.set({ text: t('unplaced.discarded'), action: { label: t('tool.undo'), run: again } })
  }
  return (
    <chakra.section className="pl-sheet" data-side="left" aria-labelledby="pl-unplaced">
      <HStack px="3.5" pt="3" gap="2" alignItems="flex-start">
        <chakra.span color="warning.fg" flex="none" mt="0.5">
          <PackageOpen size={17} aria-hidden />
        </chakra.span>
        <chakra.div role="alert" flex="1">
          <chakra.h2 id="pl-unplaced" fontSize="md">
            {t(present ? 'unplaced.back' : 'unplaced.title', { count: edits.length })}
          </chakra.h2>
          <chakra.p fontSize="sm" color="fg.muted" mt="0.5" mb="2.5">
            {t(present ? 'unplaced.whatBack' : 'unplaced.what')}
          </chakra.p>
        </chakra.div>
      </HStack>
      <chakra.ul overflowY="auto" listStyleType="none" m="0">
        {edits.map(edit => {
          const node = shown.model.nodes.get(edit.block)
          return node === undefined ? null : (
            <Line
              key={edit.block}
              edit={edit}
              node={node}
              gone={gone.get(edit.block)}
              onPutBack={mayEdit ? () => putBack([edit]) : undefined}
              onDiscard={() => discard([edit])}
            />
          )
        })}
      </chakra.ul>
      <HStack px="3.5" py="2.5" gap="2" borderTopWidth="1px" flexWrap="wrap">
        {mayEdit ? (
          <Button size="sm" variant="solid" colorPalette="accent" onClick={() => putBack(edits)}>
            <RotateCcw size={14} aria-hidden />
            {t(present ? 'unplaced.placeAll' : 'unplaced.putBackAll', { count: edits.length })}
          </Button>
        ) : null}
        <Button
          size="sm"
          onClick={() => downloadFlow(shown.file, `${names.flow?.name ?? t('flow')} ${t('closed.file')}`)}
        >
          <Download size={14} aria-hidden />
          {t('unplaced.save')}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => discard(edits)}>
          {t('unplaced.discard')}
        </Button>
      </HStack>
    </chakra.section>
  )
}

/** Edits of blocks removed meanwhile, offered to their author: restore, save as a file, or discard. */
export const UnplacedEdits = () => {
  const { room } = useDesigner()
  const edits = useStoreValue(room.unplaced)
  return edits.length === 0 ? null : <Offer edits={edits} />
}
