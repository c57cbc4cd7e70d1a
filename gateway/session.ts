import type { FastifyRequest } from 'fastify'
import type { Access, Applied, ReadModels, Scope } from '#projections/port.ts'
import { scopeOf } from '#projections/scope.ts'
import { DEFAULT_LANGUAGE, type Language } from '#schemas/language.ts'
import { type Authentication, SESSION_COOKIE, type Session } from './port.ts'

/** The levels below each home level, with itself, until a level changes. */
export class Subtrees {
  readonly #read: ReadModels
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>()

  constructor(read: ReadModels) {
    this.#read = read
  }

  follow({ touched }: Pick<Applied, 'touched'>): void {
    if (touched.some(({ entity }) => entity === 'hierarchy')) this.#known.clear()
  }

  of(home: string, scope: Scope): Promise<ReadonlySet<string>> {
    const known = this.#known.get(home)
    if (known !== undefined) return known
    const asked = this.#read.levels(scope).then(levels => new Set([home, ...levels.map(level => level.id)]))
    this.#known.set(home, asked)
    asked.catch(() => this.#known.delete(home))
    return asked
  }
}

/** Turns the token of a request into who makes it. */
export class Sessions {
  readonly #read: ReadModels
  readonly #authentication: Authentication
  readonly #subtrees: Subtrees
  readonly #languages = new Map<string, Language>()
  readonly #stop: () => void

  constructor(read: ReadModels, authentication: Authentication) {
    this.#read = read
    this.#authentication = authentication
    this.#subtrees = new Subtrees(read)
    this.#stop = read.onApplied(applied => {
      this.#subtrees.follow(applied)
      for (const { entity, id } of applied.touched) if (entity === 'user') this.#languages.delete(id)
    })
  }

  /** With an `Authorization` header, cookies are ignored. */
  async ofRequest(request: FastifyRequest): Promise<Session | undefined> {
    const { authorization } = request.headers
    const bearer = authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')
    const token = bearer ?? request.cookies[SESSION_COOKIE]
    if (token === undefined || token === '') return undefined
    const access = await this.#authentication.session(token)
    return access === undefined ? undefined : this.of(access, bearer === undefined ? 'cookie' : 'bearer')
  }

  async of(access: Access, via: Session['via']): Promise<Session> {
    const scope = scopeOf(access)
    const subtree = await this.#subtrees.of(access.home, scope)
    const { user, session, level, permissions } = access
    const permits = (permission: string) => permissions.has(permission)
    const refresh = async () => (await this.refreshed(session, via))?.caller
    return { access, scope, via, caller: { user, session, level, subtree, permits, refresh } }
  }

  /** A session as it is now: rights may have changed since its request began. Undefined once it has ended. */
  async refreshed(session: string, via: Session['via']): Promise<Session | undefined> {
    const access = this.#read.access(session)
    return access === undefined ? undefined : this.of(access, via)
  }

  /** The user's own, else the default. */
  async languageOf({ access, scope }: Session): Promise<Language> {
    const known = this.#languages.get(access.user)
    if (known !== undefined) return known
    const row = await this.#read.detail(scope, 'user', access.user)
    const language = row?.language ?? DEFAULT_LANGUAGE
    this.#languages.set(access.user, language)
    return language
  }

  close(): void {
    this.#stop()
  }
}
