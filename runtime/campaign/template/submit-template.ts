import type { Commands } from '#commands/command-handler.ts'
import { systemCommand } from '#commands/port.ts'
import { type Follower, follow } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import { fromMeta, toMeta, withLinks } from '#domain/template/components.ts'
import { isSameContent, type Template, templateOf } from '#domain/template/template.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { fieldText, isObject, jsonEqual } from '#schemas/json.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import type { TemplateSender } from '../../channel/channel-port.ts'
import { type Graph, type OpenAccount, openAccount } from '../../channel/shared/graph.ts'
import { sourceOf, type TemplateSenders } from '../../channel/template/open-senders.ts'
import type { FileStorage } from '../../storage/storage-port.ts'

interface MediaUpload {
  readonly graph: Graph
  readonly storage: Pick<FileStorage, 'read'>
  readonly account: OpenAccount
}

/**
 * Uploads a stored file for the review of a template and returns its handle. Handles are short-lived: each submission
 * needs a new one.
 */
const uploadMedia = async ({ graph, storage, account }: MediaUpload, id: string): Promise<Result<string>> => {
  const found = await storage.read(id)
  if (found === undefined) return refused('validation.failed', { errors: [{ path: 'header_file', code: 'reference' }] })
  const { file, content } = found
  const query = { file_name: file.name, file_length: String(content.length), file_type: file.type }
  const app = fieldText(account.app, 'app_id')
  const session = await graph.ask(account.credentials, { method: 'POST', path: `/${app}/uploads`, query })
  if (!session.ok) return session
  const sent = await graph.upload(account.credentials, fieldText(session.value, 'id'), content)
  if (!sent.ok) return sent
  const handle = fieldText(sent.value, 'h')
  return handle === '' ? refused('meta.answer') : accepted(handle)
}

interface SubmissionParts {
  readonly graph: Graph
  readonly storage: Pick<FileStorage, 'read'>
  readonly account: OpenAccount
  /** Fields of the template. */
  readonly fields: JsonObject
}

/** Result of a submission, as the command `endsubmission` accepts it. */
interface SubmissionEnd {
  readonly submission: 'submitted' | 'failed' | 'unknown'
  readonly error?: string
  readonly external_id?: string
  readonly status?: string
  readonly category?: string
}

/** Errors after which it is unknown whether Meta accepted the template. */
const OPEN_ENDED: ReadonlySet<string> = new Set(['meta.failed', 'meta.answer', 'outbound.timeout', 'outbound.answer'])
/** Connection errors: the request was never sent. */
const NOT_SENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

const isOpenEnded = ({ code, params }: Refusal): boolean =>
  OPEN_ENDED.has(code) || (code === 'outbound.unreachable' && !NOT_SENT.has(String(params?.reason)))

const MAX_ERROR_LENGTH = 1000

/** Meta's message when it has one, else the error code. */
const errorOf = ({ code, params }: Refusal): string => {
  const error = params?.error
  return (typeof error === 'string' && error !== '—' ? error : code).slice(0, MAX_ERROR_LENGTH)
}

/** Without the media handles, which Meta returns with a different value each time. */
const comparable = (template: Template): Json =>
  JSON.parse(
    JSON.stringify({ ...toMeta(template), category: '' }).replace(
      /"header_handle":\["[^"]*"\]/gu,
      '"header_handle":[]',
    ),
  ) as Json

/** Whether Meta's template has the same content as ours; the category is ignored, because Meta may change it. */
export const isSameTemplate = (fields: JsonObject, remote: JsonObject): boolean =>
  jsonEqual(comparable(templateOf(fields)), comparable(fromMeta(remote)))

/** Fields of a template that are read from Meta. */
export const TEMPLATE_FIELDS =
  'id,name,language,status,category,components,rejected_reason,quality_score,parameter_format'

