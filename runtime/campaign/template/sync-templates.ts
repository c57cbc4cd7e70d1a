import { randomUUID } from 'node:crypto'
import { type Caller, type Command, systemCaller } from '#commands/port.ts'
import { readTemplateChange, type WebhookChange } from '#domain/meta/template-change.ts'
import { fromMeta, repeatedTypes } from '#domain/template/components.ts'
import { fieldsOf, isGone } from '#domain/template/template.ts'
import type { RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText, isObject } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { type Graph, nextPage, type OpenAccount } from '../../channel/shared/graph.ts'
import type { RuntimeParts } from '../../parts.ts'
import { isSameTemplate, TEMPLATE_FIELDS } from './submit-template.ts'

const PAGE = '100'
/** An account has at most 6,000 templates. */
const MAX_PAGES = 100

interface SyncParts {
  readonly parts: Pick<RuntimeParts, 'commands' | 'read'>
  readonly graph: Graph
  readonly account: OpenAccount
  readonly caller: Caller
}

/** Counts of a sync; `skipped`: templates of Meta that cannot be stored here, by name and language. */
interface SyncResult {
  readonly added: number
  readonly changed: number
  readonly skipped: readonly string[]
}

const remoteTemplates = async ({ graph, account }: SyncParts): Promise<Result<readonly JsonObject[]>> => {
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

const reviewOf = (remote: JsonObject, time: string): JsonObject => {
  const quality = isObject(remote.quality_score) ? fieldText(remote.quality_score, 'score') : ''
  const reason = fieldText(remote, 'rejected_reason')
  const category = fieldText(remote, 'category')
  return {
    time,
    external_id: fieldText(remote, 'id'),
    status: fieldText(remote, 'status'),
    reason: reason === '' || reason === 'NONE' ? null : reason,
    ...(quality === '' ? {} : { quality }),
    ...(category === '' ? {} : { category }),
  }
}

const command = ({ caller }: SyncParts, action: string, id: string, input: JsonObject): Command => ({
  entity: 'template',
  action,
  id,
  input,
  caller,
  correlation: randomUUID(),
})

/** Applies Meta's state of a template that exists here. Returns whether it changed. */
const take = async (sync: SyncParts, row: RowOf<'template'>, remote: JsonObject, time: string): Promise<boolean> => {
  const fields = await sync.parts.commands.openFields('template', row.id)
  if (fields === undefined || fields.submission === 'submitting') return false
  const input = { ...reviewOf(remote, time), same: isSameTemplate(fields, remote) }
  const outcome = await sync.parts.commands.execute(command(sync, 'review', row.id, input))
  return outcome.ok && outcome.position !== undefined
}

/** Stores a template that was created elsewhere. */
const add = async (sync: SyncParts, remote: JsonObject, time: string): Promise<boolean> => {
  if (repeatedTypes(Array.isArray(remote.components) ? remote.components.filter(isObject) : []).length > 0) return false
  const given = { metaaccount: sync.account.id, ...fieldsOf(fromMeta(remote)) }
  const made = await sync.parts.commands.execute(command(sync, 'create', '', given))
  if (!made.ok) return false
  await sync.parts.commands.execute(command(sync, 'review', made.id, { ...reviewOf(remote, time), same: true }))
  return true
}

/** Synchronizes templates with Meta: states, templates created elsewhere, and removed ones. */
export const syncTemplates = async (sync: SyncParts): Promise<Result<SyncResult>> => {
  const time = new Date().toISOString()
  const remote = await remoteTemplates(sync)
  if (!remote.ok) return remote
  const rows = await allRows(sync.parts.read, SYSTEM_SCOPE, 'template', { metaaccount: sync.account.id })
  const here = new Map(rows.map(row => [keyOf(row.templateName, row.language), row]))
  const skipped: string[] = []
  let [added, changed] = [0, 0]
  for (const each of remote.value) {
    const key = keyOf(fieldText(each, 'name'), fieldText(each, 'language'))
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
  return accepted({ added, changed, skipped })
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
  const command = { entity: 'template', action: 'review', id: row.id, input: told.review, caller: systemCaller() }
  const outcome = await parts.commands.execute({ ...command, correlation: randomUUID() })
  if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') throw new Error(`not kept: ${outcome.refusal.code}`)
  if (outcome.ok && outcome.position !== undefined) await parts.read.reached(outcome.position)
}
