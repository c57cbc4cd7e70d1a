import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Plus, SquareFunction, Workflow } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { entityOf } from '#schemas/entities/registry.ts'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { ConfirmDialog } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { NameDialog } from '#web/entity/name-dialog.tsx'
import { flowsQuery } from '#web/entity/read-all.ts'
import { RemovalText, usedByList } from '#web/entity/used-by.tsx'
import { PublishOneFlow } from '../publish/index.ts'
import {
  type DialogAction,
  type FlowEntry,
  type FlowKind,
  FlowRow,
  type FlowRowProps,
  type FlowTask,
  useFlowActions,
} from './flow-row.tsx'

const ICON = { dialog: Workflow, handler: SquareFunction } as const

/** A flow in the designer's panel, where the open one is marked. */
const PanelRow = ({ kind, task, row, actions, current }: FlowRowProps & { readonly current: boolean }) => {
  const { t } = useTranslation('designer')
  const navigate = useNavigate()
  const Icon = ICON[kind]
  const name = row.name
  const more = t('panel.actions', { name })
  return (
    <li className="pl-row" data-current={current || undefined}>
      <button
        type="button"
        aria-current={current ? 'page' : undefined}
        onClick={() => void navigate(`/designer/${kind}/${row.id}`)}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        <span title={name}>{name}</span>
        {row.id === task.principaldialog ? <small>{t('panel.principal')}</small> : null}
      </button>
      <ActionMenu label={more} actions={actions}>
        <Button variant="ghost" size="xs" px="0" aria-label={more}>
          <Ellipsis size={15} aria-hidden />
        </Button>
      </ActionMenu>
    </li>
  )
}

interface AskedDialogProps {
  readonly kind: FlowKind
  readonly task: FlowTask
  readonly what: DialogAction
  readonly row: FlowEntry
  /** Names that a copy cannot have. */
  readonly names: readonly string[]
  /** Of the flow, where they are known. */
  readonly blocks: number | undefined
  onClose(): void
  onRemoved?(row: FlowEntry): void
}

const RemoveDialog = ({ kind, task, row, blocks, onClose, onRemoved }: AskedDialogProps) => {
  const { t } = useTranslation('shell')
  const { t: words } = useTranslation('designer')
  const label = useLabel()
  const command = useEntityCommand(entityOf(kind))
  const remove = async () => {
    try {
      await command.remove(row)
    } catch (error) {
      throw new Error(failureOf(error, words(`failure.remove.${kind}`)), { cause: error })
    }
    onRemoved?.(row)
  }
  return (
    <ConfirmDialog
      details={usedByList}
      title={t('removetitle', { kind: inSentence(label.name(kind)), name: row.name })}
      action={t('remove')}
      onClose={onClose}
      onConfirm={remove}
    >
      <RemovalText entity={kind} id={row.id} bot={task.bot} blocks={blocks} />
    </ConfirmDialog>
  )
}

/** Asks for what an action of the list still needs: a name, a yes, or what is published along. */
const AskedDialog = (props: AskedDialogProps) => {
  const { kind, task, what, row, names, onClose } = props
  const openAt = (id: string) => flowAddress(kind, id, { bot: task.bot })
  switch (what) {
    case 'rename':
      return <NameDialog entity={kind} fixed={{}} row={row} onClose={onClose} />
    case 'duplicate':
      return <NameDialog entity={kind} fixed={{}} copied={{ row, names }} openAt={openAt} onClose={onClose} />
    case 'publish':
      return <PublishOneFlow kind={kind} row={row} bot={task.bot} onClose={onClose} />
    case 'remove':
      return <RemoveDialog {...props} />
    default:
      return what satisfies never
  }
}

/** The flow that is open beside the list. */
interface OpenFlow {
  readonly id: string
  /** Of a conversation: neither notes nor groups. */
  readonly blocks: number
  onRemoved(): void
}

interface FlowListProps {
  readonly kind: FlowKind
  readonly task: FlowTask
  /** Lists removed flows, for restoring. */
  readonly removed?: boolean
  /** The open flow beside the list, which then shows one line per flow. */
  readonly open?: OpenFlow | undefined
  onMain?(dialog: FlowEntry): void
}

/** `isNext`: the step that comes next, as in a task without dialogs. */
const NewButton = ({ kind, isNext, onNew }: { kind: FlowKind; isNext: boolean; onNew: () => void }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (
    <Button variant={isNext ? 'solid' : 'outline'} onClick={onNew}>
      <Plus size={15} aria-hidden="true" />
      {t('new', { name: inSentence(label.name(kind)) })}
    </Button>
  )
}

