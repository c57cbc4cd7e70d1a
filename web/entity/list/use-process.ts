import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { CirclePause, CirclePlay, type LucideIcon, Trash2, Undo2, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { actionsAt, type EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import type { Session } from '#web/api/session.ts'
import { notice } from '#web/notice/notice.ts'

export interface BulkAction {
  /** Key of its texts, or name of a declared action. */
  readonly id: string
  /** Name in the API. */
  readonly action: string
  readonly input?: JsonObject
  readonly icon: LucideIcon
  readonly isDeclared?: true
  readonly isDanger?: true
}

const ENABLED = 'enabled'

const iconOf = ({ actions }: EntityDeclaration, name: string) => ICONS[actions[name]?.icon ?? ''] ?? Zap

/** The bulk actions of an entity that a person may do; in the list of what was removed: bringing back. */
export const bulkActions = (
  entity: EntityDeclaration,
  can: Session['can'],
  isRemoved: boolean,
): readonly BulkAction[] => {
  const mayChange = can(`update${entity.name}`)
  if (isRemoved) return mayChange ? [{ id: 'restore', action: 'restore', icon: Undo2 }] : []
  const enabled = entity.fields[ENABLED]
  const canBeEnabled = mayChange && enabled?.kind === 'boolean' && !enabled.readonly && !enabled.fixed
  return [
    ...(canBeEnabled
      ? [
          { id: 'enable', action: 'change', input: { [ENABLED]: true }, icon: CirclePlay },
          { id: 'disable', action: 'change', input: { [ENABLED]: false }, icon: CirclePause },
        ]
      : []),
    ...actionsAt(entity, 'bulk')
      .filter(action => can(action + entity.name))
      .map(action => ({ id: action, action, icon: iconOf(entity, action), isDeclared: true as const })),
    ...(can(`delete${entity.name}`) ? [{ id: 'remove', action: 'remove', icon: Trash2, isDanger: true as const }] : []),
  ]
}

/** Progress of a bulk command. */
export type ProcessState = AnswerOf<'GET /process/{id}'>

const POLL_INTERVAL_MS = 700

const processQuery = (id: string) =>
  queryOptions({
    queryKey: ['process', id],
    queryFn: ({ signal }) => http.get('/process/{id}', { params: { id }, signal }),
    refetchInterval: query => (query.state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    // Updates the progress in a background window too.
    refetchIntervalInBackground: true,
    retry: 3,
  })

/** A bulk command that was started from a list. */
interface StartedProcess {
  readonly id: string
  readonly action: Pick<BulkAction, 'id' | 'isDeclared'>
}

interface BulkTarget {
  readonly ids?: readonly string[]
  readonly filter?: Readonly<Record<string, string>>
}

export interface ProcessControl {
  readonly started: StartedProcess | undefined
  readonly process: ProcessState | undefined
  /** Why its state cannot be read. */
  readonly error: unknown
  start(action: BulkAction, target: BulkTarget, confirm: boolean): Promise<void>
  undo(): Promise<void>
  /** Follows an import. */
  showImport(process: string): void
  close(): void
}

/** Followed by the name of an entity: the process that its list shows, until this tab is closed. */
const KEY = 'parley.process.'
const UNDO = { id: 'undo' } as const
const IMPORT = { id: 'import' } as const

const remembered = (entity: string): StartedProcess | undefined => {
  const text = sessionStorage.getItem(KEY + entity)
  return text === null ? undefined : (JSON.parse(text) as StartedProcess)
}

/** Starts a bulk command and follows its process, also after the page was left or loaded again. */
export const useProcess = (entity: string): ProcessControl => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const [started, setStarted] = useState(() => remembered(entity))
  const { data: process, error } = useQuery({ ...processQuery(started?.id ?? ''), enabled: started !== undefined })
  const isOver = process !== undefined && process.state !== 'running'
  useEffect(() => {
    if (isOver) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'process' })
  }, [isOver, client])
  const follow = (next: StartedProcess | undefined) => {
    if (next === undefined) sessionStorage.removeItem(KEY + entity)
    else sessionStorage.setItem(KEY + entity, JSON.stringify(next))
    setStarted(next)
  }
  return {
    started,
    process,
    error,
    start: async ({ id, action, input, isDeclared }, target, confirm) => {
      const answer = await http.post('/{entity}/bulk', {
        params: { entity },
        body: {
          action,
          ...target,
          ...(input === undefined ? {} : { input }),
          ...(confirm ? { confirm: 'CONFIRM' } : {}),
        },
      })
      follow({ id: answer.process, action: isDeclared ? { id, isDeclared } : { id } })
    },
    undo: async () => {
      if (started === undefined) return
      try {
        const answer = await http.post('/process/{id}/undo', { params: { id: started.id } })
        follow({ id: answer.process, action: UNDO })
      } catch (failure) {
        notice.toast(isProblem(failure) ? failure.message : t('error.noanswer'), { tone: 'danger' })
      }
    },
    showImport: id => follow({ id, action: IMPORT }),
    close: () => follow(undefined),
  }
}
