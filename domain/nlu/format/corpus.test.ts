import { globSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { corpus, corpusExpectation } from '#test/fixture/corpus.ts'
import { type NluData, parseStatement } from '../project-data.ts'
import type { NluFile, NluFileContent } from './nlu-file-content.ts'
import { writeRasa } from './rasa-yaml.ts'
import { readNlu } from './read-nlu.ts'

const items = (texts: readonly string[]) => texts.map((text, at) => ({ id: String(at), text }))

/** Content of files, as project data. */
const gatheredData = (
  { intents, entities, synonyms, regexes, stories }: NluFileContent,
  locale: string,
  timezone = 'UTC',
): NluData => ({
  locale,
  timezone,
  intents: [...intents].map(([name, { statements, responses }]) => ({
    name,
    statements: items(statements),
    responses: items(responses),
  })),
  entities: [...entities].map(([name, entity]) => ({ name, ...entity })),
  synonyms: [...synonyms].map(([value, others]) => ({ value, synonyms: others })),
  regexes: [...regexes].map(([name, regex]) => ({ name, ...regex })),
  stories: [...stories].map(([name, steps]) => ({ name, steps })),
})

const filesOf = (path: string): readonly NluFile[] => {
  const at = corpus('nlu/formats', path)
  if (!statSync(at).isDirectory()) return [{ path, text: readFileSync(at, 'utf8') }]
  return globSync('**/*', { cwd: at, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .toSorted()
    .map(file => ({ path: relative(at, file), text: readFileSync(file, 'utf8') }))
}

const read = (files: readonly NluFile[], locale = 'en'): NluFileContent => {
  const result = readNlu(files, locale)
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}

const linesIn = ({ intents }: NluFileContent): number =>
  [...intents.values()].reduce((sum, { statements }) => sum + statements.length, 0)

const counts = (data: NluFileContent): readonly number[] => [
  data.intents.size,
  linesIn(data),
  data.entities.size,
  [...data.entities.values()].reduce((sum, { lookup }) => sum + lookup.length, 0),
  data.synonyms.size,
  data.regexes.size,
  data.stories.size,
]

/** Intents, lines, entities, values of tables, synonyms, patterns and stories that each of them holds. */
const CORPORA = corpusExpectation<Readonly<Record<string, readonly number[]>>>('nlu/formats.json', {
  'rasa-financial-demo': [22, 574, 10, 0, 3, 0, 73],
  'rasa-nlu-training-data/banking.yml': [11, 471, 0, 0, 0, 0, 0],
  'rasa-nlu-training-data/education.yml': [3, 32, 0, 0, 0, 0, 0],
  'rasa-nlu-training-data/mood.yml': [9, 248, 0, 0, 0, 0, 0],
  'rasa-nlu-training-data/retail.yml': [3, 18, 0, 0, 0, 0, 0],
  'rasa-nlu-training-data/weather.yml': [3, 206, 0, 0, 0, 0, 0],
  'rasa-json-hwu64.json': [4, 300, 10, 0, 0, 0, 0],
  'dialogflow-es-telegram-pt': [6, 47, 2, 0, 0, 0, 0],
  'dialogflow-es-hwu64': [6, 591, 33, 339, 0, 0, 0],
  'dialogflow-cx-routing': [11, 16, 0, 0, 0, 0, 0],
  'watson/bank_simple_workspace.json': [50, 671, 24, 60, 0, 8, 0],
  'watson/hwu64-entities.csv': [0, 0, 7, 400, 0, 0, 0],
  'watson/hwu64-intents.csv': [4, 400, 0, 0, 0, 0, 0],
})

test.for(Object.keys(CORPORA))('%s is read whole, and is the same after it is written and read again [N-6.1]', name => {
  const data = read(filesOf(name), name.includes('-pt') ? 'pt' : 'en')
  expect(counts(data)).toEqual(CORPORA[name])
  for (const format of ['json', 'yaml'] as const) {
    const text = writeRasa(gatheredData(data, 'en'), format)
    const again = read([{ path: `export.${format}`, text }])
    expect({ ...again, unread: [] }).toEqual({ ...data, unread: [] })
  }
  for (const { statements } of data.intents.values())
    for (const line of statements) expect(parseStatement(line).text.trim()).not.toBe('')
})
