import { chakra, HStack } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PanelName } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { IconButton } from '#web/components/hint.tsx'
import { NOTHING, useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { ThreadLink } from '../comment/thread-link.tsx'
import { useMode } from '../mode/mode-context.ts'
import { shownTitle, typeName } from '../model/block-appearance.ts'
import { saidBy } from '../model/block-summary.ts'
import { findingMessage } from '../model/finding-messages.ts'
import { outputLabel } from '../model/label.ts'
import { sectionTitles } from '../model/reading-order.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { LastChange } from '../session/presence/last-change.tsx'
import './inspector.css'
import { CardText } from '../blocks/card/card-text.tsx'
import { LazyPanel } from '../blocks/panel/lazy-panel.tsx'
import { Field } from './field.tsx'
import { FormContext } from './form-context.ts'

/** Panels with a preview and no input. */
const LOOKS: ReadonlySet<PanelName> = new Set(['card', 'receipt', 'product', 'adaptive'])

/** Findings of the block, shown here because phones have no form. */
const Found = ({ block }: { readonly block: string }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { findings, canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  const found = useStoreValue(findings).filter(finding => finding.block === block)
  if (found.length === 0) return null
  const grave = found.some(({ severity }) => severity === 'error')
  return (
    <chakra.div className="pl-faults" data-severity={grave ? 'error' : 'warning'}>
      <chakra.b display="block" mb="1">
        {t('lint.title')}
      </chakra.b>
      <ul>
        {found.map((finding, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one thing may be found twice in a block
          <li key={place}>{findingMessage(finding, flow, words)}</li>
        ))}
      </ul>
    </chakra.div>
  )
}

/** A block's content on a phone: a sheet of 40 %, 90 % after a press on its handle. */
export const BottomSheet = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { canvas } = useDesigner()
  const { send } = useMode()
  const flow = useStoreValue(canvas.flow)
  const [id] = useStoreValue(canvas.selection).blocks
  const [large, setLarge] = useState(false)
  const sections = useMemo(() => sectionTitles(flow, words), [flow, words])
  const node = id === undefined ? undefined : flow.nodes.get(id)
  if (node === undefined) return null
  const shown = shownTitle(node, words)
  const panel = blockOf(node.type)?.panel
  const { text, options } = saidBy(node, words)
  const ways = node.outputs.map((output, index) => outputLabel(node, output, index, words)).filter(way => way !== '')
  return (
    <section className="pl-bottom" data-large={large || undefined} aria-label={t('sheet.label')}>
      <chakra.button
        type="button"
        aria-label={t('sheet.larger')}
        aria-expanded={large}
        // As large as a finger: over the title, but not over what closes the sheet.
        position="relative"
        zIndex="1"
        h="44px"
        mb="-24px"
        mr="64px"
        pl="64px"
        pt="8px"
        display="flex"
        alignItems="flex-start"
        justifyContent="center"
        onClick={() => setLarge(!large)}
      >
        <chakra.span w="36px" h="4px" borderRadius="full" bg="border.emphasized" />
      </chakra.button>
      <HStack px="4" gap="3">
        <Tile type={node.type} size={36} />
        <chakra.div flex="1" minW="0">
          <chakra.h2 fontSize="lg" truncate>
            {shown.text}
          </chakra.h2>
          <chakra.p fontSize="sm" color="fg.muted" truncate>
            {[
              shown.own ? typeName(node.type, words) : '',
              sections.has(node.id) ? t('inspector.section', { title: sections.get(node.id) }) : '',
            ]
              .filter(part => part !== '')
              .join(' · ')}
          </chakra.p>
        </chakra.div>
        <IconButton
          icon={X}
          iconSize={20}
          h="44px"
          w="44px"
          label={t('close')}
          onClick={() => canvas.selection.set(NOTHING)}
        />
      </HStack>
      <chakra.div px="4" py="2" overflowY="auto" flex="1">
        {text.split('\n').map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may read the same
          <chakra.p key={place} className="pl-words" fontSize="lg" minH="1lh">
            <CardText text={line} />
          </chakra.p>
        ))}
        <Found block={node.id} />
        {panel !== undefined && LOOKS.has(panel) ? (
          <FormContext value={{ node, tab: 'content', Field }}>
            <LazyPanel name={panel} />
          </FormContext>
        ) : null}
        <HStack wrap="wrap" gap="2" mt="3">
          {(options.length > 0 ? options : ways).map(option => (
            <chakra.span
              key={option}
              px="3"
              py="1"
              borderWidth="1px"
              borderColor="border.emphasized"
              borderRadius="16px"
              maxW="100%"
              overflowWrap="anywhere"
            >
              {option}
            </chakra.span>
          ))}
        </HStack>
      </chakra.div>
      <ThreadLink block={node.id} />
      <LastChange key={node.id} block={node.id} type={node.type} onHistory={() => send({ type: 'HISTORY' })} />
    </section>
  )
}
