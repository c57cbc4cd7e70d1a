import './inspector.css'
import { Button, chakra, HStack, Textarea } from '@chakra-ui/react'
import { Check, Copy, Ellipsis, Link2, Spline, Trash2 } from 'lucide-react'
import { Component, memo, type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setProperties } from '#domain/flow/document/edit.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { checkForm } from '#domain/flow/lint/check-block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import { isObject } from '#schemas/json.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { ContentForm } from '../blocks/content-form.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { ThreadLink } from '../comment/thread-link.tsx'
import { shownTitle, typeName } from '../model/block-appearance.ts'
import { checkMessage, fieldWords } from '../model/finding-messages.ts'
import { useStoreValue } from '../model/store.ts'
import { type InspectorTab, useDesigner } from '../session/designer.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'
import { PeerAvatar } from '../session/presence/avatars.tsx'
import { LastChange } from '../session/presence/last-change.tsx'
import { Field } from './field.tsx'
import { FieldGroup, isOnTab } from './field-group.tsx'
import { useInitialFocus } from './first-field.ts'
import { FORM, FormContext, useForm } from './form-context.ts'
import { HistoryTab } from './history-tab.tsx'
import { MultiEditForm } from './multi-edit-form.tsx'
import { hasFieldDraft, stepOf, undoRedoFromField } from './undo-redo-from-field.ts'
import {
  isCompletenessCheck,
  useClearNewBlock,
  useIsNewBlock,
  useStickyErrors,
  useValueAfterPress,
} from './use-field-finding.ts'

/** A block's complete JSON as in a flow file, including hidden properties; writes only differences. */
const JsonTab = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const [draft, setDraft] = useState<string>()
  const [wrong, setWrong] = useState<string>()
  const operator = exportFlow(room.doc, new Set([node.id])).operators[node.id]
  const shown = JSON.stringify(operator?.properties ?? {}, null, 2)
  const apply = () => {
    try {
      const value: unknown = JSON.parse(draft ?? shown)
      if (!isObject(value)) throw new SyntaxError('{ }')
      setProperties(room.doc, node.id, value, OWN_EDIT)
      setDraft(undefined)
      setWrong(undefined)
    } catch (error) {
      setWrong(t('inspector.badJson', { what: error instanceof Error ? error.message : '' }))
    }
  }
  return (
    <div className="pl-section">
      <label className="pl-label-text" htmlFor="pl-json">
        {t('inspector.properties')}
      </label>
      <Textarea
        id="pl-json"
        className="pl-json"
        fontFamily="mono"
        fontSize="xs"
        rows={22}
        readOnly={!mayEdit}
        spellCheck={false}
        aria-invalid={wrong !== undefined}
        value={draft ?? shown}
        onChange={event => setDraft(event.target.value)}
      />
      {node.unknown.length + node.unreadable.length === 0 ? null : (
        <chakra.p fontSize="xs" color="fg.muted" mt="1">
          {t('inspector.unknown')} {[...node.unknown, ...node.unreadable].join(', ')}
        </chakra.p>
      )}
      {wrong === undefined ? null : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg" mt="1">
          {wrong}
        </chakra.p>
      )}
      {draft === undefined || draft === shown ? null : (
        <chakra.div display="flex" gap="2" mt="2">
          <Button size="xs" variant="solid" colorPalette="accent" onClick={apply}>
            {t('inspector.apply')}
          </Button>
          <Button size="xs" variant="ghost" onClick={() => setDraft(undefined)}>
            {t('cancel')}
          </Button>
        </chakra.div>
      )}
    </div>
  )
}

const NONE: readonly never[] = []

/** A card that does not wait for its own button, whose variable is on another tab. */
const NoWait = ({ block }: { readonly block: string }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { wanted } = useDesigner()
  return (
    <li data-code="block.nowait">
      {words('block:lint.block.nowait')}{' '}
      <Button
        variant="plain"
        size="xs"
        h="auto"
        onClick={() => {
          // This button is removed with its tab: the focus moves to the field.
          document.querySelector<HTMLElement>('.pl-inspector [role=tab][aria-selected=true]')?.focus()
          wanted.set({ block, field: 'varname' })
        }}
      >
        {t('lint.fix.block_nowait')}
      </Button>
    </li>
  )
}

/** Form errors, above the fields; an error of one value also appears under it. */
const Faults = ({ node }: { readonly node: NodeModel }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const isFresh = useIsNewBlock(node.id)
  const { findings, mayEdit } = useDesigner()
  const isLeft = useStoreValue(findings).some(({ block, code }) => block === node.id && code === 'block.nowait')
  const isTold = isLeft && mayEdit && !isFresh
  const faults = useMemo(() => {
    const block = blockOf(node.type)
    const found = block === undefined ? NONE : checkForm(block, node.properties)
    return isFresh ? found.filter(({ rule }) => !isCompletenessCheck(rule.check)) : found
  }, [node, isFresh])
  const told = useMemo(
    () =>
      faults.map(({ rule, item }) => {
        const message = checkMessage(rule.check, node.type, rule.field, words)
        const said =
          item === undefined
            ? message
            : t('inspector.invalidItem', {
                message,
                list: fieldWords(node.type, item.list, words),
                place: item.place + 1,
              })
        return { key: `${rule.field} ${item?.place ?? ''}`, text: t('inspector.invalid', { message: said }) }
      }),
    [faults, node.type, t, words],
  )
  const lines = useStickyErrors(told)
  if (lines.length === 0 && !isTold) return null
  const grave = faults.some(({ rule }) => rule.severity === 'error')
  const severity = grave ? 'error' : faults.length > 0 || isTold ? 'warning' : 'none'
  return (
    <div className="pl-faults" role="status" data-severity={severity} aria-label={t('lint.title')}>
      <ul>
        {lines.map(({ key, text, isMended }) => (
          <li key={key} data-mended={isMended}>
            {isMended === true ? <Check className="pl-mended" size={13} aria-hidden /> : null}
            {isMended === true ? <s>{text}</s> : text}
          </li>
        ))}
        {isTold ? <NoWait block={node.id} /> : null}
      </ul>
    </div>
  )
}

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