const Header = ({ kind, total, onNew }: { kind: FlowKind; total: number | undefined; onNew?: () => void }) => {
  const label = useLabel()
  return (
    <HStack mb="2" minH="8">
      <Text as="h2" textStyle="card">
        {label.plural(kind)}
      </Text>
      <Text color="fg.muted" textStyle="secondary">
        {total}
      </Text>
      <Box flex="1" />
      {onNew ? <NewButton kind={kind} isNext={false} onNew={onNew} /> : null}
    </HStack>
  )
}

interface NoFlowsProps {
  readonly kind: FlowKind
  readonly removed: boolean
  readonly onNew: (() => void) | undefined
}

const NoFlows = ({ kind, removed, onNew }: NoFlowsProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const title = removed ? t('list.noremoved') : t('list.empty', { name: inSentence(label.plural(kind)) })
  return (
    <EmptyState small title={title} text={label.purpose(kind) ?? ''}>
      {onNew === undefined ? null : <NewButton kind={kind} isNext={kind === 'dialog'} onNew={onNew} />}
    </EmptyState>
  )
}

const useAsked = () => {
  const [asked, setAsked] = useState<{ readonly what: DialogAction; readonly row: FlowEntry }>()
  return {
    asked,
    ask: (what: DialogAction, row: FlowEntry) => setAsked({ what, row }),
    close: () => setAsked(undefined),
  }
}

interface RowsProps extends Pick<FlowListProps, 'kind' | 'task' | 'open'> {
  readonly rows: readonly FlowEntry[]
  readonly removed: boolean
  readonly actionsOf: ReturnType<typeof useFlowActions>
  readonly onNew?: () => void
}

const FlowRows = ({ kind, task, open, rows, removed, actionsOf, onNew }: RowsProps) => {
  const shared = (row: FlowEntry) => ({ kind, task, row, actions: actionsOf(row) })
  if (open !== undefined) {
    return (
      <ul className="pl-plain">
        {rows.map(row => (
          <PanelRow key={row.id} {...shared(row)} current={row.id === open.id} />
        ))}
      </ul>
    )
  }
  return (
    <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="lg" bg="bg.surface">
      {rows.length === 0 ? (
        <li>
          <NoFlows kind={kind} removed={removed} onNew={onNew} />
        </li>
      ) : (
        rows.map(row => <FlowRow key={row.id} {...shared(row)} removed={removed} />)
      )}
    </Box>
  )
}

/** The dialogs or the handlers of a task, with what can be done with each. */
export const FlowList = ({ kind, task, removed = false, open, onMain }: FlowListProps) => {
  const { t: words } = useTranslation('designer')
  const { can } = useSession()
  const [creating, setCreating] = useState(false)
  const { asked, ask, close } = useAsked()
  const actionsOf = useFlowActions({ kind, task, onMain, onAsk: ask })
  const query = useQuery(flowsQuery(kind, task.id, removed))
  const rows = query.data?.items ?? []
  const onNew = can(`create${kind}`) && !removed ? { onNew: () => setCreating(true) } : {}
  const shown =
    query.data === undefined && query.error ? (
      <ErrorState error={query.error} title={words(`failure.list.${kind}`)} onRetry={() => void query.refetch()} />
    ) : query.data === undefined ? (
      <RowsSkeleton rows={3} />
    ) : (
      <FlowRows kind={kind} task={task} open={open} rows={rows} removed={removed} actionsOf={actionsOf} {...onNew} />
    )
  const isOpen = asked !== undefined && asked.row.id === open?.id
  return (
    <chakra.section {...(open === undefined ? { mb: '6' } : { overflowY: 'auto', flex: '1', py: '2' })}>
      {open === undefined ? (
        <Header kind={kind} total={query.data?.total} {...(query.data?.items.length === 0 ? {} : onNew)} />
      ) : null}
      {shown}
      {open !== undefined && onNew.onNew ? (
        <Button variant="plain" size="xs" mx="3" mt="2" onClick={onNew.onNew}>
          <Plus size={14} aria-hidden />
          {words(kind === 'dialog' ? 'panel.newDialog' : 'panel.newHandler')}
        </Button>
      ) : null}
      {creating ? (
        <NameDialog
          entity={kind}
          fixed={{ dialogtask: task.id }}
          openAt={id => flowAddress(kind, id, { bot: task.bot })}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {asked === undefined ? null : (
        <AskedDialog
          kind={kind}
          task={task}
          {...asked}
          names={rows.map(({ name }) => String(name))}
          blocks={isOpen ? open?.blocks : undefined}
          onClose={close}
          {...(isOpen && open ? { onRemoved: open.onRemoved } : {})}
        />
      )}
    </chakra.section>
  )
}
