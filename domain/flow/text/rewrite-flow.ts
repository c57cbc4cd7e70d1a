import type * as Y from 'yjs'
import type { ParserName, Place } from '#domain/expression/engine.ts'
import type { OpenedEngines } from '#domain/expression/template-check.ts'
import { nodesOf, scriptOf } from '../document/document.ts'
import { setScript } from '../document/edit.ts'
import { type Renaming, renamedText } from '../variable/variable-use.ts'
import { type BlockText, textsOfBlock, writeText } from './block-text.ts'
import { foundIn, withReplaced } from './find-in-block.ts'
import type { Finder } from './find-text.ts'

/** A handler's own code, as the one text of a block without id. */
export const scriptText = (code: string): BlockText => ({ path: ['js'], field: 'js', role: 'script', text: code })

/** One place where a search found its text. */
export interface ChosenHit {
  /** '' for a handler's own code. */
  readonly block: string
  readonly path: readonly string[]
  readonly at?: number | undefined
  readonly offset: number
}

/** Changes a variable's name wherever the flow says it, as one change. */
export const renameInFlow = (
  doc: Y.Doc,
  renaming: Renaming,
  parser: ParserName,
  engines: OpenedEngines,
  origin: unknown,
): void =>
  doc.transact(() => {
    for (const id of [...nodesOf(doc).keys()]) {
      for (const text of textsOfBlock(doc, id)) {
        const made = renamedText(text, renaming, parser, engines)
        if (made !== undefined && made.text !== text.text) writeText(doc, id, text, made.text, origin)
      }
    }
  }, origin)

/** Tells a hit from every other of a flow. */
export const hitKey = ({ block, path, at, offset }: ChosenHit): string =>
  JSON.stringify([block, path, at ?? null, offset])

const keyOf = ({ path, at }: Pick<ChosenHit, 'path' | 'at'>) => JSON.stringify([path, at ?? null])

/** Returns which chosen hits of one block are still at the same place in a text of it. */
export const chosenAmong = (
  hits: readonly ChosenHit[],
  find: Finder,
  parser: ParserName,
): ((text: BlockText) => readonly Place[]) => {
  const byText = Map.groupBy(hits, keyOf)
  return text => {
    const offsets = new Set(byText.get(keyOf(text))?.map(({ offset }) => offset))
    if (offsets.size === 0) return []
    const last = Math.max(...offsets)
    const places: Place[] = []
    for (const place of foundIn(text, find, parser)) {
      if (place.offset > last) break
      if (offsets.has(place.offset)) places.push(place)
    }
    return places
  }
}

interface Replacing {
  readonly find: Finder
  readonly by: string
  readonly hits: readonly ChosenHit[]
}

/** Replaces chosen hits of a search, as one change; answers those that are no longer there, which are passed over. */
export const replaceInFlow = (
  doc: Y.Doc,
  { find, by, hits }: Replacing,
  parser: ParserName,
  origin: unknown,
): readonly ChosenHit[] =>
  doc.transact(() => {
    const left = new Map(hits.map(hit => [hitKey(hit), hit]))
    for (const [id, own] of Map.groupBy(hits, ({ block }) => block)) {
      const chosenIn = chosenAmong(own, find, parser)
      for (const text of id === '' ? [scriptText(scriptOf(doc).toString())] : textsOfBlock(doc, id)) {
        const places = chosenIn(text)
        for (const { offset } of places) left.delete(hitKey({ block: id, path: text.path, at: text.at, offset }))
        if (places.length === 0) continue
        const made = withReplaced(text, places, by)
        if (id === '') setScript(doc, made, origin)
        else writeText(doc, id, text, made, origin)
      }
    }
    return [...left.values()]
  }, origin)
