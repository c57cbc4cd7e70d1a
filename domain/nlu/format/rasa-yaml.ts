import { stringify } from 'yaml'
import type { NluData } from '../project-data.ts'
import {
  isMembers,
  listAt,
  listOf,
  member,
  type NluFileCollector,
  oneLine,
  type StoryStep,
  textAt,
  textOf,
} from './nlu-file-content.ts'

/** Members of a Rasa file that are read, or say nothing of their own. */
const KNOWN = new Set(['version', 'nlu', 'stories', 'rules', 'responses', 'intents', 'entities', 'parley'])
const TYPES = ['learned', 'lookup', 'system'] as const
const RETRIEVAL = /^utter_(.+)$/u

/** Texts that a bot says, by the name of the action that says them. */
export type Utterances = Map<string, readonly string[]>

/** A tree of Rasa 2 or 3 (domain, NLU, stories, rules), from YAML or JSON. */
export const readRasaTree = (tree: unknown, path: string, into: NluFileCollector, utterances: Utterances): void => {
  if (!isMembers(tree)) return
  for (const name of Object.keys(tree)) if (!KNOWN.has(name)) into.unread(path, 'part', name)
  for (const intent of listAt(tree, 'intents')) into.intent(nameOf(intent))
  for (const entity of listAt(tree, 'entities')) into.entity(nameOf(entity))
  for (const item of listAt(tree, 'nlu')) readNluItem(item, path, into)
  for (const entity of listAt(member(tree, 'parley'), 'entities')) {
    const type = TYPES.find(each => each === textAt(entity, 'type'))
    for (const value of listAt(entity, 'lookup')) readValue(value, textAt(entity, 'name'), into)
    into.entity(textAt(entity, 'name'), type)
  }
  for (const [name, said] of Object.entries(memberMap(tree, 'responses')))
    utterances.set(
      name,
      listOf(said)
        .map(each => textAt(each, 'text'))
        .filter(text => text.trim() !== ''),
    )
  for (const story of listAt(tree, 'stories')) readStory(story, 'story', path, into)
  for (const rule of listAt(tree, 'rules')) readStory(rule, 'rule', path, into)
}

const memberMap = (tree: unknown, name: string): Readonly<Record<string, unknown>> => {
  const value = member(tree, name)
  return isMembers(value) ? value : {}
}

/** `name`, or {name: settings}. */
const nameOf = (item: unknown): string => (isMembers(item) ? (Object.keys(item)[0] ?? '') : textOf(item))

/** Lines of `examples`: a block with a dash before each line, or a list of texts or {text}. */
const examplesOf = (item: unknown): readonly string[] => {
  const examples = member(item, 'examples')
  if (Array.isArray(examples))
    return examples.map(each => (isMembers(each) ? textAt(each, 'text') : textOf(each))).map(withoutDash)
  return textOf(examples).split('\n').map(withoutDash)
}

const withoutDash = (line: string): string => line.replace(/^\s*-(?:\s|$)/u, '').trim()

const readNluItem = (item: unknown, path: string, into: NluFileCollector): void => {
  const examples = examplesOf(item).filter(line => line !== '')
  const intent = textAt(item, 'intent')
  const [synonym, regex, lookup] = ['synonym', 'regex', 'lookup'].map(name => textAt(item, name))
  if (intent !== '') {
    into.intent(intent)
    for (const line of examples) into.statement(intent, line)
  } else if (synonym) into.synonym(synonym, examples)
  else if (regex) {
    const entity = textAt(member(item, 'metadata'), 'entity') || regex
    for (const pattern of examples) into.regex(regex, entity, pattern)
  } else if (lookup) for (const value of examples) into.lookup(lookup, value)
  else into.unread(path, 'part', isMembers(item) ? Object.keys(item).join(', ') : textOf(item))
}

const readValue = (value: unknown, entity: string, into: NluFileCollector) =>
  into.lookup(entity, textAt(value, 'value'), listAt(value, 'synonyms').map(textOf))

