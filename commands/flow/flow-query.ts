import type { ParserName, Place } from '#domain/expression/engine.ts'
import { type OpenedEngines, openEngines } from '#domain/expression/template-check.ts'
import { calledBy, type Reference } from '#domain/flow/graph/references.ts'
import type { BlockText } from '#domain/flow/text/block-text.ts'
import { foundIn, type HitBlock, hitAt, type TextPart } from '#domain/flow/text/find-in-block.ts'
import { finderOf, type TextPattern } from '#domain/flow/text/find-text.ts'
import { type ChosenHit, chosenAmong } from '#domain/flow/text/rewrite-flow.ts'
import { type Renaming, renamedText, variableUses } from '#domain/flow/variable/variable-use.ts'
import type { FlowHit } from '#schemas/api/flow-text.ts'
import type { BlockContent, FlowContent } from './flow-content.ts'

/** Query on the texts of one flow, as plain data. `max`: hits returned; further ones are only counted. */
export type FlowQuery =
  | { readonly for: 'text'; readonly wanted: TextPattern; readonly parser: ParserName; readonly max: number }
  | { readonly for: 'variable'; readonly name: string; readonly parser: ParserName; readonly max: number }
  | { readonly for: 'target'; readonly targets: readonly Reference[]; readonly max: number }
  | { readonly for: 'called' }
  | { readonly for: 'named'; readonly names: readonly string[]; readonly parser: ParserName }
  | {
      readonly for: 'chosen'
      readonly hits: readonly ChosenHit[]
      readonly wanted: TextPattern
      readonly parser: ParserName
    }
  | { readonly for: 'renamed'; readonly renaming: Renaming; readonly parser: ParserName }

interface FoundHits {
  readonly hits: readonly FlowHit[]
  readonly total: number
}

interface RenamedText {
  readonly block: string
  readonly field: string
  /** Remaining old names. */
  readonly left: number
}

interface LookResults {
  readonly text: FoundHits
  readonly variable: FoundHits
  readonly target: FoundHits
  /** Dialogs that it runs and comes back from. */
  readonly called: readonly string[]
  /** Those of the names that a text says. */
  readonly named: readonly string[]
  /** The hits that still exist, each with its full address. */
  readonly chosen: readonly ChosenHit[]
  /** Texts that name the variable. */
  readonly renamed: readonly RenamedText[]
}

/** An answer to a look. */
export interface FlowQueryResult<L extends FlowQuery = FlowQuery> {
  readonly answer: LookResults[L['for']]
  /** Time was over before everything was looked through. */
  readonly isCut: boolean
}

/** Places between two looks at the clock. */
const PLACES_PER_CHECK = 4096

/** Answers what is asked of a flow's content, or as much of it as there is time for, until `end` of `performance.now()`. */
export const runFlowQuery = async (content: FlowContent, look: FlowQuery, end: number): Promise<FlowQueryResult> => {
  let isCut = false
  const isOver = () => {
    isCut ||= performance.now() > end
    return isCut
  }
  const answer = await answerOf(content, look, isOver)
  return { answer, isCut }
}

type IsOver = () => boolean

const answerOf = async (
  content: FlowContent,
  look: FlowQuery,
  isOver: IsOver,
): Promise<LookResults[FlowQuery['for']]> => {
  switch (look.for) {
    case 'text': {
      const find = finderOf(look.wanted)
      return hitsOf(content, text => foundIn(text, find, look.parser), look.max, isOver)
    }
    case 'variable': {
      const engines = await enginesOf(look.parser)
      return hitsOf(content, text => usesIn(text, look, engines), look.max, isOver)
    }
    case 'target':
      return targetHits(content, look.targets, look.max)
    case 'called':
      return content.flatMap(calledBy)
    case 'named':
      return namedIn(content, look, await enginesOf(look.parser), isOver)
    case 'chosen':
      return chosenIn(content, look, isOver)
    case 'renamed':
      return renamedIn(content, look, await enginesOf(look.parser), isOver)
    default:
      return look satisfies never
  }
}

const enginesOf = (parser: ParserName) => openEngines([parser, 'JSONPath'])

const namesOf = ({ id, type, title, section }: BlockContent): HitBlock => ({ block: id, type, title, section })

type FindPlaces = (text: BlockText) => Iterable<Place & { readonly part: TextPart }>

const hitsOf = (content: FlowContent, find: FindPlaces, max: number, isOver: IsOver): FoundHits => {
  const hits: FlowHit[] = []
  let total = 0
  for (const block of content) {
    for (const text of block.texts) {
      if (isOver()) return { hits, total }
      for (const { part, ...place } of find(text)) {
        if (hits.length < max) hits.push(hitAt(namesOf(block), text, place, part))
        total += 1
        if (total % PLACES_PER_CHECK === 0 && isOver()) return { hits, total }
      }
    }
  }
  return { hits, total }
}

function* usesIn(
  text: BlockText,
  { name, parser }: Extract<FlowQuery, { for: 'variable' }>,
  engines: OpenedEngines,
): Generator<Place & { readonly part: TextPart }> {
  if (!text.text.includes(name)) return
  for (const use of variableUses(text, parser, engines)) {
    if (use.name === name) yield { ...use.place, part: 'expression' }
  }
}

const keyOf = ({ to, id }: Reference): string => `${to} ${id}`

const targetHits = (content: FlowContent, wanted: readonly Reference[], max: number): FoundHits => {
  const ids = new Set(wanted.map(keyOf))
  const leading = content.filter(({ targets }) => targets.some(target => ids.has(keyOf(target))))
  const nowhere = { field: '', path: [], offset: 0, length: 0, before: '', text: '', after: '' }
  const hits = leading.slice(0, max).map((block): FlowHit => ({ ...namesOf(block), ...nowhere, part: 'target' }))
  return { hits, total: leading.length }
}

const namedIn = (
  content: FlowContent,
  { names, parser }: Extract<FlowQuery, { for: 'named' }>,
  engines: OpenedEngines,
  isOver: IsOver,
): readonly string[] => {
  const unseen = new Set(names)
  for (const text of content.flatMap(({ texts }) => texts)) {
    if (unseen.size === 0 || isOver()) break
    if (![...unseen].some(name => text.text.includes(name))) continue
    for (const { name } of variableUses(text, parser, engines)) unseen.delete(name)
  }
  return names.filter(name => !unseen.has(name))
}

const chosenIn = (
  content: FlowContent,
  { hits, wanted, parser }: Extract<FlowQuery, { for: 'chosen' }>,
  isOver: IsOver,
): readonly ChosenHit[] => {
  const find = finderOf(wanted)
  const byBlock = Map.groupBy(hits, ({ block }) => block)
  const standing: ChosenHit[] = []
  for (const { id, texts } of content) {
    const own = byBlock.get(id)
    if (own === undefined) continue
    const placesIn = chosenAmong(own, find, parser)
    for (const text of texts) {
      if (isOver()) return standing
      const { path, at } = text
      standing.push(...placesIn(text).map(({ offset }) => ({ block: id, path, at, offset })))
    }
  }
  return standing
}

const renamedIn = (
  content: FlowContent,
  { renaming, parser }: Extract<FlowQuery, { for: 'renamed' }>,
  engines: OpenedEngines,
  isOver: IsOver,
): readonly RenamedText[] => {
  const made: RenamedText[] = []
  for (const { id, texts } of content) {
    for (const text of texts) {
      if (isOver()) return made
      const renamed = renamedText(text, renaming, parser, engines)
      if (renamed !== undefined) made.push({ block: id, field: text.field, left: renamed.left })
    }
  }
  return made
}
