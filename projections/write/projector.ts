import type { DatabaseSync } from 'node:sqlite'
import { singleId } from '#schemas/entity.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { tinyUrlVisitedSchema } from '#schemas/events/notification.ts'
import { signInFailedSchema } from '#schemas/events/session.ts'
import { type AccessRow, AccessRows } from '../access-rows.ts'
import type { Checkpoint, Report } from '../message.ts'
import { isProjectedPrefix, readCheckpoint, writeCheckpoint } from '../model-file.ts'
import type { Notice } from '../query-results.ts'
import { type SqlRow, StatementCache, textOf } from '../statement-cache.ts'
import { columnName, fromSql, type Table, tableName } from '../table.ts'
import { AuditLog, OriginTable } from './audit-log.ts'
import { EntityRows } from './entity-rows.ts'
import { type Miniature, saveMiniature } from './flow-keyframe.ts'
import { FlowProjection } from './flow-projection.ts'
import { LateWork } from './late-work.ts'
import { LevelTree } from './level-tree.ts'
import { CommentNotices, NotificationTable, type UnplacedNotice } from './notification-projection.ts'
import { type BlockReference, type FlowKey, LATE_FLOWS, ReferenceIndex } from './reference-index.ts'
import { fieldsOf } from './row-plan.ts'
import { SessionProjection } from './session-projection.ts'

const NEEDED = ['published', 'publishedrevision', 'modified']
const [published, publishedRevision, modified] = NEEDED.map(columnName)
const isModified = (liveRevision: string) => `(${published} IS 1 AND ${publishedRevision} IS NOT ${liveRevision})`
const hasModified = ({ columns }: Table): boolean => NEEDED.every(name => columns.some(column => column.name === name))

/**
 * Keeps `modified` of what has a flow: true while the live flow is at another revision than the published one. Drawing
 * that is undone counts as an edit.
 */
const markModified = (statements: StatementCache, table: Table, id: string, liveRevision: number): boolean =>
  statements.run(
    `UPDATE ${tableName(table.name)} SET ${modified} = ${isModified('?')} WHERE id = ? AND ${modified} <> ${isModified('?')}`,
    liveRevision,
    id,
    liveRevision,
  ) > 0

const markAllModified = (statements: StatementCache, tables: Iterable<Table>): void => {
  for (const table of tables) {
    if (!hasModified(table)) continue
    const name = tableName(table.name)
    const live = `coalesce((SELECT flow.revision FROM flow WHERE flow.id = ${name}.id), 0)`
    statements.run(`UPDATE ${name} SET ${modified} = ${isModified(live)} WHERE ${modified} <> ${isModified(live)}`)
  }
}

const [bot, botservice] = ['bot', 'botservice'].map(tableName)
const [servicesup, status, needed] = ['servicesup', 'runningstatus', 'minservicesneeded'].map(columnName)
const [ofBot, state] = ['bot', 'state'].map(columnName)

const UP = `SELECT count(*) FROM ${botservice} WHERE ${ofBot} = ${bot}.id AND ${state} = 'up' AND listed = 1`

const COUNT = `UPDATE ${bot} SET ${servicesup} = (${UP}) WHERE id = ? AND ${servicesup} IS NOT (${UP})`

/** Status of a bot that is not stopped, from its running services. */
const STATUS = `CASE WHEN ${needed} IS NULL OR ${needed} = 0 THEN 'started'
  WHEN ${servicesup} >= ${needed} THEN 'running' ELSE 'pending' END`
const STAND = `UPDATE ${bot} SET ${status} = ${STATUS} WHERE id = ? AND ${status} <> 'stopped' AND ${status} <> ${STATUS}`

const botOf = (statements: StatementCache, entity: string, id: string): string | undefined => {
  if (entity !== 'botservice') return entity === 'bot' ? id : undefined
  const found = statements.get(`SELECT ${ofBot} AS bot FROM ${botservice} WHERE id = ?`, id)?.bot
  return typeof found === 'string' ? found : undefined
}