/** Meta's template with that name and language; undefined when there is none. */
const findRemote = async ({ graph, account, fields }: SubmissionParts): Promise<Result<JsonObject | undefined>> => {
  const name = fieldText(fields, 'templateName')
  const path = `/${fieldText(account.fields, 'waba_id')}/message_templates`
  const answer = await graph.ask(account.credentials, {
    method: 'GET',
    path,
    query: { name, fields: TEMPLATE_FIELDS, limit: '100' },
  })
  if (!answer.ok) return answer
  const { data } = answer.value
  const found = (Array.isArray(data) ? data.filter(isObject) : []).find(
    each => each.name === name && fieldText(each, 'language').replace('-', '_') === fields.language,
  )
  return { ok: true, value: found }
}

const taken = (remote: JsonObject): SubmissionEnd => ({
  submission: 'submitted',
  external_id: fieldText(remote, 'id'),
  status: fieldText(remote, 'status') || 'PENDING',
  ...(fieldText(remote, 'category') === '' ? {} : { category: fieldText(remote, 'category') }),
})

/**
 * Reads the result of a submission whose answer was lost. Never submits it again. `isSettled`: enough time has passed
 * that a template missing at Meta now will not appear later.
 */
const settleSubmission = async (parts: SubmissionParts, error: string, isSettled: boolean): Promise<SubmissionEnd> => {
  const remote = await findRemote(parts)
  if (!remote.ok) return { submission: 'unknown', error }
  if (remote.value === undefined) return { submission: isSettled ? 'failed' : 'unknown', error }
  return isSameTemplate(parts.fields, remote.value)
    ? taken(remote.value)
    : { submission: 'unknown', error: 'template.other' }
}

/** Submits a template to Meta: creates a new one, edits an existing one. */
const submitTemplate = async (parts: SubmissionParts): Promise<SubmissionEnd> => {
  const { graph, account, fields } = parts
  const { components, ...head } = toMeta(templateOf(fields))
  const ready = await withLinks(components, file => uploadMedia(parts, file))
  if (!ready.ok) return { submission: 'failed', error: errorOf(ready.refusal) }
  const id = fieldText(fields, 'external_id')
  const body = { ...head, components: ready.value, allow_category_change: fields.allow_category_change !== false }
  const path = id === '' ? `/${fieldText(account.fields, 'waba_id')}/message_templates` : `/${id}`
  const edit = { components: ready.value, ...(fields.status === 'APPROVED' ? {} : { category: head.category }) }
  const answer = await graph.ask(account.credentials, { method: 'POST', path, body: id === '' ? body : edit })
  if (answer.ok)
    return id === '' ? taken(answer.value) : { submission: 'submitted', external_id: id, status: 'PENDING' }
  const error = errorOf(answer.refusal)
  return isOpenEnded(answer.refusal) ? settleSubmission(parts, error, false) : { submission: 'failed', error }
}

/** The result of a submission to the provider of a channel, read from its list. Never submits it again. */
const settleThere = async (
  { list }: TemplateSender,
  fields: JsonObject,
  error: string,
  isSettled: boolean,
): Promise<SubmissionEnd> => {
  const found = await list?.()
  if (found?.ok !== true) return { submission: 'unknown', error }
  const own = templateOf(fields)
  const remote = found.value.find(
    ({ fields: { templateName, language } }) => templateName === own.name && language === own.language,
  )
  if (remote === undefined) return { submission: isSettled ? 'failed' : 'unknown', error }
  return isSameContent(own, templateOf(remote.fields))
    ? { submission: 'submitted', external_id: remote.id, status: remote.status }
    : { submission: 'unknown', error: 'template.other' }
}

const SERVER_ERROR = 500

/** Submits a template to the provider of its channel. */
const submitThere = async (
  sender: TemplateSender | undefined,
  fields: JsonObject,
  isFirst: boolean,
): Promise<SubmissionEnd> => {
  if (sender?.submit === undefined) return { submission: 'failed', error: 'template.unsubmittable' }
  if (!isFirst) return settleThere(sender, fields, 'template.lost', true)
  const made = await sender.submit(templateOf(fields))
  if (made.ok) return { submission: 'submitted', external_id: made.value.id, status: made.value.status }
  const { refusal } = made
  const isLost = isOpenEnded(refusal) || Number(refusal.params?.status) >= SERVER_ERROR
  return isLost
    ? settleThere(sender, fields, errorOf(refusal), false)
    : { submission: 'failed', error: errorOf(refusal) }
}

