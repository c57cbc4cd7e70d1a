import { randomUUID } from 'node:crypto'
import { type Caller, type Command, systemCommand } from '#commands/port.ts'
import { readTemplateChange, type WebhookChange } from '#domain/meta/template-change.ts'
import { fromMeta, repeatedTypes } from '#domain/template/components.ts'
import { fieldsOf, isGone, isSameContent, templateOf } from '#domain/template/template.ts'
import type { RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText, isObject, objectsOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import type { ListedTemplate, TemplateSender } from '../../channel/channel-port.ts'
import { type Graph, nextPage, type OpenAccount } from '../../channel/shared/graph.ts'
import type { RuntimeParts } from '../../parts.ts'
import { isSameTemplate, TEMPLATE_FIELDS } from './submit-template.ts'

const PAGE = '100'
/** An account has at most 6,000 templates. */
const MAX_PAGES = 100

interface GraphSource {
  readonly graph: Graph
  readonly account: OpenAccount
}

interface SyncParts {
  readonly parts: Pick<RuntimeParts, 'commands' | 'read'>
  /** Fields that say where the templates are registered. */
  readonly of: Readonly<Partial<Record<'metaaccount' | 'channel', string>>>
  /** Level of new templates of a channel; those of an account have that of the account. */
  readonly level?: string
  readonly caller: Caller
}

/** Counts of a sync; `skipped`: templates of Meta that cannot be stored here, by name and language. */
interface SyncResult {
  readonly added: number
  readonly changed: number
  readonly skipped: readonly string[]
}

const remoteTemplates = async ({ graph, account }: GraphSource): Promise<Result<readonly JsonObject[]>> => {
  const path = `/${fieldText(account.fields, 'waba_id')}/message_templates`
  const found: JsonObject[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { fields: TEMPLATE_FIELDS, limit: PAGE, ...(after === undefined ? {} : { after }) }
    const answer = await graph.ask(account.credentials, { method: 'GET', path, query })
    if (!answer.ok) return answer
    const { data } = answer.value
    found.push(...(Array.isArray(data) ? data.filter(isObject) : []))
    after = nextPage(answer.value)
    if (after === undefined) break
  }
  return accepted(found)
}

const keyOf = (name: string, language: string): string => `${name} ${language.replace('-', '_')}`

const command = ({ caller }: SyncParts, action: string, id: string, input: JsonObject): Command => ({
  entity: 'template',
  action,
  id,
  input,
  caller,
  correlation: randomUUID(),
})

/** A listed template, and whether a template here has its content. */
interface RemoteTemplate extends ListedTemplate {
  /** False: it has parts that a template here cannot have twice. */
  readonly isStorable: boolean
  isSame(fields: JsonObject): boolean
}

const reviewOf = ({ id, status, reason, quality, fields }: RemoteTemplate, time: string): JsonObject => {
  const category = fieldText(fields, 'category').toUpperCase()
  const names = fields.provider_fields
  return {
    time,
    external_id: id,
    status,
    reason: reason === '' ? null : reason,
    ...(quality === '' ? {} : { quality }),
    ...(category === '' ? {} : { category }),
    ...(Array.isArray(names) ? { provider_fields: names } : {}),
  }
}

const asMeta = (remote: JsonObject): RemoteTemplate => {
  const reason = fieldText(remote, 'rejected_reason')
  return {
    id: fieldText(remote, 'id'),
    status: fieldText(remote, 'status'),
    reason: reason === 'NONE' ? '' : reason,
    quality: isObject(remote.quality_score) ? fieldText(remote.quality_score, 'score') : '',
    fields: fieldsOf(fromMeta(remote)),
    isStorable: repeatedTypes(objectsOf(remote.components)).length === 0,
    isSame: fields => isSameTemplate(fields, remote),
  }
}

const asListed = (listed: ListedTemplate): RemoteTemplate => ({
  ...listed,
  isStorable: true,
  isSame: fields => isSameContent(templateOf(fields), templateOf(listed.fields)),
})

/** Fields whose files are here alone. */
const OWN_FILES: ReadonlySet<string> = new Set(['cards', 'header_file', 'params', 'header_example'])

/** Content that the provider changed; empty for templates that are changed here and submitted. */
const contentOf = (row: RowOf<'template'>, { fields }: RemoteTemplate, isSame: boolean): JsonObject =>
  isSame || templateProvider(row.provider ?? '')?.review !== 'list'
    ? { same: isSame }
    : {
        same: true,
        content: Object.fromEntries(
          Object.entries(fields).filter(([name]) => !OWN_FILES.has(name) && name !== 'provider_fields'),
        ),
      }

/** Applies the provider's state of a template that exists here. Returns whether it changed. */
const take = async (
  sync: SyncParts,
  row: RowOf<'template'>,
  remote: RemoteTemplate,
  time: string,
): Promise<boolean> => {
  const fields = await sync.parts.commands.openFields('template', row.id)
  if (fields === undefined || fields.submission === 'submitting') return false
  const input = { ...reviewOf(remote, time), ...contentOf(row, remote, remote.isSame(fields)) }
  const outcome = await sync.parts.commands.execute(command(sync, 'review', row.id, input))
  return outcome.ok && outcome.position !== undefined
}

/** Stores a template that was created elsewhere. */
const add = async (sync: SyncParts, remote: RemoteTemplate, time: string): Promise<boolean> => {
  if (!remote.isStorable) return false
  const made = await sync.parts.commands.execute(
    command(sync, 'create', '', {
      ...sync.of,
      ...(sync.level === undefined ? {} : { hierarchylevel: sync.level }),
      ...remote.fields,
    }),
  )
  if (!made.ok) return false
  await sync.parts.commands.execute(command(sync, 'review', made.id, { ...reviewOf(remote, time), same: true }))
  return true
}

const synced = async (sync: SyncParts, remote: readonly RemoteTemplate[], time: string): Promise<SyncResult> => {
  const rows = await allRows(sync.parts.read, SYSTEM_SCOPE, 'template', sync.of)
  const here = new Map(rows.map(row => [keyOf(row.templateName, row.language), row]))
  const skipped: string[] = []
  let [added, changed] = [0, 0]
  for (const each of remote) {
    const key = keyOf(fieldText(each.fields, 'templateName'), fieldText(each.fields, 'language'))
    const row = here.get(key)
    here.delete(key)
    if (row !== undefined) changed += (await take(sync, row, each, time)) ? 1 : 0
    else if (isGone(each.status)) continue
    else if (await add(sync, each, time)) added += 1
    else skipped.push(key)
  }
  for (const row of here.values()) {
    if (!row.external_id || isGone(row.status)) continue
    const gone = await sync.parts.commands.execute(command(sync, 'review', row.id, { time, status: 'DELETED' }))
    if (gone.ok && gone.position !== undefined) changed += 1
  }
  return { added, changed, skipped }
}

/** Synchronizes templates with Meta: states, templates created elsewhere, and removed ones. */
export const syncTemplates = async ({
  graph,
  account,
  ...sync
}: Omit<SyncParts, 'of'> & GraphSource): Promise<Result<SyncResult>> => {
  const time = new Date().toISOString()
  const remote = await remoteTemplates({ graph, account })
  if (!remote.ok) return remote
  return accepted(await synced({ ...sync, of: { metaaccount: account.id } }, remote.value.map(asMeta), time))
}

/** Synchronizes templates with the list of the provider of a channel. */
export const syncChannelTemplates = async (sync: SyncParts, { list }: TemplateSender): Promise<Result<SyncResult>> => {
  const time = new Date().toISOString()
  const remote = await list?.()
  if (remote === undefined) return refused('template.unlisted')
  return remote.ok ? accepted(await synced(sync, remote.value.map(asListed), time)) : remote
}

/**
 * Handles a webhook change of a template of an account.
 * @throws when it could not be stored
 */
export const applyTemplateWebhook = async (
  parts: RuntimeParts,
  account: string,
  change: WebhookChange,
): Promise<void> => {
  const told = readTemplateChange(change, new Date().toISOString())
  if (told === undefined) return
  const filter = { metaaccount: account, templateName: told.name, language: told.language }
  const { items } = await parts.read.list(SYSTEM_SCOPE, 'template', { page: 1, size: 1, filter })
  const [row] = items
  if (row === undefined) return
  const command = { entity: 'template', action: 'review', id: row.id, input: told.review }
  const outcome = await parts.commands.execute(systemCommand(command))
  if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') throw new Error(`not kept: ${outcome.refusal.code}`)
  if (outcome.ok && outcome.position !== undefined) await parts.read.reached(outcome.position)
}
