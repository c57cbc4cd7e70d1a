import { Button, chakra, Input } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { CopyPlus, Ellipsis, Pencil, Plus, SquareFunction, Trash2, Workflow } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { freeName } from '#domain/free-name.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { useDesigner } from '../session/designer.ts'
import type { FlowEntity } from '../session/flow-entity.ts'
import type { FlowNames } from '../session/flow-names.ts'
import type { FlowKind } from '../session/room/flow-address.ts'
import { RemoveFlow } from './remove-flow.tsx'

const ICON = { dialog: Workflow, handler: SquareFunction } as const

/** UTF-16 units of a flow's name. */
const MAX_NAME_LENGTH = 200

interface NameFieldProps {
  readonly initial: string
  /** A proposal: it may be kept as it is. */
  readonly proposed?: boolean
  readonly label: string
  /** Resolves to a refusal's words, or undefined when it is done. */
  readonly onSave: (name: string) => Promise<string | undefined>
  readonly onCancel: () => void
}

const NameField = ({ initial, proposed = false, label, onSave, onCancel }: NameFieldProps) => {
  const [name, setName] = useState(initial)
  const [refused, setRefused] = useState<string>()
  const saving = useRef(false)
  const save = async (asked: boolean) => {
    // Enter takes the field away, and so the focus: that is no second wish.
    if (saving.current) return
    if (name.trim() === '' || (name === initial && !(proposed && asked))) return onCancel()
    saving.current = true
    setRefused(await onSave(name.trim()))
    saving.current = false
  }
  return (
    <chakra.div px="2" py="1">
      <Input
        size="sm"
        autoFocus
        aria-label={label}
        placeholder={label}
        aria-invalid={refused !== undefined}
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onChange={event => setName(event.target.value)}
        onFocus={event => event.currentTarget.select()}
        onBlur={() => void save(false)}
        onKeyDown={event => {
          if (event.key === 'Enter') void save(true)
          if (event.key === 'Escape') onCancel()
        }}
      />
      {refused === undefined ? null : (
        <chakra.p role="alert" mt="1" fontSize="xs" color="danger.fg">
          {refused}
        </chakra.p>
      )}
    </chakra.div>
  )
}

/** Dialogs or handlers of the task: open one, make one, rename and remove them. */
export const FlowNavigator = ({ kind, names }: { readonly kind: FlowKind; readonly names: FlowNames }) => {
  const { t } = useTranslation('designer')
  const { address } = useDesigner()
  const session = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [naming, setNaming] = useState<string>()
  const [copying, setCopying] = useState<FlowEntity>()
  const [removing, setRemoving] = useState<FlowEntity>()
  const flows = (kind === 'dialog' ? names.dialogs : names.handlers) ?? []
  const Icon = ICON[kind]

  const tell = async (work: Promise<unknown>, couldNot?: string): Promise<string | undefined> => {
    try {
      await work
      await queries.invalidateQueries({ queryKey: [kind] })
      setNaming(undefined)
      setCopying(undefined)
      return undefined
    } catch (error) {
      return failureOf(error, couldNot ?? String(error))
    }
  }
  const create = (name: string) =>
    tell(
      http
        .post('/{entity}', { params: { entity: kind }, body: { name, dialogtask: names.flow?.dialogtask ?? null } })
        .then(({ id }) => {
          void navigate(`/designer/${kind}/${id}`)
        }),
    )
  const rename = (flow: FlowEntity) => async (name: string) =>
    tell(
      http
        .get('/{entity}/{id}', { params: { entity: kind, id: flow.id } })
        .then(({ revision }) =>
          http.patch('/{entity}/{id}', { params: { entity: kind, id: flow.id }, body: { name }, revision }),
        ),
      t(`failure.rename.${kind}`),
    )
  const duplicate = (flow: FlowEntity) => (name: string) =>
    tell(
      http
        .post('/{entity}/{id}/{action}', { params: { entity: kind, id: flow.id, action: 'duplicate' }, body: { name } })
        .then(({ id }) => {
          void navigate(`/designer/${kind}/${id}`)
        }),
    )
  const actionsOf = (flow: FlowEntity) => [
    ...(session.can(`update${kind}`)
      ? [{ id: 'rename', label: t('panel.rename'), icon: Pencil, run: () => setNaming(flow.id) }]
      : []),
    ...(session.can(`duplicate${kind}`)
      ? [{ id: 'duplicate', label: t('inspector.duplicate'), icon: CopyPlus, run: () => setCopying(flow) }]
      : []),
    ...(session.can(`delete${kind}`) && !flow.global
      ? [{ id: 'remove', label: t('panel.remove'), icon: Trash2, danger: true, run: () => setRemoving(flow) }]
      : []),
  ]
  const unlisted = names.unlisted[kind]
  return (
    <chakra.div overflowY="auto" flex="1" py="2">
      {unlisted === null ? null : (
        <chakra.div role="alert" px="4" py="2" fontSize="sm" color="danger.fg">
          <p>{failureOf(unlisted, t(`failure.list.${kind}`))}</p>
          <Button size="xs" mt="2" onClick={() => void queries.invalidateQueries({ queryKey: [kind, 'list'] })}>
            {t('again')}
          </Button>
        </chakra.div>
      )}
      {flows.map(flow => {
        const actions = actionsOf(flow)
        if (naming === flow.id) {
          return (
            <NameField
              key={flow.id}
              initial={flow.name}
              label={t('panel.name')}
              onSave={rename(flow)}
              onCancel={() => setNaming(undefined)}
            />
          )
        }
        return (
          <div key={flow.id} className="pl-row" data-current={flow.id === address.id || undefined}>
            <button
              type="button"
              aria-current={flow.id === address.id ? 'page' : undefined}
              onClick={() => void navigate(`/designer/${kind}/${flow.id}`)}
            >
              <Icon size={16} strokeWidth={1.75} aria-hidden />
              <span title={flow.name}>{flow.name}</span>
              {flow.id === names.task?.principaldialog ? <small>{t('panel.principal')}</small> : null}
            </button>
            {actions.length === 0 ? null : (
              <ActionMenu label={t('panel.actions', { name: flow.name })} actions={actions}>
                <Button variant="ghost" size="xs" px="0" aria-label={t('panel.actions', { name: flow.name })}>
                  <Ellipsis size={15} aria-hidden />
                </Button>
              </ActionMenu>
            )}
          </div>
        )
      })}
      {copying === undefined ? null : (
        <NameField
          key={copying.id}
          initial={freeName(
            copying.name,
            flows.map(({ name }) => name),
          )}
          proposed
          label={t('panel.copyName', { name: copying.name })}
          onSave={duplicate(copying)}
          onCancel={() => setCopying(undefined)}
        />
      )}
      {naming === 'new' ? (
        <NameField initial="" label={t('panel.name')} onSave={create} onCancel={() => setNaming(undefined)} />
      ) : session.can(`create${kind}`) ? (
        <Button variant="plain" size="xs" mx="3" mt="2" onClick={() => setNaming('new')}>
          <Plus size={14} aria-hidden />
          {t(kind === 'dialog' ? 'panel.newDialog' : 'panel.newHandler')}
        </Button>
      ) : null}
      {removing === undefined ? null : (
        <RemoveFlow
          kind={kind}
          flow={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => {
            void queries.invalidateQueries({ queryKey: [kind] })
            setRemoving(undefined)
            if (removing.id === address.id) void navigate(`/dialogtask/${removing.dialogtask}`)
          }}
        />
      )}
    </chakra.div>
  )
}
