import type { Commands } from '#commands/command-handler.ts'
import { appendIfFirst, endOf } from '#commands/pipeline/append.ts'
import { systemCommand } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import { expiryStage } from '#domain/people/api-token.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { type NoticeGiven, noticeStream } from '#schemas/events/notification.ts'
import { noticeDrafts } from './alert/give-notice.ts'
import { PeriodicLook } from './channel/exchange/periodic-look.ts'

const LOOK_MS = 60_000

interface WatchParts {
  readonly store: EventStore
  readonly read: Pick<ReadModels, 'list' | 'detail'>
  readonly commands: Pick<Commands, 'execute'>
  readonly failed: (error: unknown) => void
  readonly now?: () => number
}

/**
 * Notifies the owners of API tokens 14, 3 and 0 days before their end, records the end, and disables service accounts
 * whose owner is locked or removed: their tokens are refused from that moment on, see `projections/access-model.ts`.
 */
export class ApiTokenWatch extends PeriodicLook {
  readonly #parts: WatchParts

  constructor(parts: WatchParts) {
    super(LOOK_MS, parts.failed)
    this.#parts = parts
  }

  protected override async lookOnce(): Promise<void> {
    const { read } = this.#parts
    for (const token of await allRows(read, SYSTEM_SCOPE, 'apitoken', { revoked: false, expired: false }))
      await this.#compare(token)
    for (const account of await allRows(read, SYSTEM_SCOPE, 'serviceaccount', { enabled: true }))
      if (!(await this.#mayOwn(account.owner))) await this.#disable(account)
  }

  async #compare(token: RowOf<'apitoken'>): Promise<void> {
    const stage = expiryStage(token.expires, this.#parts.now?.() ?? Date.now())
    if (stage === undefined) return
    const account =
      token.serviceaccount === null
        ? undefined
        : await this.#parts.read.detail(SYSTEM_SCOPE, 'serviceaccount', token.serviceaccount)
    const owner = account?.owner ?? token.user
    const isOver = stage === 0
    const params = { name: token.name, days: stage, mark: stage, page: pageOf(token) }
    const message = isOver ? 'apitoken.expired' : 'apitoken.expiring'
    const data = { entity: 'apitoken', id: token.id, message, kind: isOver ? 'alert' : 'warn', params } as const
    if (owner !== null) await this.#give({ ...data, recipients: [owner] }, stage)
    if (isOver) await this.#execute('apitoken', 'expire', token.id, {})
  }

  async #mayOwn(user: string): Promise<boolean> {
    const row = await this.#parts.read.detail(SYSTEM_SCOPE, 'user', user)
    return row !== undefined && row.locked !== true && row.forgotten !== true
  }

  async #disable({ id, name }: RowOf<'serviceaccount'>): Promise<void> {
    if (!(await this.#execute('serviceaccount', 'change', id, { enabled: false }))) return
    const params = { name, page: `/serviceaccount/${id}` }
    const data = { entity: 'serviceaccount', id, message: 'serviceaccount.disabled', kind: 'alert', params } as const
    await this.#give(data, null)
  }

  /** Answers whether this call changed something: of several nodes one does. */
  async #execute(entity: string, action: string, id: string, input: JsonObject): Promise<boolean> {
    const outcome = await this.#parts.commands.execute(systemCommand({ entity, action, id, input }))
    return outcome.ok && outcome.position !== undefined
  }

  /** Gives a notice, unless the last one about the thing has the same mark or another node gives one meanwhile. */
  async #give(data: NoticeGiven, mark: number | null): Promise<void> {
    const { store } = this.#parts
    const stream = noticeStream(data.entity, data.id)
    const end = await endOf(store, stream)
    for await (const { data: last } of store.read(stream, { direction: 'backwards', limit: 1 }))
      if (mark !== null && (last.params as JsonObject).mark === mark) return
    await appendIfFirst(store, stream, end, noticeDrafts(data))
  }
}

const pageOf = ({ id }: RowOf<'apitoken'>): string => `/apitoken/${id}`
