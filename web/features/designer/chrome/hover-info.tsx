import { chakra, HStack, Portal } from '@chakra-ui/react'
import { useStore, useStoreApi } from '@xyflow/react'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { agoOf } from '#web/format/time.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { type HoveredBlock, watchHoverIntent } from '../canvas/hover-intent.ts'
import { Tile } from '../canvas/tile.tsx'
import { shownTitle, typeName } from '../model/block-appearance.ts'
import { saidBy } from '../model/block-summary.ts'
import { findingMessage } from '../model/finding-messages.ts'
import { plainTitle } from '../model/label.ts'
import { outgoingPaths } from '../model/reading-order.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { blockActivityText, useLastBlockActivity } from '../session/presence/block-activity.ts'

/** More outputs than a user reads in a tooltip. */
const MAX_OUTPUTS = 8
const GAP = 12
const MARGIN = 8

/** Beside the block, where the canvas has room; never over it. */
const place = (tip: HTMLElement, block: HTMLElement, canvas: HTMLElement) => {
  const at = block.getBoundingClientRect()
  const room = canvas.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tip
  const right = at.right + GAP
  const left = at.left - GAP - width
  const aside = right + width <= room.right - MARGIN ? right : left >= room.left + MARGIN ? left : undefined
  const across = Math.max(room.left + MARGIN, Math.min(at.left, room.right - MARGIN - width))
  const below = at.bottom + GAP + height <= innerHeight - MARGIN
  const down = below ? at.bottom + GAP : Math.max(MARGIN, at.top - GAP - height)
  const level = Math.max(MARGIN, Math.min(at.top, innerHeight - MARGIN - height))
  tip.style.left = `${aside ?? across}px`
  tip.style.top = `${aside === undefined ? down : level}px`
}

const Ways = ({ node, flow }: { readonly node: NodeModel; readonly flow: FlowModel }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const ways = outgoingPaths(node, flow, words)
  if (ways.length === 0) return null
  return (
    <chakra.div mt="2">
      <chakra.p fontSize="2xs" color="fg.subtle">
        {t('hover.leads')}
      </chakra.p>
      <chakra.ul listStyleType="none" m="0">
        {ways.slice(0, MAX_OUTPUTS).map(({ id, mark, way, target }) => (
          <chakra.li key={id} truncate color={target === undefined ? 'fg.muted' : 'fg'}>
            {mark === '' ? null : <b>{mark} </b>}
            {mark === '' && way === '' ? null : <chakra.span color="fg.muted">{way} → </chakra.span>}
            {target === undefined ? t('hover.nowhere') : plainTitle(target, words)}
          </chakra.li>
        ))}
        {ways.length > MAX_OUTPUTS ? (
          <chakra.li color="fg.muted">{t('hover.more', { count: ways.length - MAX_OUTPUTS })}</chakra.li>
        ) : null}
      </chakra.ul>
    </chakra.div>
  )
}

const Findings = ({ node, flow }: { readonly node: NodeModel; readonly flow: FlowModel }) => {
  const words = useWords()
  const { findings } = useDesigner()
  const own = useStoreValue(findings).filter(({ block }) => block === node.id)
  if (own.length === 0) return null
  return (
    <chakra.ul listStyleType="none" m="0" mt="2" pt="2" borderTopWidth="1px">
      {own.map(finding => {
        const error = finding.severity === 'error'
        const Icon = error ? CircleAlert : TriangleAlert
        const said = findingMessage(finding, flow, words)
        return (
          <chakra.li key={said} display="flex" gap="1.5" color={error ? 'danger.fg' : 'warning.fg'}>
            <Icon size={14} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
            {said}
          </chakra.li>
        )
      })}
    </chakra.ul>
  )
}

const Last = ({ node, flow }: { readonly node: NodeModel; readonly flow: FlowModel }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const deed = useLastBlockActivity(node.id)
  if (deed === undefined) return null
  const { who, did } = blockActivityText(deed, { flow, type: node.type }, t, words)
  return (
    <HStack gap="1.5" mt="2" pt="2" borderTopWidth="1px" color="fg.muted">
      <PersonAvatar person={deed.session.authors[0]} size={18} />
      <span>
        {who} {did} · {agoOf(deed.session.last.time)}
      </span>
    </HStack>
  )
}

