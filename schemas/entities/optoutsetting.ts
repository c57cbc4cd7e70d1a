import { defineEntity } from '../entity.ts'
import { boolean, enumeration, list, string, strings, text } from '../field/field.ts'
import { LANGUAGES, type Language } from '../language.ts'

const MAX_WORD = 40
const MAX_WORDS = 100
const LOCALES = LANGUAGES.toSorted() as [Language, ...Language[]]

interface OptOutDefault {
  readonly locale: Language
  readonly word: string
  readonly sure: boolean
}

const inLocale = (locale: Language, sure: boolean, words: readonly string[]): OptOutDefault[] =>
  words.map(word => ({ locale, word, sure }))

/**
 * Words that stop messages, until a level has its own. `sure`: the word has no other meaning in a conversation. Sentences
 * name messages, or have no object; those about `isso`, `this` and `esto` may be about what the bot said.
 */
export const OPT_OUT_WORDS: readonly OptOutDefault[] = [
  ...inLocale('pt', true, ['DESCADASTRAR', 'sair da lista', 'parar de receber', 'não quero mais receber']),
  ...inLocale('pt', true, ['não quero receber mais', 'quero parar de receber', 'parar de receber mensagens']),
  ...inLocale('pt', true, ['quero parar de receber mensagens', 'não quero mais receber mensagens']),
  ...inLocale('pt', true, ['não quero receber mensagens', 'não quero receber mais mensagens']),
  ...inLocale('pt', true, ['não quero mais mensagens', 'para de me mandar mensagem', 'para de me mandar mensagens']),
  ...inLocale('pt', true, ['para de mandar mensagem', 'para de mandar mensagens', 'não me mande mais mensagem']),
  ...inLocale('pt', true, ['não me mande mais mensagens', 'me tira da lista', 'me tire dessa lista']),
  ...inLocale('en', true, ['STOP', 'stop promotions', 'UNSUBSCRIBE', 'opt out', 'OPTOUT', 'stop messages']),
  ...inLocale('en', true, ['stop messaging me', 'stop texting me', 'stop sending me messages', 'no more messages']),
  ...inLocale('en', true, ['stop sending messages', "don't message me", "don't send me messages"]),
  ...inLocale('en', true, ["I don't want to receive messages", "I don't want messages", 'remove me from the list']),
  ...inLocale('en', true, ['remove me from your list', 'take me off the list', 'take me off your list']),
  ...inLocale('es', true, ['BAJA', 'no quiero recibir', 'no quiero recibir más', 'dejar de recibir mensajes']),
  ...inLocale('es', true, ['quiero dejar de recibir mensajes', 'no quiero recibir mensajes']),
  ...inLocale('es', true, ['no quiero recibir más mensajes', 'no quiero más mensajes', 'deja de mandarme mensajes']),
  ...inLocale('es', true, ['deja de enviarme mensajes', 'no me mandes más mensajes', 'no me envíes más mensajes']),
  ...inLocale('es', true, ['sácame de la lista']),
  ...inLocale('pt', false, ['SAIR', 'quero sair', 'PARAR', 'PARE', 'CANCELAR', 'REMOVER']),
  ...inLocale('pt', false, ['quero parar de receber isso', 'não quero mais receber isso', 'não quero receber isso']),
  ...inLocale('pt', false, ['não quero mais isso', 'para de mandar isso', 'para de me mandar isso']),
  ...inLocale('en', false, ['QUIT', 'I want to stop receiving this', 'stop sending this', 'stop sending me this']),
  ...inLocale('en', false, ["I don't want to receive this"]),
  ...inLocale('es', false, ['SALIR', 'quiero darme de baja', 'dejar de recibir', 'quiero dejar de recibir']),
  ...inLocale('es', false, ['quiero dejar de recibir esto', 'no quiero recibir esto', 'deja de mandarme esto']),
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
  place: { hub: { page: 'campaignmanagement', order: 40 } },
})
