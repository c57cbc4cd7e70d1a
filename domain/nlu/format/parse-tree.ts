import { readYaml } from '#domain/yaml.ts'

/** Content of a file, or its fault and line (counted from 1). */
export type Parsed = { readonly tree: unknown } | { readonly fault: TreeFault; readonly line?: number }

type TreeFault = 'syntax' | 'duplicate' | 'alias' | 'depth'

/** Aliases of one document that are followed. */
const MAX_ALIASES = 100
const MAX_DEPTH = 100

/** JSON without members of the same name. */
export const parseJsonTree = (text: string): Parsed => {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    const at = /position (\d+)/u.exec(String(error))?.[1]
    return { fault: 'syntax', ...(at === undefined ? {} : { line: lineAt(text, Number(at)) }) }
  }
  const fault = scanMembers(text)
  return fault ?? { tree }
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const TOKEN = /"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/gsu

/** Looks through text that is JSON for what `JSON.parse` lets pass. */
const scanMembers = (text: string): Parsed | undefined => {
  const open: Set<string>[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (open.length === MAX_DEPTH) return { fault: 'depth', line: lineAt(text, index) }
      open.push(new Set())
    } else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const names = open.at(-1)
      const name = String(JSON.parse(token.slice(0, -1).trim()))
      if (names?.has(name)) return { fault: 'duplicate', line: lineAt(text, index) }
      names?.add(name)
    }
  }
  return undefined
}

const FAULTS: Readonly<Partial<Record<string, TreeFault>>> = { DUPLICATE_KEY: 'duplicate', IMPOSSIBLE: 'depth' }

/** YAML without duplicate members, custom tags or too many aliases. */
export const parseYamlTree = (text: string): Parsed => {
  try {
    const { document } = readYaml(text, undefined)
    const [error] = document.errors
    if (error !== undefined) {
      const line = error.linePos?.[0].line
      const fault = FAULTS[error.code] ?? 'syntax'
      return { fault, ...(line === undefined ? {} : { line }) }
    }
    return { tree: document.toJS({ maxAliasCount: MAX_ALIASES }) }
  } catch (error) {
    return { fault: error instanceof RangeError ? 'depth' : 'alias' }
  }
}
