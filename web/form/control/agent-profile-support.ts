import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { agentProfileSchema, type ProfileFault, readAgentProfile } from '#domain/agent-profile.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, objectOf, objectsOf, own, parseJson, textOf } from '#schemas/json.ts'
import { completion } from '#web/components/editor-completion.ts'

interface Scan {
  /** Offsets of members by dotted path: of their name where they have one. */
  readonly places: ReadonlyMap<string, { readonly from: number; readonly to: number }>
  /** Names around the end of the text; undefined where no value may stand. */
  readonly open: readonly string[]
  /** Whether a name is written at the end, or a value. */
  readonly isName: boolean
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gu

/** Places of the members of a JSON text, and what is written at its end; the text may be unfinished. */
const scan = (text: string): Scan => {
  const places = new Map<string, { from: number; to: number }>()
  const stack: { isList: boolean; key: string; index: number; awaits: 'name' | 'value' }[] = []
  const path = () => stack.map(({ isList, key, index }) => (isList ? String(index) : key))
  for (const { 0: token, index: from } of text.matchAll(TOKEN)) {
    const top = stack.at(-1)
    if (token === '{' || token === '[') {
      stack.push({ isList: token === '[', key: '', index: 0, awaits: token === '[' ? 'value' : 'name' })
    } else if (token === '}' || token === ']') stack.pop()
    else if (token === ',' && top !== undefined) {
      top.index += 1
      top.awaits = top.isList ? 'value' : 'name'
    } else if (token === ':' && top !== undefined) top.awaits = 'value'
    else if (top?.awaits === 'name' && token.startsWith('"')) {
      top.key = token.replaceAll('"', '')
      places.set(path().join('.'), { from, to: from + token.length })
    } else if (top?.isList === true) places.set(path().join('.'), { from, to: from + token.length })
  }
  const top = stack.at(-1)
  const isName = top?.awaits === 'name'
  return { places, open: isName ? path().slice(0, -1) : path(), isName }
}

/** The place of a fault: of the member, or of the nearest one around it. */
const placeOf = ({ places }: Scan, path: string): { readonly from: number; readonly to: number } => {
  const names = path === '' ? [] : path.split('.')
  for (let length = names.length; length > 0; length -= 1) {
    const place = places.get(names.slice(0, length).join('.'))
    if (place !== undefined) return place
  }
  return { from: 0, to: 1 }
}

/** Schemas that a value at a path may follow. */
const schemasAt = (root: JsonObject, path: readonly string[]): readonly JsonObject[] => {
  const alternatives = (schema: JsonObject): readonly JsonObject[] => {
    const named = /^#\/\$defs\/(.+)$/u.exec(textOf(schema.$ref))?.[1]
    if (named !== undefined) return alternatives(objectOf(own(objectOf(root.$defs), named)))
    const nested = [...objectsOf(schema.anyOf), ...objectsOf(schema.oneOf), ...objectsOf(schema.allOf)]
    return nested.length === 0 ? [schema] : nested.flatMap(alternatives)
  }
  return path.reduce<readonly JsonObject[]>(
    (schemas, name) =>
      schemas
        .flatMap(schema => {
          const member = own(objectOf(schema.properties), name) ?? schema.items ?? schema.additionalProperties
          return isObject(member) ? [member] : []
        })
        .flatMap(alternatives),
    alternatives(root),
  )
}

const unique = (labels: readonly string[]): readonly string[] => [...new Set(labels)]

const completeFrom =
  (root: JsonObject) =>
  (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/"?[\w$-]*/u)
    if (word === null || (word.from === word.to && !context.explicit)) return null
    const { open, isName } = scan(context.state.sliceDoc(0, word.from))
    const schemas = schemasAt(root, open)
    const names = unique(schemas.flatMap(schema => Object.keys(objectOf(schema.properties))))
    const values = unique(
      schemas.flatMap(({ enum: options, const: only, type }) =>
        [Array.isArray(options) ? options : [], only ?? [], type === 'boolean' ? [true, false] : []]
          .flat()
          .map(value => JSON.stringify(value)),
      ),
    )
    const options: Completion[] = isName
      ? names.map(name => ({ label: `"${name}"`, apply: `"${name}": `, type: 'property' }))
      : values.map(value => ({ label: value, type: 'constant' }))
    return options.length === 0 ? null : { from: word.from, options, validFor: /^"?[\w$-]*"?$/u }
  }

/** Names and values that the schema allows at the caret. */
export const completeProfile = completeFrom(agentProfileSchema())

const PAUSE_MS = 300

interface PlacedFault extends ProfileFault {
  readonly from: number
  readonly to: number
  /** From 1. */
  readonly line: number
}

/** Faults of a profile at their places; invalid JSON has none here. */
export const profileFaults = (text: string): readonly PlacedFault[] => {
  if (parseJson(text) === undefined) return []
  const scanned = scan(text)
  return readAgentProfile(text).faults.map(fault => {
    const { from, to } = placeOf(scanned, fault.path)
    return { ...fault, from, to: Math.min(text.length, to), line: text.slice(0, from).split('\n').length }
  })
}

/** Completion from the schema of profiles, and their faults at their lines. */
export const agentProfileSupport = (words: (fault: ProfileFault) => string): Extension => {
  return [
    completion([completeProfile]),
    linter(
      ({ state }) =>
        profileFaults(state.doc.toString()).map(
          (fault): Diagnostic => ({ from: fault.from, to: fault.to, severity: 'error', message: words(fault) }),
        ),
      { delay: PAUSE_MS },
    ),
  ]
}
