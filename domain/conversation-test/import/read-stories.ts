import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
import { readYaml } from '#domain/yaml.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import {
  type ImportedStep,
  type ImportedTest,
  type ImportedTests,
  type ImportFault,
  MAX_IMPORTED_TESTS,
  writeImported,
} from './imported-test.ts'

/** Implicit in Rasa; nothing is lost without it. */
const LISTENING = 'action_listen'
/** `[Paris](city)`, `[Paris]{"entity": "city", "value": "paris"}` */
const MARKED = /\[([^[\]]+)\](?:\(([^()[\]]*)\)|(\{[^{}]*\}))/gu

interface Heard {
  readonly text: string
  readonly entities: JsonObject
}

const given = (written: string): { readonly entity?: unknown; readonly value?: unknown } => {
  try {
    return JSON.parse(written) as { entity?: unknown; value?: unknown }
  } catch {
    return {}
  }
}

/** Plain text of a message, and the entities marked in it. */
const heardIn = (source: string): Heard => {
  const entities: { [name: string]: Json } = {}
  const text = source.replaceAll(MARKED, (_, words: string, short: string | undefined, long: string | undefined) => {
    if (long !== undefined) {
      const { entity, value } = given(long)
      if (typeof entity === 'string') entities[entity] = typeof value === 'string' ? value : words
      return words
    }
    const [name = '', value] = (short ?? '').split(':')
    if (name !== '') entities[name] = value ?? words
    return words
  })
  return { text: text.replaceAll(/\s+/gu, ' ').trim(), entities }
}

const textAt = (map: YAMLMap, key: string): string => {
  const value = map.get(key)
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

/** Entities beside an intent: `- city: Paris`. */
const entitiesAt = (map: YAMLMap): JsonObject => {
  const list = map.get('entities')
  if (!isSeq(list)) return {}
  return Object.assign({}, ...list.items.map(item => (isMap(item) ? item.toJSON() : {}))) as JsonObject
}

/** Steps that a test has no like of. */
const OTHER_STEPS: Readonly<Record<string, ImportFault['code']>> = {
  slot_was_set: 'slot',
  checkpoint: 'checkpoint',
  or: 'either',
  active_loop: 'loop',
}

class Story {
  readonly steps: ImportedStep[] = []
  readonly stubs = new Map<string, JsonObject>()
  comments: string[] = []
  readonly #fault: (node: unknown, code: ImportFault['code'], text: string) => void

  constructor(fault: (node: unknown, code: ImportFault['code'], text: string) => void) {
    this.#fault = fault
  }

  #add(step: JsonObject): void {
    this.steps.push({ step, comments: this.comments })
    this.comments = []
  }

  #said(map: YAMLMap): void {
    const intent = textAt(map, 'intent')
    const written = textAt(map, 'user')
    const { text, entities } = heardIn(written)
    // Without words Rasa says the intent itself: `/greet`.
    const words = text === '' ? `/${intent}` : text
    const marked = { ...entities, ...entitiesAt(map) }
    if (intent !== '')
      this.stubs.set(words, {
        nlu: words,
        intent,
        confidence: 1,
        ...(Object.keys(marked).length === 0 ? {} : { entities: marked }),
      })
    this.#add({ user: words })
  }

  /** Kept as a comment; reported if its absence may change the test's path. */
  #note(node: unknown, name: string, value: string, code?: ImportFault['code']): void {
    this.comments.push(value === '' ? name : `${name}: ${value}`)
    if (code !== undefined) this.#fault(node, code, value === '' ? name : value)
  }

  take(item: unknown): void {
    if (!isMap(item)) this.#fault(item, 'step', String(item))
    else if (item.has('user') || item.has('intent')) this.#said(item)
    else if (item.has('bot')) this.#add({ bot: textAt(item, 'bot').trim() || 'any' })
    else this.#other(item)
  }

  #other(item: YAMLMap): void {
    const [first] = item.items
    const name = isScalar(first?.key) ? String(first.key.value) : ''
    const value = isScalar(first?.value) ? String(first.value.value) : JSON.stringify(item.toJSON())
    if (name === 'action' && value === LISTENING) return
    this.#note(item, name, value, name === 'action' ? undefined : (OTHER_STEPS[name] ?? 'step'))
  }
}

/**
 * Rasa's stories, rules and test stories in YAML: messages and intents are steps, actions are comments.
 */
export const readStories = (source: string): ImportedTests => {
  const { document, lines } = readYaml(source)
  const faults: ImportFault[] = []
  const lineOf = (node: unknown) => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line || 1
  const fault = (node: unknown, code: ImportFault['code'], text: string) =>
    faults.push({ line: lineOf(node), code, text: text.slice(0, 200) })
  const [broken] = document.errors
  if (broken !== undefined) {
    const [text = ''] = broken.message.split(' at line')
    return { tests: [], faults: [{ line: lines.linePos(broken.pos[0]).line || 1, code: 'syntax', text }] }
  }
  const tests: ImportedTest[] = []
  for (const [list, name] of [
    ['stories', 'story'],
    ['rules', 'rule'],
  ] as const) {
    const held = isMap(document.contents) ? document.get(list) : undefined
    for (const item of isSeq(held) ? held.items : []) {
      const steps = isMap(item) ? item.get('steps') : undefined
      const title = isMap(item) ? textAt(item, name) : ''
      const story = new Story(fault)
      for (const step of isSeq(steps) ? steps.items : []) story.take(step)
      if (story.steps.length === 0) fault(item, 'empty', title)
      else if (tests.length >= MAX_IMPORTED_TESTS) fault(item, 'toomany', title)
      else
        tests.push(
          writeImported({
            name: title || `${name} ${tests.length + 1}`,
            // Stories lack the bot's texts.
            loose: true,
            stubs: [...story.stubs.values()],
            steps: story.steps,
            rest: story.comments,
          }),
        )
    }
  }
  if (tests.length === 0 && faults.length === 0) faults.push({ line: 1, code: 'empty' })
  return { tests, faults }
}