/** Time after which a submission that another node started and did not finish is resolved here. */
const TAKE_OVER_MS = 2 * 60_000
const CAUGHT_UP_MS = 10_000
const PAGE = 100

interface SubmissionsOptions {
  readonly store: EventStore
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'execute' | 'openFields'>
  readonly storage: Pick<FileStorage, 'read'>
  readonly graph: Graph
  readonly senders: TemplateSenders
  readonly isShared: boolean
  readonly failed: (error: unknown) => void
}

/**
 * Submits templates on request, on the node that got the request. A submission that a stopped node left unfinished is
 * not repeated: its result is read from Meta.
 */
export class Submissions {
  readonly #options: SubmissionsOptions
  readonly #asked = new Set<string>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  readonly #following: Follower
  #isClosed = false

  constructor(options: SubmissionsOptions) {
    this.#options = options
    this.#following = this.#follow()
  }

  /** Marks a requested submission of this node: it starts when the log delivers the event. */
  admit(id: string): void {
    this.#asked.add(id)
  }

  /** Removes the mark: the event was not written. */
  drop(id: string): void {
    this.#asked.delete(id)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#following.stop()
    await Promise.all(this.#running)
  }

  #follow(): Follower {
    const { store, read, failed } = this.#options
    return follow(store, {
      name: 'template submissions',
      from: async () => {
        const head = await store.head()
        await read.reached(head, CAUGHT_UP_MS)
        const filter = { submission: 'submitting' }
        const { items } = await read.list(SYSTEM_SCOPE, 'template', { page: 1, size: PAGE, filter })
        for (const row of items) this.#later(row.id, row.submitted_at ?? '')
        return head
      },
      filter: { streamPrefixes: ['template-'], types: ['TemplateSubmitted'] },
      event: stored => this.#heard(stored),
      failed,
    })
  }

  #heard({ stream, data }: StoredEvent): void {
    const id = stream.slice(stream.indexOf('-') + 1)
    const started = String((data.fields as JsonObject | undefined)?.submitted_at)
    const isOurs = this.#asked.delete(id) || !this.#options.isShared
    if (isOurs) this.#run(id, started, true)
    else this.#later(id, started)
  }

  #later(id: string, started: string): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#run(id, started, false)
      },
      this.#options.isShared ? TAKE_OVER_MS : 0,
    ).unref()
    this.#timers.add(timer)
  }

  #run(id: string, started: string, isFirst: boolean): void {
    if (this.#isClosed) return
    const work = this.#submit(id, started, isFirst).catch(this.#options.failed)
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  async #submit(id: string, started: string, isFirst: boolean): Promise<void> {
    const { commands, graph, storage } = this.#options
    const fields = await commands.openFields('template', id)
    if (fields?.submission !== 'submitting' || fields.submitted_at !== started) return
    const source = sourceOf(fields)
    if (source.channel !== '') {
      const sender = (await this.#options.senders.open(source))?.sender
      return this.#tell(id, started, await submitThere(sender, fields, isFirst))
    }
    const account = await openAccount(commands, source.metaaccount)
    if (account === undefined) return this.#tell(id, started, { submission: 'failed', error: 'entity.notfound' })
    const parts = { graph, storage, account, fields }
    const end = isFirst ? await submitTemplate(parts) : await settleSubmission(parts, 'template.lost', true)
    await this.#tell(id, started, end)
  }

  async #tell(id: string, started: string, end: SubmissionEnd): Promise<void> {
    const command = { entity: 'template', action: 'endsubmission', id, input: { started, ...end } }
    const outcome = await this.#options.commands.execute(systemCommand(command))
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound')
      this.#options.failed(new Error(`a submission could not be told of: ${outcome.refusal.code}`))
  }
}