const readStory = (story: unknown, kind: 'story' | 'rule', path: string, into: NluFileCollector): void => {
  const name = textAt(story, kind)
  const steps: StoryStep[] = []
  for (const step of listAt(story, 'steps')) {
    const read = stepsOf(step)
    if (read.length === 0) into.unread(path, 'step', `${name}: ${nameOf(step)}`)
    steps.push(...read)
    for (const { kind: of, name: named } of read) if (of === 'intent' && named !== '') into.intent(named)
  }
  if (name !== '') into.story(name, steps)
}

const stepsOf = (step: unknown): readonly StoryStep[] => {
  const intent = textAt(step, 'intent')
  const entity = textAt(step, 'entity')
  const action = textAt(step, 'action')
  const text = (textAt(step, 'user') || textAt(step, 'text') || textAt(step, 'bot')).trim()
  if (intent !== '')
    return [{ kind: 'intent', name: oneLine(intent), text }, ...listAt(step, 'entities').map(entityStep)]
  if (entity !== '') return [{ kind: 'entity', name: oneLine(entity), text }]
  if (action !== '') return [{ kind: 'action', name: oneLine(action), text }]
  return []
}

const entityStep = (entity: unknown): StoryStep => {
  const [[name, value] = ['', '']] = isMembers(entity) ? Object.entries(entity) : [[textOf(entity), '']]
  return { kind: 'entity', name: oneLine(name), text: textOf(value) }
}

/**
 * Responses to an intent: `utter_<intent>`, and the text of a story with one intent and one action. Other texts of a
 * bot belong to no intent.
 */
export const placeUtterances = (utterances: Utterances, path: string, into: NluFileCollector): void => {
  const byAction = new Map<string, Set<string>>()
  for (const steps of into.gathered.stories.values()) {
    const [first, second] = steps.filter(({ kind }) => kind !== 'entity')
    if (steps.length > 2 || first?.kind !== 'intent' || second?.kind !== 'action') continue
    byAction.set(second.name, new Set([...(byAction.get(second.name) ?? []), first.name]))
  }
  for (const [action, texts] of utterances) {
    const own = RETRIEVAL.exec(action)?.[1] ?? action
    const intents = new Set([...(into.hasIntent(own) ? [own] : []), ...(byAction.get(action) ?? [])])
    for (const intent of intents) for (const text of texts) into.intent(intent).responses.add(text)
    if (intents.size === 0) into.unread(path, 'response', action)
  }
}

/** The data of a project as a tree of Rasa 3, and under `parley` what that has no place for. */
const rasaTree = ({ intents, entities, regexes, synonyms, stories = [] }: NluData) => ({
  version: '3.1',
  intents: intents.map(({ name }) => name),
  entities: entities.map(({ name }) => name),
  nlu: [
    ...intents
      .filter(({ statements }) => statements.length > 0)
      .map(({ name, statements }) => ({ intent: name, examples: block(statements.map(({ text }) => text)) })),
    ...synonyms.map(({ value, synonyms: others }) => ({ synonym: value, examples: block(others) })),
    ...regexes.map(({ name, entity, pattern }) => ({
      regex: name,
      ...(entity === name ? {} : { metadata: { entity } }),
      examples: block([pattern]),
    })),
    ...entities
      .filter(({ lookup }) => lookup.length > 0)
      .map(({ name, lookup }) => ({ lookup: name, examples: block(lookup.map(({ value }) => value)) })),
  ],
  responses: Object.fromEntries(
    intents
      .filter(({ responses }) => responses.length > 0)
      .map(({ name, responses }) => [`utter_${name}`, responses.map(({ text }) => ({ text }))]),
  ),
  stories: stories.map(({ name, steps }) => ({ story: name, steps: steps.map(stepOf) })),
  parley: { entities: entities.map(({ name, type, lookup }) => ({ name, type, lookup })) },
})

const block = (lines: readonly string[]): string => lines.map(line => `- ${line}\n`).join('')

type Step = NonNullable<NluData['stories']>[number]['steps'][number]

const stepOf = ({ kind, name, text }: Step) => ({
  [kind]: name,
  ...(text === '' ? {} : { [kind === 'intent' ? 'user' : 'text']: text }),
})

/** A project as one file, in the format that its settings name. */
export const writeRasa = (data: NluData, format: 'json' | 'yaml'): string =>
  format === 'json'
    ? `${JSON.stringify(rasaTree(data), null, 2)}\n`
    : stringify(rasaTree(data), { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false })