/**
 * After an event of a bot or one of its services: counts those that are up, and what follows for the bot's status. That is
 * no change of the bot itself. Answers the bot where something changed.
 */
const countServices = (
  statements: StatementCache,
  tables: ReadonlyMap<string, Table>,
  entity: string,
  id: string,
): string | undefined => {
  if (!tables.has('botservice')) return undefined
  const served = botOf(statements, entity, id)
  if (served === undefined) return undefined
  const changes = [COUNT, STAND].map(sql => Number(statements.prepare(sql).run(served).changes))
  return changes.some(count => count > 0) ? served : undefined
}

const ENTITY = 'tinyurlmapping'

/** Adds to `hits` of a short address, which is no change of it. False when it is not there. */
const addVisits = (
  statements: StatementCache,
  tables: ReadonlyMap<string, Table>,
  event: StoredEvent,
  id: string,
): boolean => {
  if (event.type !== 'TinyUrlVisited' || !tables.has(ENTITY)) return false
  const { count } = tinyUrlVisitedSchema.parse(event.data)
  const hits = columnName('hits')
  const { changes } = statements
    .prepare(`UPDATE ${tableName(ENTITY)} SET ${hits} = COALESCE(${hits}, 0) + ? WHERE id = ?`)
    .run(count, id)
  return Number(changes) > 0
}

/** Ids of the groups a person belongs to, parents included, and of the roles these hold, as JSON arrays. */
const membershipOf = (
  tables: ReadonlyMap<string, Table>,
  statements: StatementCache,
  user: string,
): { groups: string; roles: string } => {
  const users = tables.get('user')
  const groups = tables.get('usergroup')
  const row = users && statements.get(`SELECT * FROM ${tableName('user')} WHERE id = ?`, user)
  if (users === undefined || groups === undefined || row === undefined) return { groups: '[]', roles: '[]' }
  const found = new Set<string>()
  const roles = new Set<string>()
  const waiting = [...stringsOf(users, row, 'usergroup')]
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    const group = found.has(id)
      ? undefined
      : statements.get(`SELECT * FROM ${tableName('usergroup')} WHERE id = ? AND removed = 0`, id)
    if (group === undefined) continue
    found.add(id)
    for (const role of stringsOf(groups, group, 'roles')) roles.add(role)
    const parent = textOf(group, 'f_parent')
    if (parent !== null) waiting.push(parent)
  }
  return { groups: JSON.stringify([...found]), roles: JSON.stringify([...roles]) }
}

