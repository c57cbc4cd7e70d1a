/** Unknown values of a file, read without trusting their shape. */
type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const member = (value: unknown, name: string): unknown =>
  isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const textAt = (value: unknown, name: string): string => textOf(member(value, name))

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export const listAt = (value: unknown, name: string): readonly unknown[] => listOf(member(value, name))

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Last part of a path. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
