import type { DatabaseSync } from 'node:sqlite'
import type { Referrers } from '#domain/lookup.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ReadModels, Scope } from '../port.ts'
import { AuditQueries } from './audit-query.ts'
import { BotOverviewQueries } from './bot-overview-query.ts'
import { CommentQueries } from './comment-query.ts'
import { DashboardQueries } from './dashboard-query.ts'
import { FlowQueries } from './flow-query.ts'
import { HomeQueries } from './home-query.ts'
import { ListQueries } from './list-query.ts'
import { LookupQueries } from './lookup-query.ts'
import { MessageQueries } from './message-query.ts'
import { ModelReader } from './model-reader.ts'
import { NameQueries } from './name-query.ts'
import { NotificationQueries } from './notification-query.ts'
import { RecordQueries } from './record-query.ts'
import { SearchQueries } from './search-query.ts'
import { TextQueries } from './text-query.ts'
import { UseQueries } from './use-query.ts'

type Answer<M extends keyof ReadModels> = ReadModels[M] extends (...args: infer A) => Promise<infer R>
  ? (...args: A) => R
  : never

/** Every question that goes to the file, as a query worker answers it. */
export interface Queries {
  readonly list: Answer<'list'>
  readonly selection: Answer<'selection'>
  readonly rows: Answer<'rows'>
  readonly detail: Answer<'detail'>
  readonly hierarchyOf: Answer<'hierarchyOf'>
  readonly history: Answer<'history'>
  readonly at: Answer<'at'>
  readonly audit: Answer<'audit'>
  readonly auditActivity: Answer<'auditActivity'>
  readonly origins: Answer<'origins'>
  readonly changeKinds: Answer<'changeKinds'>
  readonly people: Answer<'people'>
  readonly notifications: Answer<'notifications'>
  readonly joinedNotifications: Answer<'joinedNotifications'>
  readonly comments: Answer<'comments'>
  readonly flowHistory: Answer<'flowHistory'>
  readonly flows: Answer<'flows'>
  readonly keyframe: Answer<'keyframe'>
  readonly bindings: Answer<'bindings'>
  readonly search: Answer<'search'>
  readonly fileHolders: Answer<'fileHolders'>
  readonly usedBy: Answer<'usedBy'>
  readonly names: Answer<'names'>
  readonly messages: Answer<'messages'>
  readonly fieldsWithText: Answer<'fieldsWithText'>
  readonly dashboard: Answer<'dashboard'>
  readonly botOverview: Answer<'botOverview'>
  home(scope: Scope, mayUnlock: boolean): JsonObject
  neighbours(scope: Scope, kind: string, flow: string, search: string): readonly string[] | undefined
  children(entity: string, id: string, child: string): readonly string[]
  occupants(level: string): number
  referrers(targets: readonly string[]): Referrers
}

export const createQueries = (database: DatabaseSync): Queries => {
  const reader = new ModelReader(database)
  const records = new RecordQueries(reader)
  const audit = new AuditQueries(reader)
  const flows = new FlowQueries(reader)
  const lists = new ListQueries(reader)
  const search = new SearchQueries(reader, lists)
  const notifications = new NotificationQueries(reader)
  const home = new HomeQueries(reader, { flows, audit, lists, search })
  const comments = new CommentQueries(reader)
  const names = new NameQueries(reader)
  const texts = new TextQueries(reader)
  const messages = new MessageQueries(reader)
  const uses = new UseQueries(reader)
  const dashboard = new DashboardQueries(reader, lists)
  const overviews = new BotOverviewQueries(reader, audit)
  const lookup = new LookupQueries(reader)
  return {
    list: (...args) => lists.list(...args),
    selection: (...args) => lists.selection(...args),
    rows: (...args) => lists.rows(...args),
    detail: (...args) => records.detail(...args),
    hierarchyOf: (...args) => records.hierarchyOf(...args),
    history: (...args) => records.history(...args),
    at: (...args) => records.at(...args),
    audit: (...args) => audit.audit(...args),
    auditActivity: (...args) => audit.activity(...args),
    origins: (...args) => audit.origins(...args),
    changeKinds: (...args) => audit.changeKinds(...args),
    people: (scope, ids) => ids.map(reader.acquaintances(scope)),
    notifications: (...args) => notifications.notifications(...args),
    joinedNotifications: (...args) => notifications.joinedNotifications(...args),
    comments: (...args) => comments.comments(...args),
    neighbours: (...args) => comments.neighbours(...args),
    flowHistory: (...args) => flows.history(...args),
    flows: (...args) => flows.cards(...args),
    keyframe: (...args) => flows.keyframe(...args),
    bindings: (...args) => flows.bindings(...args),
    search: (...args) => search.search(...args),
    fileHolders: (...args) => records.fileHolders(...args),
    dashboard: (...args) => dashboard.dashboard(...args),
    botOverview: (...args) => overviews.overview(...args),
    home: (...args) => home.home(...args),
    children: (...args) => lookup.children(...args),
    occupants: (...args) => lookup.occupants(...args),
    referrers: (...args) => uses.referrers(...args),
    usedBy: (...args) => uses.usedBy(...args),
    names: (...args) => names.names(...args),
    fieldsWithText: (...args) => texts.fieldsWithText(...args),
    messages: (...args) => messages.messages(...args),
  }
}