const stringsOf = (table: Table, row: SqlRow, field: string): readonly string[] => {
  const column = table.columns.find(({ name }) => name === field)
  const value = column === undefined ? null : fromSql(column, row[`f_${field}`])
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

/** Verbs of what was done with conversations, by the type of the event. */
const CONVERSATION_FACTS: Readonly<Record<string, string>> = {
  ConversationForgotten: 'forgotten',
  ConversationOpened: 'opened',
  ConversationExported: 'exported',
  ConversationsListed: 'listed',
  ConversationsExported: 'exported',
  ConversationTakenOver: 'takenover',
  ConversationBegun: 'wrotefirst',
  ConversationAssigned: 'assigned',
  ConversationTransferred: 'handedon',
  ConversationPrioritized: 'prioritized',
  ConversationClosed: 'closed',
  ConversationTemplateSent: 'templatesent',
  ConversationRevealed: 'revealed',
  DeskExported: 'exported',
}

const CONTACT_ACTIONS: Readonly<Record<string, string>> = {
  ContactsExported: 'exported',
  ContactsRemoved: 'removed',
  ContactsCopied: 'copied',
}

/** Entity, id, verb and changes of a line that no entity's event tells. */
const toldFact = (type: string, id: string, fields: JsonObject) => {
  const { conversation, contact, bot, ...rest } = fields
  const changesOf = (values: JsonObject) =>
    Object.entries(values).map(([path, after]) => ({ path, before: null, after: after ?? null }))
  const action = CONVERSATION_FACTS[type]
  if (action !== undefined) {
    const subject = typeof conversation === 'string' ? conversation : ''
    return {
      entity: 'conversation',
      id: subject,
      action,
      changes: action === 'forgotten' ? [] : changesOf({ bot: bot ?? null, ...rest }),
    }
  }
  if (type === 'ContactForgotten') return { entity: 'contact', id: String(contact), action: 'forgotten', changes: [] }
  const ofContacts = CONTACT_ACTIONS[type]
  if (ofContacts !== undefined) return { entity: 'contact', id: '', action: ofContacts, changes: changesOf(fields) }
  const suppressed = SUPPRESSION_ACTIONS.get(type)
  if (suppressed !== undefined) return { entity: 'suppression', id: '', action: suppressed, changes: changesOf(fields) }
  if (type === 'AgentStateSet') {
    const { user, ...state } = rest
    return { entity: 'user', id: String(user), action: 'agentstateset', changes: changesOf(state) }
  }
  if (type === 'PersonalValuesSent') {
    const { webhook, ...told } = fields
    const changes = changesOf(told)
    return typeof webhook === 'string'
      ? { entity: 'webhook', id: webhook, action: 'personalsent', changes }
      : { entity: 'user', id: '', action: 'exported', changes }
  }
  if (type === 'AuditExported') return { entity: 'audit', id, action: 'exported', changes: changesOf(fields) }
  return undefined
}

/** Verbs of the audit for changes of opted-out numbers. */
const SUPPRESSION_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['NumberSuppressed', 'suppressed'],
  ['NumberResumed', 'resumed'],
  ['NumbersImported', 'imported'],
  ['NumbersExported', 'exported'],
])

/** Events to a transaction of a rebuild: pages that many events change are written once. */
const COMMIT_EVERY = 8000

const NOTHING: Report = { touched: [], access: [], notices: [] }

/** Read by another thread at the end of a rebuild. */
export interface DerivedFlow {
  readonly flow: FlowKey
  readonly references: readonly BlockReference[]
  readonly miniature: Miniature
}

/** Folds events, in log order, into one file. A throw leaves it unfit for more: the file keeps its last checkpoint. */
export class Projector {
  readonly statements: StatementCache
  readonly #database: DatabaseSync
  readonly #tables: ReadonlyMap<string, Table>
  readonly #late: LateWork
  readonly #levels: LevelTree
  readonly #audit: AuditLog
  readonly #references: ReferenceIndex
  readonly #entities: EntityRows
  readonly #flows: FlowProjection
  readonly #sessions: SessionProjection
  readonly #notices: NotificationTable
  readonly #comments: CommentNotices
  readonly #origins: OriginTable
  readonly #access: AccessRows
  readonly #touched = new Map<string, Set<string>>()
  #told: Notice[] = []
  #checkpoint: Checkpoint
  #uncommitted = 0
  #forgot = false