const Info = ({ block, full }: { readonly block: string; readonly full: boolean }) => {
  const words = useWords()
  const flow = useStoreValue(useDesigner().canvas.flow)
  const node = flow.nodes.get(block)
  if (node === undefined) return null
  const title = shownTitle(node, words)
  const type = typeName(node.type, words)
  const { text, options } = saidBy(node, words)
  return (
    <>
      <HStack gap="2">
        <Tile type={node.type} size={22} />
        <chakra.b flex="1" minW="0" lineClamp={2}>
          {title.text}
        </chakra.b>
        {title.text === type ? null : <chakra.span color="fg.muted">{type}</chakra.span>}
      </HStack>
      {full && text !== '' ? (
        <chakra.p mt="2" fontSize="sm" whiteSpace="pre-wrap" overflowWrap="anywhere" lineClamp={14}>
          {text}
        </chakra.p>
      ) : null}
      {full && options.length > 0 ? (
        <chakra.p mt="1" color="fg.muted">
          {options.join(' · ')}
        </chakra.p>
      ) : null}
      <Ways node={node} flow={flow} />
      {full ? <Findings node={node} flow={flow} /> : null}
      {full ? <Last node={node} flow={flow} /> : null}
    </>
  )
}

/** Shows the tooltip at its block and names it as the block's description. */
const usePlacedTip = (
  tip: RefObject<HTMLDivElement | null>,
  id: string,
  element: HTMLElement | undefined,
  domNode: HTMLElement | null,
) =>
  useLayoutEffect(() => {
    const box = tip.current
    if (element === undefined || box === null || domNode === null) return
    element.setAttribute('aria-describedby', id)
    box.showPopover()
    const placed = new ResizeObserver(() => place(box, element, domNode))
    placed.observe(box)
    place(box, element, domNode)
    return () => {
      placed.disconnect()
      box.hidePopover()
      element.removeAttribute('aria-describedby')
    }
  }, [tip, element, domNode, id])

/** Tooltip of the hovered block: after half a second in short, after a second all details. */
export const HoverInfo = () => {
  const id = useId()
  const { canvas } = useDesigner()
  const store = useStoreApi()
  const tip = useRef<HTMLDivElement>(null)
  const watching = useRef<ReturnType<typeof watchHoverIntent>>(undefined)
  const [rested, setRested] = useState<HoveredBlock>()
  // Another one after each stay in the history.
  const domNode = useStore(state => state.domNode)
  useEffect(() => {
    if (domNode === null) return
    const watch = watchHoverIntent(domNode, setRested)
    watching.current = watch
    let { transform } = store.getState()
    const stop = store.subscribe(() => {
      const now = store.getState().transform
      if (now === transform) return
      transform = now
      watch.moved()
    })
    return () => {
      stop()
      watch.stop()
    }
  }, [store, domNode])
  const shown = useStoreValue(canvas.flow, flow => (flow.nodes.has(rested?.block ?? '') ? rested : undefined))
  const element = shown?.element
  usePlacedTip(tip, id, element, domNode)
  return (
    <Portal>
      <chakra.div
        ref={tip}
        id={id}
        popover="manual"
        role="tooltip"
        position="fixed"
        inset="auto"
        m="0"
        px="3"
        py="2.5"
        w="300px"
        maxH="calc(100dvh - 16px)"
        overflowY="auto"
        onPointerEnter={() => watching.current?.hold()}
        onPointerLeave={() => watching.current?.release()}
        bg="bg.raised"
        color="fg"
        borderWidth="1px"
        borderRadius="lg"
        boxShadow="overlay"
        fontSize="xs"
      >
        {shown === undefined ? null : <Info key={shown.block} block={shown.block} full={shown.full} />}
      </chakra.div>
    </Portal>
  )
}
