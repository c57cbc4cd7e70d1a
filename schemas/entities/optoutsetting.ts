import { defineEntity } from '../entity.ts'
import { boolean, enumeration, list, string, strings, text } from '../field/field.ts'
import { LANGUAGES, type Language } from '../language.ts'

const MAX_WORD = 40
const MAX_WORDS = 100
const LOCALES = LANGUAGES.toSorted() as [Language, ...Language[]]

/** Words that stop messages, until a level has its own. `sure`: the word has no other meaning in a conversation. */
export const OPT_OUT_WORDS: readonly {
  readonly locale: Language
  readonly word: string
  readonly sure: boolean
}[] = [
  { locale: 'pt', word: 'DESCADASTRAR', sure: true },
  { locale: 'en', word: 'STOP', sure: true },
  { locale: 'en', word: 'stop promotions', sure: true },
  { locale: 'en', word: 'UNSUBSCRIBE', sure: true },
  { locale: 'en', word: 'opt out', sure: true },
  { locale: 'en', word: 'OPTOUT', sure: true },
  { locale: 'es', word: 'BAJA', sure: true },
  { locale: 'pt', word: 'sair da lista', sure: true },
  { locale: 'pt', word: 'parar de receber', sure: true },
  { locale: 'pt', word: 'não quero mais receber', sure: true },
  { locale: 'es', word: 'no quiero recibir', sure: true },
  { locale: 'pt', word: 'SAIR', sure: false },
  { locale: 'pt', word: 'quero sair', sure: false },
  { locale: 'pt', word: 'PARAR', sure: false },
  { locale: 'pt', word: 'PARE', sure: false },
  { locale: 'pt', word: 'CANCELAR', sure: false },
  { locale: 'pt', word: 'REMOVER', sure: false },
  { locale: 'en', word: 'QUIT', sure: false },
  { locale: 'es', word: 'SALIR', sure: false },
]
/** Words that resume messages, until a level has its own. */
export const OPT_IN_WORDS: readonly string[] = ['VOLTAR A RECEBER', 'START']

const localeText = () =>
  list(
    { locale: enumeration(LOCALES, { required: true, initial: 'pt' }), text: text({ required: true, max: 1000 }) },
    { maxItems: LOCALES.length },
  )

/** Words by which people stop campaigns at a level and all levels below that have no setting of their own. */
export const optoutsetting = defineEntity({
  name: 'optoutsetting',
  type: 'OptOutSetting',
  parent: 'level',
  cardinality: 'optional',
  icon: 'MessageCircleOff',
  fields: {
    name: string(),
    words: list(
      {
        word: string({ required: true, max: MAX_WORD }),
        locale: enumeration(LOCALES, { initial: 'pt' }),
        /** Stops messages at any time; other words only after a campaign. */
        sure: boolean(),
      },
      {
        maxItems: MAX_WORDS,
        initial: OPT_OUT_WORDS.map(({ word, locale, sure }, place) => ({ id: `w${place + 1}`, word, locale, sure })),
      },
    ),
    startwords: strings({ max: MAX_WORD, maxItems: MAX_WORDS, initial: OPT_IN_WORDS }),
    /** Payloads of buttons. */
    buttons: strings({ max: 256, maxItems: MAX_WORDS }),
    reply: localeText(),
    startreply: localeText(),
    scope: enumeration(['marketing', 'all'], { initial: 'marketing' }),
    /** The bot gets words of opt-out too. */
    pass_to_bot: boolean(),
  },
  unique: [],
  title: 'name',
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'scope', as: 'tags' },
      { field: 'pass_to_bot', as: 'boolean' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'effect', fields: ['name', 'scope', 'pass_to_bot'] },
    { id: 'replies', fields: ['reply', 'startreply'] },
    { id: 'words', fields: ['words', 'buttons', 'startwords'] },
  ],
  actions: {},
  confirm: false,
  place: { hub: { page: 'campaignmanagement', order: 40 } },
})
