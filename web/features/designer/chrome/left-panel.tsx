import { chakra } from '@chakra-ui/react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { FlowList } from '../../flow-list/index.ts'
import { shapeOf } from '../model/block-appearance.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import type { FlowNames } from '../session/flow-names.ts'
import type { FlowKind } from '../session/room/flow-address.ts'
import { BlockPalette } from './block-palette.tsx'

type Tab = 'blocks' | 'dialogs' | 'handlers'
const TABS: readonly Tab[] = ['blocks', 'dialogs', 'handlers']

interface TabsProps {
  readonly names: FlowNames
  readonly chosen: Tab
  onChoose(tab: Tab): void
}

const PanelTabs = ({ names, chosen, onChoose }: TabsProps) => {
  const { t } = useTranslation('designer')
  const { mayEdit } = useDesigner()
  const tabs = mayEdit ? TABS : TABS.slice(1)
  const list = useRef<HTMLDivElement>(null)
  const count = { blocks: undefined, dialogs: names.dialogs?.length, handlers: names.handlers?.length }
  const turn = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = tabs[(tabs.indexOf(chosen) + step + tabs.length) % tabs.length] ?? chosen
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus()
  }
  return (
    <div ref={list} className="pl-tabs" role="tablist" aria-label={t('panel.label')} onKeyDown={turn}>
      {tabs.map(tab => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`pl-tab-${tab}`}
          data-tab={tab}
          aria-selected={tab === chosen}
          aria-controls="pl-left"
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onChoose(tab)}
        >
          {t(`panel.${tab}`)}
          {count[tab] === undefined ? null : <small>{count[tab]}</small>}
        </button>
      ))}
    </div>
  )
}

/** Notes and groups are no blocks of a conversation. */
const blocksIn = ({ nodes }: FlowModel): number =>
  [...nodes.values()].filter(node => shapeOf(node) === undefined).length

/** The task's dialogs or handlers; removing the open one leads to the task. */
const Flows = ({ kind, task }: { readonly kind: FlowKind; readonly task: FlowNames['task'] }) => {
  const { address, canvas } = useDesigner()
  const blocks = useStoreValue(canvas.flow, blocksIn)
  const navigate = useNavigate()
  if (task === undefined) return null
  const onRemoved = () => void navigate(`/dialogtask/${task.id}`)
  return <FlowList kind={kind} task={task} open={{ id: address.id, blocks, onRemoved }} />
}

/** Blocks to add, and the dialogs and handlers of the same task. */
export const LeftPanel = ({ names }: { readonly names: FlowNames }) => {
  const { t } = useTranslation('designer')
  const { mayEdit } = useDesigner()
  const [chosen, choose] = useState<Tab>(mayEdit ? 'blocks' : 'dialogs')
  return (
    <chakra.aside
      data-region="left"
      aria-label={t('panel.label')}
      display="flex"
      flexDirection="column"
      w="palette"
      flex="none"
      bg="bg.surface"
      borderRightWidth="1px"
      minH="0"
    >
      <PanelTabs names={names} chosen={chosen} onChoose={choose} />
      <chakra.div
        id="pl-left"
        role="tabpanel"
        aria-labelledby={`pl-tab-${chosen}`}
        display="flex"
        flexDirection="column"
        flex="1"
        minH="0"
      >
        {chosen === 'blocks' ? (
          <BlockPalette />
        ) : (
          <Flows kind={chosen === 'dialogs' ? 'dialog' : 'handler'} task={names.task} />
        )}
      </chakra.div>
    </chakra.aside>
  )
}
