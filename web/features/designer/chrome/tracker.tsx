import { chakra, HStack } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { trackFlow } from '#domain/flow/graph/track-flow.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { plainTitle } from '../model/label.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

interface StepsProps {
  readonly heading: string
  readonly blocks: readonly string[]
  /** Numbered: they come one after the other. */
  readonly ordered?: boolean
}

const Steps = ({ heading, blocks, ordered = false }: StepsProps) => {
  const { canvas } = useDesigner()
  const commands = useCommands()
  const words = useWords()
  const flow = useStoreValue(canvas.flow)
  const selected = useStoreValue(canvas.selection)
  return (
    <>
      <chakra.h3 px="3.5" pt="3" pb="1" fontSize="xs" fontWeight="semibold" color="fg.muted">
        {heading}
      </chakra.h3>
      <chakra.ol listStyleType="none" m="0" px="1.5">
        {blocks.map((id, index) => {
          const node = flow.nodes.get(id)
          return node === undefined ? null : (
            <li key={id}>
              <button
                type="button"
                className="pl-choice"
                data-active={selected.blocks.has(id) || undefined}
                onClick={() => commands.show(id)}
              >
                {ordered ? (
                  <chakra.span w="5" textAlign="right" fontSize="xs" color="fg.muted">
                    {index + 1}
                  </chakra.span>
                ) : null}
                <Tile type={node.type} size={22} />
                <chakra.span flex="1" truncate textAlign="left">
                  {plainTitle(node, words)}
                </chakra.span>
              </button>
            </li>
          )
        })}
      </chakra.ol>
    </>
  )
}

const Tracked = ({ block }: { readonly block: string }) => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  const track = useMemo(() => trackFlow(flow, block), [flow, block])
  useEffect(() => {
    canvas.bright.set(new Set([...track.before, block, ...track.after]))
  }, [canvas, track, block])
  const others = (ids: ReadonlySet<string>) => ids.size - Number(ids.has(block))
  return (
    <>
      <chakra.p px="3.5" pb="1" fontSize="sm" color="fg.muted">
        {t('track.before', { count: others(track.before) })} {t('track.after', { count: others(track.after) })}
      </chakra.p>
      {track.way.length === 0 ? (
        <chakra.p px="3.5" py="1.5" fontSize="sm" color="warning.fg">
          {t('track.unreached')}
        </chakra.p>
      ) : (
        <Steps heading={t('track.way')} blocks={track.way} ordered />
      )}
      {track.loops.map(loop => (
        <Steps key={loop.join()} heading={t('track.loop', { count: loop.length })} blocks={loop} />
      ))}
      {track.deadEnds.length === 0 ? null : <Steps heading={t('track.deadEnds')} blocks={track.deadEnds} />}
    </>
  )
}

/** The ways from the start to the selected block and what it reaches: lit on the canvas, and named one by one. */
export const Tracker = () => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const { send } = useMode()
  const flow = useStoreValue(canvas.flow)
  const selection = useStoreValue(canvas.selection)
  const [block, another] = selection.blocks
  const tracked = another === undefined && block !== undefined && flow.nodes.has(block) ? block : undefined
  useEffect(() => {
    if (tracked === undefined) canvas.bright.set(undefined)
  }, [canvas, tracked])
  useEffect(() => () => canvas.bright.set(undefined), [canvas])
  return (
    <chakra.section className="pl-sheet" data-side="left" aria-label={t('track.title')} maxW="340px">
      <HStack px="3.5" py="2">
        <chakra.h2 fontSize="md" flex="1">
          {t('track.title')}
        </chakra.h2>
        <IconButton icon={X} label={t('close')} size="xs" onClick={() => send({ type: 'CLOSE' })} />
      </HStack>
      <chakra.div overflowY="auto" pb="2">
        {tracked === undefined ? (
          <chakra.p px="3.5" pb="2" fontSize="sm" color="fg.muted">
            {t('track.choose')}
          </chakra.p>
        ) : (
          <Tracked block={tracked} />
        )}
      </chakra.div>
    </chakra.section>
  )
}
