import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, YAMLParseError } from 'yaml'

/** A document with its errors, and the lines of its offsets. */
interface ReadYaml {
  readonly document: Document.Parsed
  readonly lines: LineCounter
}

/** Offsets of keys that repeat one of their mapping. The reader's own check compares each key with all others. */
const repeatedKeys = (contents: unknown): readonly number[] => {
  const found: number[] = []
  const open: unknown[] = [contents]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSeq(node)) open.push(...node.items.filter(item => item !== null))
    if (!isMap(node)) continue
    const known = new Set<unknown>()
    for (const { key, value } of node.items) {
      if (isScalar(key) && known.has(key.value)) found.push(key.range?.[0] ?? 0)
      if (isScalar(key)) known.add(key.value)
      for (const child of [key, value]) if (isNode(child)) open.push(child)
    }
  }
  return found
}

const faultAt = (code: 'DUPLICATE_KEY' | 'IMPOSSIBLE', message: string, at: number, lines: LineCounter) => {
  const { line, col } = lines.linePos(at)
  const error = new YAMLParseError([at, at + 1], code, `${message} at line ${line}, column ${col}`)
  error.linePos = [{ line, col }]
  return error
}

/** Reads YAML 1.2 in a time that grows with its length. Keys must be unique within their mapping. */
export const readYaml = (source: string, version: '1.2' | undefined = '1.2'): ReadYaml => {
  const core = version === undefined ? {} : ({ version, schema: 'core' } as const)
  const read = (text: string): ReadYaml => {
    const lines = new LineCounter()
    const options = { lineCounter: lines, uniqueKeys: false, logLevel: 'silent', ...core } as const
    return { document: parseDocument(text, options), lines }
  }
  try {
    const { document, lines } = read(source)
    const repeated = repeatedKeys(document.contents)
    document.errors.push(...repeated.map(at => faultAt('DUPLICATE_KEY', 'Map keys must be unique', at, lines)))
    document.errors.sort((one, other) => one.pos[0] - other.pos[0])
    return { document, lines }
  } catch (error) {
    // The reader recurses into lists within lists.
    if (!(error instanceof RangeError)) throw error
    const { document, lines } = read('')
    document.errors.push(faultAt('IMPOSSIBLE', 'Too many levels', 0, lines))
    return { document, lines }
  }
}
