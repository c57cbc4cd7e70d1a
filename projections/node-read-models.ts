import type { EventStore } from '#commands/store/port.ts'
import type { Lookup } from '#domain/lookup.ts'
import type { RoleHolders } from '#domain/people/directory.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { AccessModel } from './access-model.ts'
import { foldText } from './fold-text.ts'
import { type DecryptPersonal, Generation } from './generation.ts'
import type { ModelFolder } from './model-file.ts'
import type { Access, Applied, Level, Page, ReadModels, Scope, TokenUse, Viewable } from './port.ts'
import { QueryPool } from './query-pool.ts'
import type { Queries } from './read/queries.ts'
import type { Table } from './table.ts'

export interface ReadModelsOptions {
  readonly store: EventStore
  /** Folder of the read model files; one per node. */
  readonly folder: string
  /** Decrypts personal values of users; without it they stay as in the events. */
  readonly decryptPersonal?: DecryptPersonal
  /** Lifts an event to the newest known shape; throws when it is of a newer one. */
  readonly upcast?: (event: StoredEvent) => StoredEvent
  readonly entities?: Readonly<Record<string, EntityDeclaration>>
  readonly allowLevel1DefaultAccess?: boolean
  /** Default 2. */
  readonly queryWorkers?: number
  /** One line for the operator: rebuilt, damaged, stopped. */
  readonly log?: (line: string) => void
}

const WORKERS = 2
const REACH_TIMEOUT_MS = 5000
const POINT_AGAIN = 30_000

interface Serving {
  readonly generation: Generation
  readonly pool: QueryPool
}

interface Waiting {
  readonly position: string
  readonly done: (shown: boolean) => void
}

/** The read models of one node: the file that serves, and the one that is being built to take its place. */
export class NodeReadModels implements ReadModels {
  readonly #folder: ModelFolder
  readonly #tables: readonly Table[]
  readonly #options: ReadModelsOptions
  readonly #listeners = new Set<(applied: Applied) => void>()
  readonly #waiting = new Set<Waiting>()
  #serving: Serving | undefined
  #building: Generation | undefined
  #lateWaits = 0
  #closed = false

  constructor(folder: ModelFolder, tables: readonly Table[], options: ReadModelsOptions) {
    this.#folder = folder
    this.#tables = tables
    this.#options = options
  }

  /** @throws Error with one line when no file can be made at all */
  async open(): Promise<void> {
    const fitness = await this.#folder.inspect(this.#options.store, this.#tables)
    if (fitness.state === 'unfit' || !(await this.#resume(fitness.file, fitness.tables))) {
      this.#folder.sweep([])
      await this.#begin()
      return
    }
    this.#folder.sweep([fitness.file])
    if (fitness.state === 'outdated') {
      this.#log('The declarations changed: the read models are being rebuilt')
      this.#build()
    }
  }

  async #begin(): Promise<void> {
    const file = this.#folder.newFile()
    try {
      await this.#serve(this.#generation(file, this.#tables, false))
    } catch (error) {
      throw new Error(`The read models cannot be written as ${file} (${String(error)})`)
    }
  }

