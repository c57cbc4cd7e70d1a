import isSafe from 'safe-regex2'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from '../behaviour.ts'

/** Python's spelling of what JavaScript writes otherwise: `(?i)` in front, `(?P<name>`. */
const inJavaScript = (pattern: string): string => pattern.replace(/^\(\?[imsux]+\)/u, '').replaceAll('(?P<', '(?<')

/** The pattern to find all of its matches, case-insensitive; undefined if invalid. */
export const compilePattern = (pattern: string): RegExp | undefined => {
  for (const flags of ['giu', 'gi']) {
    try {
      return new RegExp(inJavaScript(pattern), flags)
    } catch {
      // Without `u`, escapes that mean nothing are allowed.
    }
  }
  return undefined
}

/** Why a pattern is refused. */
type PatternFault = 'syntax' | 'backreference' | 'exploding' | 'tooLarge'

const MAX_PATTERN_LENGTH = 1000
/** Places of a pattern that are compared with one another. */
const MAX_ATOMS = 160
/** Steps of the analysis. Beyond them a pattern is too complex: the analysis itself takes the fifth power of its length. */
const MAX_STEPS = 20_000
/** Repetitions beyond this count as unbounded. */
const MANY = 8

/** Nodes of a pattern: an atom is one place that takes a character. */
type PatternNode =
  | { readonly kind: 'atom'; readonly takes: RegExp }
  | { readonly kind: 'empty' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly isMany: boolean }

class Fault extends Error {
  readonly fault: PatternFault
  constructor(fault: PatternFault) {
    super(fault)
    this.fault = fault
  }
}

const atom = (source: string): PatternNode => {
  for (const flags of ['isu', 'is']) {
    try {
      return { kind: 'atom', takes: new RegExp(`^(?:${source})$`, flags) }
    } catch {
      // As above.
    }
  }
  throw new Fault('syntax')
}

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/u
const GROUP_HEAD = /^\((?:\?(?::|(<?[=!])|<[^>]+>))?/u
const ATOM = /^(?:\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|[pP]\{[^}]*\}|c[a-z]|[^\dk])|[^\\])/iu
const CLASS = /^\[(?:\\.|[^\]\\])*\]/u

const sequence = (parts: readonly PatternNode[]): PatternNode => ({ kind: 'sequence', parts })

/** A part as its quantifier repeats it: `mark` is one of * + ?, else `least` to `most` times, '' for no end. */
const repeated = (part: PatternNode, mark: string, least: number, most: string | undefined): readonly PatternNode[] => {
  const from = mark === '' ? least : mark === '+' ? 1 : 0
  const isEndless = mark === '*' || mark === '+' || (mark === '' && most === '')
  const to = mark === '?' ? 1 : isEndless ? Number.POSITIVE_INFINITY : Number(most)
  const first: PatternNode = { kind: 'repeat', part, least: from, isMany: to > MANY }
  if (to > MANY) return [first]
  const copies = Array.from({ length: Math.max(0, to - 1) }, (_, at): PatternNode => {
    return { kind: 'repeat', part, least: at + 1 < from ? 1 : 0, isMany: false }
  })
  return [first, ...copies]
}

/** Reads a pattern that JavaScript takes already. */
const readPattern = (pattern: string): PatternNode => {
  let rest = pattern
  const take = (length: number) => {
    rest = rest.slice(length)
  }
  const readOne = (): PatternNode => {
    const head = GROUP_HEAD.exec(rest)
    if (head !== null) {
      take(head[0].length)
      const inner = readChoice()
      take(1)
      // Lookarounds take no character; each is searched separately at each position.
      return head[1] === undefined ? inner : { kind: 'choice', parts: [inner, { kind: 'empty' }] }
    }
    const anchor = /^(?:\^|\$|\\[bB])/u.exec(rest)
    if (anchor !== null) {
      take(anchor[0].length)
      return { kind: 'empty' }
    }
    if (/^\\(?:[1-9]|k)/u.test(rest)) throw new Fault('backreference')
    const match = CLASS.exec(rest) ?? ATOM.exec(rest) ?? /^\\0/u.exec(rest)
    if (match === null) throw new Fault('syntax')
    take(match[0].length)
    return atom(match[0])
  }
  const readSequence = (): PatternNode => {
    const parts: PatternNode[] = []
    while (rest !== '' && rest[0] !== '|' && rest[0] !== ')') {
      const part = readOne()
      const [whole, mark, least, range, most] = QUANTIFIER.exec(rest) ?? []
      if (whole === undefined) {
        parts.push(part)
        continue
      }
      take(whole.length)
      parts.push(...repeated(part, mark ?? '', Number(least), range === undefined ? least : most))
    }
    return sequence(parts)
  }
  function readChoice(): PatternNode {
    const parts = [readSequence()]
    while (rest[0] === '|') {
      take(1)
      parts.push(readSequence())
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'choice', parts }
  }
  const whole = readChoice()
  if (rest !== '') throw new Fault('syntax')
  return whole
}

