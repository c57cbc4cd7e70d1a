import './inspector.css'
import { Button, chakra, HStack } from '@chakra-ui/react'
import { Copy, Ellipsis, Link2, Spline, Trash2 } from 'lucide-react'
import { Component, memo, type ReactNode, useCallback, useDeferredValue, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { ContentForm } from '../blocks/content-form.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { ThreadLink } from '../comment/thread-link.tsx'
import { shownTitle, typeName } from '../model/block-appearance.ts'
import { useStoreValue } from '../model/store.ts'
import { type InspectorTab, useDesigner } from '../session/designer.ts'
import { PeerAvatar } from '../session/presence/avatars.tsx'
import { LastChange } from '../session/presence/last-change.tsx'
import { Faults } from './faults.tsx'
import { Field } from './field.tsx'
import { FieldGroup, isOnTab } from './field-group.tsx'
import { useInitialFocus } from './first-field.ts'
import { FORM, FormContext } from './form-context.ts'
import { HistoryTab } from './history-tab.tsx'
import { JsonTab } from './json-tab.tsx'
import { MultiEditForm } from './multi-edit-form.tsx'
import { hasFieldDraft, stepOf, undoRedoFromField } from './undo-redo-from-field.ts'
import { useValueAfterPress } from './use-field-finding.ts'
import { useClearNewBlock } from './use-new-block.ts'

interface Props {
  /** The rendered value; a change retries rendering. */
  readonly of: unknown
  /** Shown where it cannot be drawn. */
  readonly instead: ReactNode
  readonly children: ReactNode
}

interface State {
  readonly of: unknown
  readonly isBroken: boolean
}

/** Keeps a form that a file's values break from taking the designer with it. */
class FormBoundary extends Component<Props, State> {
  override state: State = { of: this.props.of, isBroken: false }

  static getDerivedStateFromError(): Partial<State> {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { of, isBroken: false }
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.instead : this.props.children
  }
}

const tabsOf = (node: NodeModel): readonly InspectorTab[] => {
  const block = blockOf(node.type)
  const fields = Object.values(block?.fields ?? {})
  const own = (['answer', 'rules'] as const).filter(tab => fields.some(field => isOnTab(field, tab)))
  return ['content', ...own, 'history', 'json']
}

const NOBODY: readonly never[] = []

/** Tells a person nothing; the JSON tab and exports hold it. */
const GENERATED_ID = /^(?:n[\da-f]{8,}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/u

interface HeaderProps {
  readonly id: string
  readonly type: string
  readonly heading: string
  /** The heading is the type's name. */
  readonly typed: boolean
  readonly onLink: (block: string) => void
}

/** Stays as it is while something of the block is typed. */
const Header = memo(({ id, type, heading, typed, onLink }: HeaderProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { room, mayEdit } = useDesigner()
  const commands = useCommands()
  const here = useStoreValue(room.peers.selections, selections => selections.get(id)) ?? NOBODY
  const category = words(`block:category.${blockOf(type)?.category ?? 'flow'}`)
  const copyLink = {
    id: 'copyLink',
    label: t('inspector.copyLink'),
    icon: Link2,
    run: () => commands.copyLink(id),
  }
  const edits = [
    { id: 'duplicate', label: t('inspector.duplicate'), icon: Copy, keys: 'Ctrl D', run: commands.duplicate },
    { id: 'link', label: t('inspector.link'), icon: Spline, keys: 'L', run: () => onLink(id) },
    { id: 'remove', label: t('inspector.remove'), icon: Trash2, keys: 'Del', danger: true, run: commands.remove },
  ]
  const actions = mayEdit ? [copyLink, ...edits] : [copyLink]
  return (
    <HStack gap="2" px="14px" pt="3">
      <Tile type={type} />
      <chakra.div minW="0" flex="1">
        <chakra.h2 fontSize="md" truncate>
          {heading}
        </chakra.h2>
        <chakra.p fontSize="2xs" color="fg.subtle" truncate>
          {[category, typed ? '' : typeName(type, words), GENERATED_ID.test(id) ? '' : id]
            .filter(part => part !== '')
            .join(' · ')}
        </chakra.p>
      </chakra.div>
      {here.length === 0 ? null : (
        <HStack
          gap="1"
          title={t('inspector.here', { count: here.length, names: here.map(({ name }) => name).join(', ') })}
        >
          {here.slice(0, 3).map(peer => (
            <PeerAvatar key={peer.client} peer={peer} size={20} />
          ))}
        </HStack>
      )}
      <ActionMenu label={t('inspector.more')} actions={actions}>
        <Button variant="ghost" size="xs" px="0" aria-label={t('inspector.more')}>
          <Ellipsis size={16} aria-hidden />
        </Button>
      </ActionMenu>
    </HStack>
  )
})

const Body = ({ node, tab }: { readonly node: NodeModel; readonly tab: InspectorTab }) => {
  switch (tab) {
    case 'history':
      return <HistoryTab />
    case 'json':
      return <JsonTab />
    case 'content':
      return <ContentForm />
    default:
      return (
        <div className="pl-section">
          <FieldGroup path={[]} fields={blockOf(node.type)?.fields ?? {}} />
        </div>
      )
  }
}

const OneBlock = memo(({ node, onLink }: { readonly node: NodeModel; readonly onLink: (block: string) => void }) => {
  const { t } = useTranslation('designer')
  const { wanted, tab: last } = useDesigner()
  const want = useStoreValue(wanted)
  const chosen = useStoreValue(last)
  const choose = last.set
  const tabs = tabsOf(node)
  const tab = tabs.includes(chosen) ? chosen : 'content'
  useEffect(() => {
    if (want?.block !== node.id || want.field === undefined || want.isOpen === true) return
    const name = want.field.split('.')[0] ?? ''
    const field = blockOf(node.type)?.fields[name]
    choose(
      field === undefined || node.unreadable.includes(name)
        ? 'json'
        : field.kind === 'group' || (name === 'varname' && node.type === 'prompt')
          ? 'content'
          : field.tab,
    )
    // More may have been typed for it since this was rendered.
    wanted.set({ ...(wanted.get() ?? want), isOpen: true })
  }, [want, wanted, choose, node])
  useEffect(() => () => choose('content'), [choose])
  useClearNewBlock(node.id)
  const form = useInitialFocus(node)
  const title = shownTitle(node, useWords())
  const openHistory = useCallback(() => choose('history'), [choose])
  const turn = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? tab
    choose(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus()
  }
  const base = tab === 'history' || tab === 'json' ? 'content' : tab
  return (
    <FormContext value={{ node, tab: base, Field }}>
      <Header id={node.id} type={node.type} heading={title.text} typed={!title.own} onLink={onLink} />
      <div className="pl-tabs" role="tablist" aria-label={t('inspector.label')} tabIndex={-1} onKeyDown={turn}>
        {tabs.map(each => (
          <button
            key={each}
            type="button"
            role="tab"
            data-tab={each}
            id={`pl-inspect-${each}`}
            aria-selected={each === tab}
            aria-controls={FORM}
            tabIndex={each === tab ? 0 : -1}
            onClick={() => choose(each)}
          >
            {t(`inspector.${each}`)}
          </button>
        ))}
      </div>
      {/* Another block is another form: nothing typed for one may end up in the next. */}
      <div
        key={`${node.id} ${tab}`}
        ref={form}
        id={FORM}
        role="tabpanel"
        aria-labelledby={`pl-inspect-${tab}`}
        className="pl-form"
      >
        <FormBoundary
          of={node}
          instead={
            <chakra.p role="status" className="pl-section" fontSize="xs" color="warning.fg">
              {t('inspector.broken')}
            </chakra.p>
          }
        >
          {tab === 'history' || tab === 'json' ? null : <Faults node={node} />}
          <Body node={node} tab={tab} />
        </FormBoundary>
      </div>
      <ThreadLink block={node.id} />
      <LastChange key={node.id} block={node.id} type={node.type} onHistory={openHistory} />
    </FormContext>
  )
})

interface InspectorProps {
  readonly hidden: boolean
  readonly onLink: (block: string) => void
}

/** View and edit the selection; absent without one. */
export const Inspector = ({ hidden, onLink }: InspectorProps) => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const commands = useCommands()
  const flow = useStoreValue(canvas.flow)
  const selection = useDeferredValue(useValueAfterPress(useStoreValue(canvas.selection)))
  const nodes = [...selection.blocks].flatMap(id => flow.nodes.get(id) ?? [])
  const [first] = nodes
  if (hidden || first === undefined) return null
  // One order of steps for the canvas and for every field: editors of shared texts answer these keys by themselves.
  const stepBack = (event: React.KeyboardEvent) => {
    const step = event.defaultPrevented ? undefined : stepOf(event.nativeEvent)
    if (step === undefined || !hasFieldDraft(event.target)) return
    event.preventDefault()
    undoRedoFromField(event.target, first.id, commands[step])
  }
  return (
    <chakra.aside
      data-region="inspector"
      className="pl-inspector"
      aria-label={t('inspector.label')}
      onKeyDown={stepBack}
    >
      {nodes.length === 1 ? <OneBlock node={first} onLink={onLink} /> : <MultiEditForm nodes={nodes} />}
    </chakra.aside>
  )
}