  async #resume(file: string, tables: readonly Table[]): Promise<boolean> {
    try {
      await this.#serve(this.#generation(file, tables, true))
      return true
    } catch (error) {
      this.#log(`The read models cannot be opened (${String(error)}) and are rebuilt`)
      return false
    }
  }

  list: ReadModels['list'] = (...args) => this.#ask('list', args) as Promise<Page<never>>
  selection: ReadModels['selection'] = (...args) => this.#ask('selection', args)
  rows: ReadModels['rows'] = (...args) => this.#ask('rows', args) as Promise<readonly never[]>
  detail: ReadModels['detail'] = (...args) => this.#ask('detail', args) as Promise<never>
  hierarchyOf: ReadModels['hierarchyOf'] = (...args) => this.#ask('hierarchyOf', args)
  history: ReadModels['history'] = (...args) => this.#ask('history', args)
  at: ReadModels['at'] = (...args) => this.#ask('at', args)
  audit: ReadModels['audit'] = (...args) => this.#ask('audit', args)
  origins: ReadModels['origins'] = (...args) => this.#ask('origins', args)
  changeKinds: ReadModels['changeKinds'] = (...args) => this.#ask('changeKinds', args)
  changeKindsOf: ReadModels['changeKindsOf'] = (...args) => this.#ask('changeKindsOf', args)
  assignments: ReadModels['assignments'] = (...args) => this.#ask('assignments', args)
  auditActivity: ReadModels['auditActivity'] = (...args) => this.#ask('auditActivity', args)
  people: ReadModels['people'] = (...args) => this.#ask('people', args)
  notifications: ReadModels['notifications'] = (...args) => this.#ask('notifications', args)
  joinedNotifications: ReadModels['joinedNotifications'] = (...args) => this.#ask('joinedNotifications', args)
  comments: ReadModels['comments'] = (...args) => this.#ask('comments', args)
  fileHolders: ReadModels['fileHolders'] = (...args) => this.#ask('fileHolders', args)
  flowHistory: ReadModels['flowHistory'] = (...args) => this.#ask('flowHistory', args)
  flows: ReadModels['flows'] = (...args) => this.#ask('flows', args)
  keyframe: ReadModels['keyframe'] = (...args) => this.#ask('keyframe', args)
  bindings: ReadModels['bindings'] = (...args) => this.#ask('bindings', args)
  search: ReadModels['search'] = (...args) => this.#ask('search', args)
  usedBy: ReadModels['usedBy'] = (...args) => this.#ask('usedBy', args)
  names: ReadModels['names'] = (...args) => this.#ask('names', args)
  places: ReadModels['places'] = (...args) => this.#ask('places', args)
  fieldsWithText: ReadModels['fieldsWithText'] = (...args) => this.#ask('fieldsWithText', args)
  messages: ReadModels['messages'] = (...args) => this.#ask('messages', args)
  dashboard: ReadModels['dashboard'] = (...args) => this.#ask('dashboard', args)
  botOverview: ReadModels['botOverview'] = (...args) => this.#ask('botOverview', args)
  home: ReadModels['home'] = (...args) => this.#ask('home', args)
  readers: ReadModels['readers'] = async (scope, kind, flow, { search, size }) => {
    const near = await this.#ask('neighbours', [scope, kind, flow, search])
    const access = this.#access()
    const readers = near?.filter(id => access.permissionsOfUser(id).has(`read${kind}`))
    if (readers === undefined) return undefined
    // For people of upper levels, only the mention name is returned and searched.
    const isAbove = (id: string) => scope.home !== null && !access.isAtHomeWithin(id, scope.home)
    const sought = foldText(search)
    const people = (await this.people(scope, readers)).flatMap(person => {
      if (!isAbove(person.id)) return [person]
      const { id, username } = person
      return foldText(username ?? '').includes(sought) ? [{ id, username }] : []
    })
    return people.slice(0, size)
  }
  async levels(scope: Scope): Promise<readonly Level[]> {
    const levels = this.#access().levels(scope.home)
    const isReader = scope.readable === 'all' || scope.readable.has('hierarchy')
    return isReader ? levels : levels.map(({ id, name, parent }) => ({ id, name, parent }))
  }
  access(session: string): Access | undefined {
    return this.#access().access(session)
  }
  tokenUsed(use: TokenUse): void {
    this.#serving?.generation.tokenUsed(use)
  }
  viewable(session: string, person: string): Viewable {
    return this.#access().viewable(session, person)
  }
  holdersAt(permission: string, level: string): readonly string[] {
    return this.#access().holdersAt(permission, level)
  }
  holdersBelow(permissions: ReadonlySet<string>, level: string | null): readonly string[] {
    return this.#access().directory.holdersBelow(permissions, level)
  }
  roleHolders(role: string): readonly RoleHolders[] {
    return this.#access().directory.holdersOf(role)
  }
  sessionsOf(user: string): readonly Access[] {
    return this.#access().sessionsOf(user)
  }

  /** Lookups for commands (Lookup of commands/port.ts). */
  readonly lookup: Lookup = {
    children: (...args) => this.#ask('children', args),
    occupants: level => this.#ask('occupants', [level]),
    referrers: targets => this.#ask('referrers', [targets]),
    administrators: async supposing => this.#access().administrators(supposing),
    sessionsOf: async user => this.#access().sessionIdsOf(user),
    sessionsAt: async session => this.#access().sessionIdsAt(session),
    ancestors: async level => this.#access().directory.ancestors(level),
    permissionsOfGroups: async groups => this.#access().directory.permissionsOfGroups(groups),
    permissionsOfRoles: async roles => this.#access().directory.permissionsOfRoles(roles),
    permissionsOfUser: async user => this.#access().permissionsOfUser(user),
    permissionsOfToken: async session => this.#access().access(session)?.permissions ?? new Set(),
    reached: async position => void (await this.reached(position)),
  }

  onApplied(listener: (applied: Applied) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onTouched: ReadModels['onTouched'] = (entities, listener) => {
    const names = new Set<string>(entities)
    return this.onApplied(({ touched }) => {
      const things = touched.filter(({ entity }) => names.has(entity))
      if (things.length > 0) listener(things)
    })
  }

  reached(position: string, ms = REACH_TIMEOUT_MS): Promise<boolean> {
    if (this.#shown() >= position) return Promise.resolve(true)
    return new Promise(resolve => {
      const waiting: Waiting = {
        position,
        done: shown => {
          clearTimeout(timer)
          this.#waiting.delete(waiting)
          resolve(shown)
        },
      }
      const timer = setTimeout(() => {
        this.#lateWaits += 1
        waiting.done(false)
      }, ms)
      this.#waiting.add(waiting)
    })
  }

  status(): ReturnType<ReadModels['status']> {
    const generation = this.#serving?.generation
    const reason = generation === undefined ? 'the read models are starting' : generation.problem
    return {
      position: generation?.position ?? '',
      behind: generation?.behind ?? 0,
      lateWaits: this.#lateWaits,
      ready: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const waiting of this.#waiting) waiting.done(false)
    await this.#building?.close()
    await this.#serving?.pool.close()
    await this.#serving?.generation.close()
  }

  async #serve(generation: Generation): Promise<void> {
    await generation.open()
    this.#serving = { generation, pool: this.#pool(generation) }
  }

  #pool(generation: Generation): QueryPool {
    return new QueryPool(generation.file, this.#options.queryWorkers ?? WORKERS)
  }

  #generation(file: string, tables: readonly Table[], complete: boolean): Generation {
    const generation: Generation = new Generation({
      file,
      tables,
      complete,
      store: this.#options.store,
      upcast: this.#options.upcast ?? firstVersionOnly,
      decrypt: this.#options.decryptPersonal ?? ((_, sealed) => sealed),
      access: new AccessModel({ levelOneAccess: this.#options.allowLevel1DefaultAccess ?? false }),
      applied: message => {
        if (generation === this.#serving?.generation) this.#tell(message)
      },
      passed: () => this.#settle(),
      completed: () => void this.#completed(generation),
      log: line => this.#log(line),
      broken: reason => void this.#broken(generation, reason),
    })
    return generation
  }

  /** Builds a file beside the one that serves. */
  #build(): void {
    const generation = this.#generation(this.#folder.newFile(), this.#tables, false)
    this.#building = generation
    generation.open().catch(error => {
      this.#building = undefined
      this.#log(`The read models cannot be rebuilt (${String(error)})`)
    })
  }

  /** A caught-up file starts to serve; the old one finishes its pending queries and closes. */
  async #completed(generation: Generation): Promise<void> {
    if (this.#closed) return
    this.#point(generation)
    this.#settle()
    if (generation !== this.#building) return
    const old = this.#serving
    this.#building = undefined
    this.#serving = { generation, pool: this.#pool(generation) }
    this.#settle()
    await old?.pool.close()
    await old?.generation.close()
    this.#folder.sweep([generation.file])
    this.#log('The read models were rebuilt')
  }

  /** Retries when the pointer cannot be written (disk full); a restart before that rebuilds. */
  #point(generation: Generation): void {
    if (this.#closed || (generation !== this.#serving?.generation && generation !== this.#building)) return
    try {
      if (this.#folder.pointed() !== generation.file) this.#folder.point(generation.file)
    } catch (error) {
      this.#log(`Which file of read models serves cannot be noted (${String(error)})`)
      setTimeout(() => this.#point(generation), POINT_AGAIN).unref()
    }
  }

  async #broken(generation: Generation, reason: string): Promise<void> {
    this.#log(`The read models are damaged (${reason}) and are being rebuilt`)
    if (generation === this.#building) this.#build()
    else if (this.#building === undefined) this.#build()
  }

  #tell(message: Applied): void {
    this.#settle()
    const { position, touched, notices } = message
    for (const listener of this.#listeners) listener({ position, touched, notices })
  }

  #settle(): void {
    const shown = this.#shown()
    for (const waiting of this.#waiting) if (waiting.position <= shown) waiting.done(true)
  }

  #shown(): string {
    return this.#serving?.generation.shown ?? ''
  }

  #access(): AccessModel {
    if (this.#serving === undefined) throw new Error('the read models are not open')
    return this.#serving.generation.access
  }

  #ask<M extends keyof Queries>(method: M, args: Parameters<Queries[M]>): Promise<ReturnType<Queries[M]>> {
    if (this.#serving === undefined) return Promise.reject(new Error('the read models are not open'))
    return this.#serving.pool.ask(method, args) as Promise<ReturnType<Queries[M]>>
  }

  #log(line: string): void {
    this.#options.log?.(line)
  }
}

const firstVersionOnly = (event: StoredEvent): StoredEvent => {
  if (event.version !== 1) throw new Error(`${event.type} version ${event.version} is newer than this program`)
  return event
}