/** Places and which may follow which (Glushkov 1961), with how many ways lead from one to the other. */
interface Automaton {
  readonly atoms: RegExp[]
  readonly follow: Map<number, number>[]
}

interface Ends {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isNullable: boolean
}

const connect = (automaton: Automaton, from: readonly number[], to: readonly number[]): void => {
  for (const before of from)
    for (const after of to) {
      const ways = automaton.follow[before]
      ways?.set(after, (ways.get(after) ?? 0) + 1)
    }
}

const build = (automaton: Automaton, node: PatternNode): Ends => {
  switch (node.kind) {
    case 'empty':
      return { first: [], last: [], isNullable: true }
    case 'atom': {
      if (automaton.atoms.length >= MAX_ATOMS) throw new Fault('tooLarge')
      const place = automaton.atoms.push(node.takes) - 1
      automaton.follow.push(new Map())
      return { first: [place], last: [place], isNullable: false }
    }
    case 'choice': {
      const parts = node.parts.map(part => build(automaton, part))
      return {
        first: parts.flatMap(({ first }) => first),
        last: parts.flatMap(({ last }) => last),
        isNullable: parts.some(({ isNullable }) => isNullable),
      }
    }
    case 'sequence': {
      let sum: Ends = { first: [], last: [], isNullable: true }
      for (const part of node.parts) {
        const next = build(automaton, part)
        connect(automaton, sum.last, next.first)
        sum = {
          first: sum.isNullable ? [...sum.first, ...next.first] : sum.first,
          last: next.isNullable ? [...sum.last, ...next.last] : next.last,
          isNullable: sum.isNullable && next.isNullable,
        }
      }
      return sum
    }
    case 'repeat': {
      const part = build(automaton, node.part)
      if (node.isMany) connect(automaton, part.last, part.first)
      return { ...part, isNullable: part.isNullable || node.least === 0 }
    }
    default:
      return node satisfies never
  }
}

/** Characters that tell classes apart. */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ...'áçñÀß€😀中Ωд\u00a0\u2028٣']

/** Pairs of places that one character can reach together. */
const overlaps = (atoms: readonly RegExp[]): readonly (readonly boolean[])[] => {
  const taken = atoms.map(takes => SAMPLES.map(sample => takes.test(sample)))
  return taken.map(one => taken.map(other => one.some((takes, sample) => takes && other[sample] === true)))
}

/** Which places two matches of one text can reach together, as pairs `a * size + b` with a ≤ b. */
const pairGraph = ({ atoms, follow }: Automaton) => {
  const both = overlaps(atoms)
  const size = atoms.length
  let steps = 0
  /** @throws Fault beyond MAX_STEPS */
  const successors = (pair: number): readonly number[] => {
    const next = new Set<number>()
    for (const c of follow[Math.floor(pair / size)]?.keys() ?? [])
      for (const d of follow[pair % size]?.keys() ?? []) {
        if (both[c]?.[d] !== true) continue
        steps += 1
        if (steps > MAX_STEPS) throw new Fault('tooLarge')
        next.add(c <= d ? c * size + d : d * size + c)
      }
    return [...next]
  }
  return { size, successors }
}

interface Visit {
  readonly pair: number
  readonly next: readonly number[]
  at: number
}