  /** `isBuilding`: until `complete`, what can be derived from all rows at once is not derived from each event. */
  constructor(database: DatabaseSync, tables: readonly Table[], isBuilding = false) {
    this.#database = database
    this.statements = new StatementCache(database)
    this.#tables = new Map(tables.map(table => [table.name, table]))
    this.#checkpoint = readCheckpoint(this.statements)
    this.#late = new LateWork(this.statements, isBuilding)
    this.#levels = new LevelTree(this.statements)
    const memberOf = (actor: string) => membershipOf(this.#tables, this.statements, actor)
    this.#audit = new AuditLog(this.statements, this.#late, memberOf)
    this.#references = new ReferenceIndex(this.statements, this.#late)
    const touch = (entity: string, id: string) => this.#touch(entity, id)
    this.#entities = new EntityRows(
      this.#tables,
      this.statements,
      this.#levels,
      this.#audit,
      this.#references,
      this.#late,
      touch,
    )
    this.#flows = new FlowProjection(this.statements, this.#levels, this.#audit, id => this.#has('handler', id))
    this.#sessions = new SessionProjection(this.statements, this.#levels, this.#audit)
    this.#notices = new NotificationTable(this.statements)
    this.#comments = new CommentNotices(this.statements)
    this.#origins = new OriginTable(this.statements)
    this.#access = new AccessRows(this.#tables, this.statements)
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  /** Flows whose references a rebuild has put off. */
  get lateFlows(): number {
    return this.#late.count(LATE_FLOWS)
  }

  access(): AccessRow[] {
    return this.#access.all()
  }

  /** Answers what queries see from now on: in a rebuild, after some batches, of all of them. */
  apply(events: readonly StoredEvent[], position: string): Report {
    if (!this.#database.isTransaction) this.#database.exec('BEGIN')
    let { seq, last } = this.#checkpoint
    for (const event of events) {
      seq += 1
      this.#fold(event, seq)
      last = { stream: event.stream, revision: event.revision, hash: event.hash }
    }
    this.#checkpoint = { position, seq, last }
    this.#uncommitted += events.length
    return this.#late.isBuilding && this.#uncommitted < COMMIT_EVERY ? NOTHING : this.commit()
  }

  /** Writes what a rebuild has not committed yet. */
  commit(): Report {
    if (!this.#database.isTransaction) return NOTHING
    this.#entities.flush()
    this.#audit.flush()
    this.#flows.flush()
    this.#references.flush()
    this.#late.flush()
    writeCheckpoint(this.statements, this.#checkpoint)
    this.#database.exec('COMMIT')
    const touched = [...this.#touched].flatMap(([entity, ids]) => [...ids].map(id => ({ entity, id })))
    const access = touched.flatMap(({ entity, id }) => this.#access.of(entity, id) ?? [])
    const report = { touched, access, notices: this.#told }
    this.#uncommitted = 0
    this.#touched.clear()
    this.#told = []
    return report
  }

  /**
   * Ends a rebuild, of which all events were applied. Each part is derived from rows alone, so that an interrupted end is
   * begun again; one transaction for all would make the write-ahead log as large as the file.
   */
  completeRows(): void {
    if (!this.#late.isBuilding) return
    this.#inTransaction(() => this.#entities.catchUp())
    this.#inTransaction(() => this.#audit.catchUp())
    this.#inTransaction(() => markAllModified(this.statements, this.#tables.values()))
  }

  /** The last part of the end: references of flows, as another thread derived them, or else derived here. */
  completeFlows(derived?: readonly DerivedFlow[]): void {
    if (!this.#late.isBuilding) return
    this.#inTransaction(() => {
      if (derived === undefined) this.#references.catchUp()
      for (const { flow, references, miniature } of derived ?? []) {
        this.#references.save(flow, references)
        saveMiniature(this.statements, flow.key, flow.revision, miniature)
      }
      this.#late.end()
    })
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('BEGIN')
    work()
    this.#database.exec('COMMIT')
  }

  #fold(event: StoredEvent, seq: number): void {
    const dash = event.stream.indexOf('-')
    const prefix = event.stream.slice(0, dash)
    const id = event.stream.slice(dash + 1)
    const table = this.#tables.get(prefix)
    if (table !== undefined) {
      this.#entity(event, table, id, seq)
      return
    }
    if (!isProjectedPrefix(prefix)) return
    switch (prefix) {
      case 'flow':
        this.#flow(event, id, seq)
        return
      case 'session': {
        const session = this.#sessions.apply(event)
        if (session !== undefined) this.#touch('session', session)
        return
      }
      case 'signin':
        this.#signIn(event)
        return
      case 'visits':
        if (addVisits(this.statements, this.#tables, event, id)) this.#touch('tinyurlmapping', id)
        return
      case 'audit':
        this.#record(event, id)
        return
      case 'origin':
        this.#origins.apply(event)
        return
      case 'notification': {
        const user = this.#notices.read(event)
        if (user !== undefined) this.#touch('notification', user)
        return
      }
      case 'notice':
        this.#given(event)
        return
      default:
        prefix satisfies never
    }
  }

  #entity(event: StoredEvent, table: Table, id: string, seq: number): void {
    const verb = this.#entities.apply(event, table, id, seq)
    if (verb === undefined) return
    this.#markModified(table, id)
    const served = countServices(this.statements, this.#tables, table.name, id)
    if (served !== undefined) this.#touch('bot', served)
    if (table.name === 'usergroup') this.#audit.forgetMemberships()
    else if (table.name === 'user' && 'usergroup' in fieldsOf(event.data)) this.#audit.forgetMembership(id)
    if (table.name === 'user' && verb === 'forgotten') {
      this.#entities.blankPersonal(table, id)
      const profile = this.#tables.get('deskagent')
      if (profile !== undefined) this.#entities.blankPersonal(profile, singleId(profile.name, id))
      this.#notices.forget(id)
      this.#origins.forget(id)
      this.#forgot = true
    }
    const notice = this.#notices.noticeOf(event, table.name, id)
    for (const told of [...(notice === undefined ? [] : [notice]), ...this.#comments.of(event, table, id)])
      this.#tell(told, this.#entities.levelOf(table, id))
  }

  #flow(event: StoredEvent, id: string, seq: number): void {
    const edit = this.#flows.apply(event, seq)
    if (edit === undefined) return
    const { key, entity, changesReferences } = edit
    if (changesReferences) this.#references.deriveLater({ key, entity, id, revision: event.revision })
    this.#touch('flow', id)
    this.#markModified(this.#tables.get(edit.entity), id)
    if (edit.notice !== undefined) this.#tell(edit.notice, edit.level)
  }

  #markModified(table: Table | undefined, id: string): void {
    if (table === undefined || this.#late.isBuilding || !hasModified(table)) return
    if (markModified(this.statements, table, id, this.#flows.revisionOf(id))) this.#touch(table.name, id)
  }

  /** Failures of a known username are in the user's own stream. */
  #signIn(event: StoredEvent): void {
    if (event.type !== 'SignInFailed' || signInFailedSchema.parse(event.data).user !== null) return
    const { time, type, actor, revision, causation: origin } = event
    const line = { time, entity: 'signin', id: '', type, action: 'failed', actor, revision, origin, changes: [] }
    this.#audit.add({ ...line, level: this.#levels.root() })
  }

  /** Facts in streams of the audit alone. */
  #record(event: StoredEvent, id: string): void {
    const { time, type, actor, revision, causation: origin } = event
    const told = toldFact(type, id, fieldsOf(event.data))
    if (told === undefined) return
    this.#audit.add({ time, type, level: this.#levels.key(event.level), actor, revision, origin, ...told })
  }

  #given(event: StoredEvent): void {
    const notice = this.#notices.given(event)
    const table = notice === undefined ? undefined : this.#tables.get(notice.entity)
    if (notice !== undefined && table !== undefined && this.#has(notice.entity, notice.entityid))
      this.#tell(notice, this.#entities.levelOf(table, notice.entityid))
  }

  #tell(notice: UnplacedNotice, level: number): void {
    this.#notices.add(notice, level)
    this.#touch('notification', notice.id)
    this.#told.push({ ...notice, hierarchy: this.#levels.id(level) })
  }

  #has(entity: string, id: string): boolean {
    const table = this.#tables.get(entity)
    return (
      table !== undefined && this.statements.get(`SELECT 1 FROM ${tableName(entity)} WHERE id = ?`, id) !== undefined
    )
  }

  #touch(entity: string, id: string): void {
    const ids = this.#touched.get(entity)
    if (ids === undefined) this.#touched.set(entity, new Set([id]))
    else ids.add(id)
  }

  /**
   * Nothing of a forgotten person stays in the write-ahead log either. False while readers still hold it: to be asked
   * again.
   */
  erase(): boolean {
    if (!this.#forgot) return true
    if (this.#database.isTransaction) return false
    this.#forgot = this.statements.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 1
    return !this.#forgot
  }
}
