import { defaultProperties } from '#domain/flow/document/default-properties.ts'
import { prompt } from '#schemas/blocks/prompt.ts'
import type { JsonObject } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject } from '#schemas/json.ts'
import type { Translate } from './label.ts'

/** Questions of the palette: a prompt that expects one kind of answer. */
export const QUESTION_KINDS = {
  choice: { type: 'choice' },
  confirm: { type: 'confirm' },
  email: { type: 'text', validationType: 'Email' },
  phone: { type: 'text', validationType: 'MobilePhone' },
  number: { type: 'number' },
  date: { type: 'time', dateExtractType: 'date' },
  time: { type: 'time', dateExtractType: 'time' },
  cpf: { type: 'number', validationType: 'CPF' },
  cep: { type: 'number', validationType: 'CEP' },
  link: { type: 'text', validationType: 'URL' },
  place: { type: 'location' },
  file: { type: 'attachment' },
} as const satisfies Readonly<Record<string, JsonObject>>

type QuestionKind = keyof typeof QUESTION_KINDS

const isKind = (name: string): name is QuestionKind => Object.hasOwn(QUESTION_KINDS, name)

/** Name of an entry of the palette: a type of block, or `prompt:` and a kind of question. */
export const questionEntry = (kind: QuestionKind): string => `prompt:${kind}`

interface PaletteEntry {
  readonly type: string
  readonly kind?: QuestionKind
  /** Properties of the new block beside its defaults. */
  readonly properties?: JsonObject
}

export const paletteEntry = (entry: string): PaletteEntry => {
  const [type = '', kind = ''] = entry.split(':')
  if (type !== prompt.type || !isKind(kind)) return { type: entry }
  const { data } = defaultProperties(prompt)
  return { type, kind, properties: { data: { ...(isObject(data) ? data : {}), ...QUESTION_KINDS[kind] } } }
}

/** Rank of a kind of question in a search, on the scale of blocks; undefined where nothing matches. */
const questionRank = (kind: QuestionKind, search: string, t: Translate): number | undefined => {
  const wanted = folded(search.trim())
  const name = folded(t(`block:question.${kind}`))
  const synonyms = folded(t(`block:questionsynonym.${kind}`)).split(' ')
  if (wanted === '') return 5
  if (name === wanted || synonyms.includes(wanted)) return 0.5
  if (name.startsWith(wanted)) return 2
  return ` ${name} ${synonyms.join(' ')}`.includes(` ${wanted}`) ? 3 : undefined
}

/** Kinds of questions that a search finds, the best match first. */
export const rankedQuestions = (search: string, t: Translate) =>
  (Object.keys(QUESTION_KINDS) as QuestionKind[])
    .flatMap(kind => {
      const rank = questionRank(kind, search, t)
      return rank === undefined ? [] : [{ kind, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
