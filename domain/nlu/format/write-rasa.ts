import { stringify } from 'yaml'
import type { NluData } from '../project-data.ts'

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
