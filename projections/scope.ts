import type { Json } from '#schemas/event.ts'
import type { Access, NamedRow, ReadModels, Scope } from './port.ts'

const READ = 'read'

const made = new WeakMap<Access, Scope>()

/** Scope of a session. Only this and SYSTEM_SCOPE create scopes; a changed access is a new one. */
export const scopeOf = (access: Access): Scope => {
  const scope = made.get(access) ?? make(access)
  made.set(access, scope)
  return scope
}

const make = (access: Access): Scope =>
  brand({
    user: access.user,
    home: access.home,
    level: access.level,
    readable: new Set(
      [...access.permissions].flatMap(permission =>
        permission.startsWith(READ) ? [permission.slice(READ.length)] : [],
      ),
    ),
  })

const brand = (scope: Pick<Scope, 'user' | 'home' | 'level' | 'readable'>): Scope => scope as Scope

/** The system itself: start-up, processes, the command line. */
export const SYSTEM_SCOPE: Scope = brand({ user: null, home: null, level: null, readable: 'all' })

const PAGE = 100

/** Every row of a list, page by page. */
export const allRows = async <N extends string>(
  read: Pick<ReadModels, 'list'>,
  scope: Scope,
  entity: N,
  filter: Readonly<Record<string, Json>> = {},
): Promise<readonly NamedRow<N>[]> => {
  const rows: NamedRow<N>[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await read.list(scope, entity, { page, size: PAGE, filter })
    rows.push(...items)
    if (items.length < PAGE || rows.length >= total) return rows
  }
}