/** Strongly connected components of the pairs that equal pairs lead to (Tarjan 1972), without recursion. */
const componentsOf = (size: number, successors: (pair: number) => readonly number[]): ReadonlyMap<number, number> => {
  const order = new Map<number, number>()
  const low = new Map<number, number>()
  const component = new Map<number, number>()
  const open: number[] = []
  const lower = (pair: number, to: number | undefined) => low.set(pair, Math.min(low.get(pair) ?? 0, to ?? Infinity))
  const close = (root: number) => {
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      component.set(pair, root)
      if (pair === root) return
    }
  }
  const visit = (pair: number): Visit => {
    order.set(pair, order.size)
    low.set(pair, order.size - 1)
    open.push(pair)
    return { pair, next: successors(pair), at: 0 }
  }
  for (let place = 0; place < size; place++) {
    const start = place * size + place
    const path: Visit[] = order.has(start) ? [] : [visit(start)]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next[top.at]
      top.at += 1
      if (next === undefined) {
        path.pop()
        if (low.get(top.pair) === order.get(top.pair)) close(top.pair)
        const before = path.at(-1)
        if (before !== undefined) lower(before.pair, low.get(top.pair))
      } else if (!order.has(next)) path.push(visit(next))
      else if (!component.has(next)) lower(top.pair, order.get(next))
    }
  }
  return component
}

/**
 * Whether one text can be matched in two ways between two visits of a place: the time of a search then doubles with each
 * round (exponential ambiguity, Weber and Seidl 1991).
 */
const isExponential = (automaton: Automaton): boolean => {
  const { size, successors } = pairGraph(automaton)
  const component = componentsOf(size, successors)
  const equal = new Map<number | undefined, number>()
  for (let place = 0; place < size; place++) equal.set(component.get(place * size + place), place)
  for (const [pair, of] of component) {
    const [a, b] = [Math.floor(pair / size), pair % size]
    if (a !== b && equal.has(of)) return true
    if (a !== b) continue
    // Two ways from one place to the next are as bad as two places.
    for (const [next, ways] of automaton.follow[a] ?? [])
      if (ways > 1 && component.get(next * size + next) === of) return true
  }
  return false
}

/** Why a pattern of a regex entity is refused; undefined for one that may be used. Slow ones end by the time bound. */
export const costFault = (pattern: string): PatternFault | undefined => {
  if (pattern.trim() === '' || compilePattern(pattern) === undefined) return 'syntax'
  if (pattern.length > MAX_PATTERN_LENGTH) return 'tooLarge'
  try {
    const automaton: Automaton = { atoms: [], follow: [] }
    build(automaton, readPattern(inJavaScript(pattern)))
    return isExponential(automaton) ? 'exploding' : undefined
  } catch (error) {
    if (error instanceof Fault) return error.fault
    throw error
  }
}

/** Faults of a pattern; undefined if usable. */
type PatternFaultPatternFault = 'regexsyntax' | 'regexempty' | 'regexcost'

/** Repetitions of one pattern; more of them cost more than they find. */
const MAX_REPETITIONS = 25

/** Whether a pattern is an expression of ECMAScript, finds something, and cannot take exponential time. */
export const patternFault = (pattern: string): PatternFaultPatternFault | undefined => {
  let expression: RegExp
  try {
    expression = new RegExp(pattern, 'iu')
  } catch {
    try {
      expression = new RegExp(pattern, 'i')
    } catch {
      return 'regexsyntax'
    }
  }
  if (
    !isSafe(expression, { limit: MAX_REPETITIONS }) ||
    hasAmbiguousRepetition(pattern) ||
    costFault(pattern) !== undefined
  )
    return 'regexcost'
  return expression.test('') ? 'regexempty' : undefined
}

/** `(a|a)*`, `(.|\s)*`: branches of a repeated group that begin alike. */
const hasAmbiguousRepetition = (pattern: string): boolean =>
  [...pattern.matchAll(/\((?:\?:)?([^()]*\|[^()]*)\)(?:[*+]|\{\d+,\d*\})/gu)].some(([, branches = '']) => {
    const heads = branches.split('|').map(branch => /^(?:\\.|\[[^\]]*\]|.)?/u.exec(branch)?.[0] ?? '')
    return new Set(heads).size < heads.length || heads.includes('') || (heads.includes('.') && heads.length > 1)
  })

const checked = (fields: Live['fields']) => {
  const rule = typeof fields.pattern === 'string' ? patternFault(fields.pattern) : undefined
  return rule === undefined
    ? accepted(fields)
    : refused('validation.failed', { errors: [{ path: 'pattern', code: 'format', params: { rule } }] })
}

/** A pattern is checked before it is kept: models and browsers run it. */
export const regexBehaviour: Behaviour = {
  commands: {},
  onCreate: fields => checked(fields),
  onChange: (_state, changes) => checked(changes),
}
